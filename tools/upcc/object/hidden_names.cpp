// SPDX-License-Identifier: BSD-3-Clause
// See hidden_names.hpp.
#include "tools/upcc/object/hidden_names.hpp"

#include <dlfcn.h>
#include <elf.h>

#include "tools/upcc/base/file.hpp"
#include "tools/upcc/base/process.hpp"
#include "tools/upcc/object/elf.hpp"

namespace upcc {
namespace {

bool user_decides(const Options& options) {
  for (const std::string& option : options.compile_options)
    if (option.starts_with("-fvisibility") || option == "-fPIC" || option == "-fpic") return true;
  return false;
}

bool allocates(std::string_view name) {
  for (std::string_view part : {"alloc", "memalign", "free"})
    if (name.ends_with(part)) return true;
  return name == "malloc_usable_size" || name == "reallocarray";
}

// upcc is linked with the C library, and with libm and libpthread, which were parts of their own once.
bool is_in_libc(const std::string& name) { return dlsym(RTLD_DEFAULT, name.c_str()) != nullptr; }

}  // namespace

void hide_names_of_libc(const std::string& object, const Options& options) {
  if (user_decides(options) || !command_mode.run) return;
  std::string bytes = read_file(object);
  bool changed = false;
  for (const Symbol& symbol : parse_object(bytes, object).symbols) {
    if (!symbol.global || !symbol.defined || symbol.hidden || allocates(symbol.name)) continue;
    if (symbol.visibility_at >= bytes.size() || !is_in_libc(symbol.name)) continue;
    bytes[symbol.visibility_at] = static_cast<char>(bytes[symbol.visibility_at] | STV_HIDDEN);  // it was 0
    changed = true;
  }
  if (changed) write_file(object, bytes);
}

}  // namespace upcc
