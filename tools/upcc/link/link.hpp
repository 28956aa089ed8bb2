// SPDX-License-Identifier: BSD-3-Clause
// The link job: objects, archives and libraries to a program or a shared library.
#pragma once
#include "tools/upcc/jobs/jobs.hpp"
#include "tools/upcc/link/program.hpp"

namespace upcc {

// Both run a kLink job and return the linker's exit status.
int link(const Options& options, const Job& job);
int link_gupc(const Options& options, const Job& job);  // with --abi=gupc (link/gupc.cpp)

// Shared by both. The files among the job's inputs, in link order, and libraries that -l finds in a folder of
// -L.
std::vector<LinkedFile> linked_files(const Job& job);
// The linker: of --link-with, or the compiler of the sources' language.
Arguments linker(const Options& options);
// The job's inputs as arguments of the linker.
Arguments input_arguments(const Job& job);
// The arguments behind the program's files: libupcr, its folder at run time, system libraries, -o.
Arguments trailing_options(const Options& options, const Job& job, bool debug);

}  // namespace upcc
