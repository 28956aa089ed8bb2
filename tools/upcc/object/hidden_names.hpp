// SPDX-License-Identifier: BSD-3-Clause
// A name of the program that is one of the C library's too, as `send` where <sys/socket.h> is not included,
// is the program's own in C. The linker would give it to shared libraries as well, and the runtime and the
// libraries of its modules, which call the C library's function, would come to the program's function or
// variable.
#pragma once
#include <string>

#include "tools/upcc/options/options.hpp"
#include "tools/upcc/scan/scan.hpp"

namespace upcc {

// Hides such definitions of `object`, compiled from `source`, from shared libraries. It does nothing for
// -fPIC and -shared, with which an object becomes part of a shared library, with an option -fvisibility,
// and for names that the source makes visible by an attribute. Functions that allocate memory stay visible: a
// program's own have to serve the whole process. So do variables that the library has as variables of the
// same size: it is to read them (argp_program_version).
void hide_names_of_libc(const std::string& object, const Options& options, const SourceInfo& source);

// Whether the C library has a function of this name, other than those that allocate memory.
bool is_function_of_libc(const std::string& name);

}  // namespace upcc
