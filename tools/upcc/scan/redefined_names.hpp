// SPDX-License-Identifier: BSD-3-Clause
// Names of the UPC library that a program has for functions, types and constants of its own: older than the
// library, it brings its own upc_all_broadcast, say. upcr.h must not turn them into the runtime's.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tools/upcc/scan/lexer.hpp"

namespace upcc {

struct RedefinedName {
  std::size_t at;  // the token that its declaration begins with
  std::string name;
  bool is_type;  // else a function or a constant
};

// In the order of the text, each once.
//   functions that the file defines and whose names begin with upc_; collectives that it declares
//   types that upcr.h has too, in a typedef; constants of an enumeration that are macros in upcr.h
std::vector<RedefinedName> find_redefined_names(const std::vector<Token>& tokens);

// C for the start-up file: the collectives among `wanted`, which files have declared and nobody defines, as
// calls of the runtime's. With each name the encoding (encoding.hpp) of the files that call it.
std::string collective_definitions(const std::map<std::string, int>& wanted);

// Whether collective_definitions has it.
bool is_collective(std::string_view name);

}  // namespace upcc
