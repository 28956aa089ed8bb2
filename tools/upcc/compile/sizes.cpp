// SPDX-License-Identifier: BSD-3-Clause
// See sizes.hpp.
#include "tools/upcc/compile/sizes.hpp"

#include <cstddef>
#include <sstream>

#include "include/upcr/idents.h"
#include "include/upcr/types.h"
#include "tools/upcc/base/compilers.hpp"

namespace upcc {
namespace {

// For the alignment of a struct that begins with a T.
template <typename T>
struct FirstInStruct {
  T item;
  char rest;
};

template <typename T>
void size_line(std::ostream& out, const char* key) {
  out << key << ' ' << sizeof(T) << ' ' << alignof(T) << '\n';
}

template <typename T>
void scalar_lines(std::ostream& out, const char* key) {
  size_line<T>(out, key);
  out << "alignof_" << key << ' ' << alignof(T) << '\n';  // for older translators
  out << "alignof_" << key << "_1st " << alignof(FirstInStruct<T>) << '\n';
}

// The folders in which the C compiler searches for headers in <>.
Arguments system_header_dirs() {
  Arguments command = c_compiler();
  command.insert(command.end(), {"-E", "-v", "-x", "c", "/dev/null"});
  std::istringstream lines(output_of(command));
  Arguments dirs;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("#include <...>", 0) == 0)
      inside = true;
    else if (line.rfind("End of search list", 0) == 0)
      inside = false;
    else if (inside)
      dirs.push_back(line.substr(line.find_first_not_of(' ')));
  }
  return dirs;
}

}  // namespace

std::string sizes_text() {
  std::ostringstream out;
  size_line<upcr_shared_ptr_t>(out, "shared_ptr");
  size_line<upcr_pshared_ptr_t>(out, "pshared_ptr");
  size_line<upcr_handle_t>(out, "mem_handle");
  size_line<upcr_register_value_t>(out, "reg_handle");
  scalar_lines<void*>(out, "void_ptr");
  scalar_lines<std::ptrdiff_t>(out, "ptrdiff_t");
  scalar_lines<std::size_t>(out, "size_t");
  scalar_lines<bool>(out, "bool");
  scalar_lines<char>(out, "char");
  scalar_lines<short>(out, "short");
  scalar_lines<int>(out, "int");
  scalar_lines<long>(out, "long");
  scalar_lines<long long>(out, "longlong");
  scalar_lines<float>(out, "float");
  scalar_lines<double>(out, "double");
  scalar_lines<long double>(out, "longdouble");
  out << "maxblocksz " << UPCR_MAX_BLOCKSIZE << '\n';
  out << "UPCRConfig " << UPCR_CONFIG_STRING << '\n';
  out << "GASNetConfig " << GASNET_CONFIG_STRING << '\n';
  out << "runtime_spec " << UPCR_RUNTIME_SPEC_MAJOR << '.' << UPCR_RUNTIME_SPEC_MINOR << '\n';
  out << "upc_header_dir /upcr_preinclude/\n";
  out << "use_type_interface 0\n";
  out << "system_header_dirs ";
  for (const std::string& dir : system_header_dirs()) out << ':' << dir;
  out << '\n';
  return out.str();
}

}  // namespace upcc
