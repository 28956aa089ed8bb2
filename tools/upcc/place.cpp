// SPDX-License-Identifier: BSD-3-Clause
// See place.hpp.
#include "tools/upcc/place.hpp"

#include <set>

#include "tools/upcc/elf.hpp"
#include "tools/upcc/process.hpp"

namespace upcc {
namespace {

// The name in C of a variable. A function's static one is name.123 by gcc, function.name[.123] by clang.
std::string source_name(std::string symbol) {
  for (std::size_t dot; (dot = symbol.rfind('.')) != std::string::npos;) {
    const std::string last = symbol.substr(dot + 1);
    if (last.find_first_not_of("0123456789") != std::string::npos) return last;
    symbol.erase(dot);
  }
  return symbol;
}

}  // namespace

int place_tld(const std::string& object, const Scan& scan) {
  if (scan.tld.empty() || !echo.run) return 0;
  std::set<std::string> sections;
  for (const Symbol& symbol : read_object(object).symbols) {
    const std::string name = source_name(symbol.name);
    if (!symbol.data || scan.tld.count(name) == 0 || symbol.section == kTldSection) continue;
    const std::string own = "." + symbol.name;
    if (symbol.section.size() < own.size() ||
        symbol.section.substr(symbol.section.size() - own.size()) != own)
      die(object + ": thread-local variable '" + name + "' is in section '" + symbol.section +
          "', which it shares with others; compile without options that undo -fdata-sections");
    sections.insert(symbol.section);
  }
  if (sections.empty()) return 0;
  Words command = {"objcopy"};
  for (const std::string& section : sections)
    command.insert(command.end(),
                   {"--rename-section", section + "=" + kTldSection + ",alloc,load,data,contents"});
  command.push_back(object);
  return run(command);
}

}  // namespace upcc
