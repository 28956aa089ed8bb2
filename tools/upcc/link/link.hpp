// SPDX-License-Identifier: BSD-3-Clause
// The link job: objects, archives and libraries to a program or a shared library.
#pragma once
#include "tools/upcc/link/program.hpp"
#include "tools/upcc/options/options.hpp"

namespace upcc {

// After every source has its object. Returns the linker's exit status.
int link(const Options& options);
// The same for --abi=gupc (link/gupc.cpp).
int link_gupc(const Options& options);

// Parts of both.
const std::string& file_of(const Input& input);                // what is linked for it
std::vector<LinkedFile> linked_files(const Options& options);  // in link order
Words linker(const Options& options);
// Behind the program's files: libupcr, where it is at run time, system libraries, -o.
Words trailing_options(const Options& options, bool debug);

}  // namespace upcc
