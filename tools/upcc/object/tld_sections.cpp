// SPDX-License-Identifier: BSD-3-Clause
// See tld_sections.hpp.
#include "tools/upcc/object/tld_sections.hpp"

#include <map>

#include "tools/upcc/base/process.hpp"
#include "tools/upcc/object/elf.hpp"

namespace upcc {
namespace {

// The name in C of a variable. The symbol of a function's static variable is name.123 from gcc and
// function.name[.123] from clang.
std::string source_name(std::string symbol) {
  for (std::size_t dot; (dot = symbol.rfind('.')) != std::string::npos;) {
    std::string last = symbol.substr(dot + 1);
    if (last.find_first_not_of("0123456789") != std::string::npos) return last;
    symbol.erase(dot);
  }
  return symbol;
}

// clang keeps a variable that is never written, and whose address is of no importance, as a constant that
// equal ones share: threads may share it as well.
bool is_shared_constant(const std::string& section) { return section.starts_with(".rodata.cst"); }

}  // namespace

int move_tld_to_sections(const std::string& object, const SourceInfo& source) {
  if (source.tld.empty() || !command_mode.run) return 0;
  std::map<std::string, std::string> sections;  // old name: what objcopy renames it to
  for (const Symbol& symbol : read_object(object).symbols) {
    if (symbol.name.starts_with(".L")) continue;  // clang's strings and constants: .L.str.1, .L__const.f.name
    const std::string name = source_name(symbol.name);
    const auto found = source.tld.find(name);
    if (!symbol.data || found == source.tld.end() || is_tld_section(symbol.section)) continue;
    if (symbol.global && !found->second.external) continue;  // that of a function is another one
    if (is_shared_constant(symbol.section)) continue;
    const std::string own = "." + symbol.name;
    if (symbol.section.size() < own.size() ||
        symbol.section.substr(symbol.section.size() - own.size()) != own)
      fatal(object + ": thread-local variable '" + name + "' is in section '" + symbol.section +
            "', which other variables share; compile without options that undo -fdata-sections");
    sections[symbol.section] = symbol.zero ? std::string(kTldZeroSection) + ",alloc"
                                           : std::string(kTldSection) + ",alloc,load,data,contents";
  }
  if (sections.empty()) return 0;
  Arguments command = {"objcopy"};
  for (const auto& [section, renamed] : sections)
    command.insert(command.end(), {"--rename-section", section + "=" + renamed});
  command.push_back(object);
  return run(command);
}

}  // namespace upcc
