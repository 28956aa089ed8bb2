// SPDX-License-Identifier: BSD-3-Clause
// A name of the program that is one of the C library's too, as `send` where <sys/socket.h> is not included,
// is the program's own in C. The linker would give it to shared libraries as well, and the runtime and the
// libraries of its modules, which call the C library's function, would come to the program's function or
// variable.
#pragma once
#include <string>

#include "tools/upcc/options/options.hpp"

namespace upcc {

// Hides such definitions of `object` from shared libraries. It does nothing for -fPIC, with which an object
// may become part of a shared library, and where an option -fvisibility says what is visible. Functions that
// allocate memory stay visible: a program's own have to serve the whole process.
void hide_names_of_libc(const std::string& object, const Options& options);

}  // namespace upcc
