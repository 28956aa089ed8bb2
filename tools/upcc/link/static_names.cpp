// SPDX-License-Identifier: BSD-3-Clause
// See static_names.hpp.
#include "tools/upcc/link/static_names.hpp"

#include "tools/upcc/base/process.hpp"
#include "tools/upcc/object/elf.hpp"
#include "tools/upcc/object/hidden_names.hpp"

namespace upcc {

void warn_of_static_names(const std::set<std::string>& defined, const std::string& library) {
  std::set<std::string> own;
  for (const std::string& name : defined)
    if (is_function_of_libc(name)) own.insert(name);
  if (own.empty()) return;
  std::set<std::string> used;
  for (const Object& member : read_objects(library))
    for (const Symbol& symbol : member.symbols)
      if (!symbol.defined && symbol.global && own.count(symbol.name) != 0) used.insert(symbol.name);
  for (const std::string& name : used)
    warn(
        "the program defines '" + name +
        "', which the static libupcr calls too and takes from the program, not from the C library: rename it, or "
        "link without -static-libupcr");
}

}  // namespace upcc
