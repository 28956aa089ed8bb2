// SPDX-License-Identifier: BSD-3-Clause
// Options for UPC sources: those of the translator, and which of the compiler's options go to the
// preprocessor of UPC and to the compiler of the C that comes out.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tools/upcc/base/process.hpp"

namespace upcc {

struct UpcOptions {
  Arguments warnings;                     // -W of the translator's groups, -Werror, -w, -Rupc, in their order
  bool json = false;                      // -fdiagnostics-format=json
  bool color = false;                     // of messages; -fdiagnostics-color
  unsigned max_errors = 20;               // -fmax-errors; 0: all
  bool keep_translation = false;          // --keep-trans
  int loop_level = -1;                    // --opt; -1: as a given -O says
  std::vector<std::uint32_t> loop_lines;  // --opt-only
};

// Records an option that concerns the translator. Returns whether it concerns the translator only, so that
// the compilers do not get it.
bool record_upc_option(UpcOptions& upc, const std::string& argument);

// The level of loop transformations: 0 to 2, of LoopOptions. Without --opt what a given -O asks of the C
// compiler: -O1 and the like 1, -O2 and more 2. Nothing without -O, and where accesses have to be seen by
// others (`observed`: by the checking library or a tool).
int loop_level(const UpcOptions& upc, const Arguments& compile_options, bool observed);

// Of the options for compilations, those for the preprocessor of UPC source, and those for the compiler of
// its translation. Fatal for a standard of C that UPC source cannot be written in.
Arguments upc_preprocessor_options(const Arguments& compile_options);
Arguments upc_compiler_options(const Arguments& compile_options);

// The names of the macros that -D defines.
Arguments macros_of_command_line(const Arguments& compile_options);

}  // namespace upcc
