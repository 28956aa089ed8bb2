// SPDX-License-Identifier: BSD-3-Clause
// Options for UPC sources: those of the translator, and which of the compiler's options go to the
// preprocessor of UPC and to the compiler of the C that comes out.
#pragma once
#include <string>

#include "tools/upcc/base/process.hpp"

namespace upcc {

struct UpcOptions {
  Arguments warnings;             // -W of the translator's groups, -Werror, -w, in their order
  bool json = false;              // -fdiagnostics-format=json
  bool color = false;             // of messages; -fdiagnostics-color
  unsigned max_errors = 20;       // -fmax-errors; 0: all
  bool keep_translation = false;  // --keep-trans
};

// Records an option that concerns the translator. Returns whether it concerns nobody else, so that the
// compilers do not get it.
bool record_upc_option(UpcOptions& upc, const std::string& argument);

// Of the options for compilations, those for the preprocessor of UPC source, and those for the compiler of
// its translation. Fatal for a standard of C that UPC source cannot be written in.
Arguments upc_preprocessor_options(const Arguments& compile_options);
Arguments upc_compiler_options(const Arguments& compile_options);

// The names of the macros that -D defines.
Arguments macros_of_command_line(const Arguments& compile_options);

}  // namespace upcc
