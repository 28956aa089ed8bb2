// SPDX-License-Identifier: BSD-3-Clause
// The macros that UPC predefines.
#pragma once
#include "tools/upcc/options/options.hpp"

namespace upcc {

// -D for each library of UPC 1.3 (7.4 to 7.8) that this upcr has; for front ends and for translated C.
Arguments library_macros();
// __UPC__ and the other macros that tell the language, its version and the compiler.
Arguments language_macros(const Options& options);

// The options that the preprocessor of UPC source needs.
Arguments front_end_options(const Options& options);
// upcc --front-end: the same, one a line.
std::string front_end_text(const Options& options);

}  // namespace upcc
