// SPDX-License-Identifier: BSD-3-Clause
// Names of the UPC library that a program gives to functions, types and constants of its own: a program older
// than the library may define its own upc_all_broadcast. upcr.h must not turn these names into the runtime's.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tools/upcc/scan/lexer.hpp"

namespace upcc {

struct RedefinedName {
  std::size_t at;  // index of the token that its declaration begins with
  std::string name;
  bool is_type;  // else a function or a constant
};

// The names that the file redefines, in the order of the text, each once:
//   functions that it defines, with names that begin with upc_; collectives that it declares
//   types of upcr.h that it defines by typedef; constants of an enumeration that are macros in upcr.h
std::vector<RedefinedName> find_redefined_names(const std::vector<Token>& tokens);

// C for the start-up file: definitions, as calls of the runtime, of the collectives among `wanted`, which are
// names that files declare and no file defines. The value of each name is the encoding (encoding.hpp) of its
// callers.
std::string collective_definitions(const std::map<std::string, int>& wanted);

// Whether collective_definitions() can define this name.
bool is_collective(std::string_view name);

}  // namespace upcc
