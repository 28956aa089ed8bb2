// SPDX-License-Identifier: BSD-3-Clause
// The jobs that turn one source into an object, or into what -S, -E, -M, -fsyntax-only and -trans ask for.
#pragma once
#include "tools/upcc/options/options.hpp"

namespace upcc {

// The compilers: UPCC_CC and UPCC_CXX (a command and its first options), or cc and c++.
Words c_compiler();
Words cxx_compiler();
bool is_cxx(const Input& input);

// Says of each source what it becomes (Input::object).
void name_outputs(Options& options);
// Compiles inputs[number]. Returns the compiler's exit status; a file that this upcr cannot run (version,
// pointer size) is fatal.
int compile(const Options& options, std::size_t number);

}  // namespace upcc
