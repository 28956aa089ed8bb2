// SPDX-License-Identifier: BSD-3-Clause
// The names of the MPI libraries, and of their shared objects. Used by mpi_library.cpp for this process, and
// by upcrun for the program that it is to start. Any thread.
#pragma once
#include <string_view>

namespace upcr {

enum class MpiLibrary { kNone, kOpenMpi, kMpich };

// For messages.
constexpr const char* mpi_library_name(MpiLibrary library) {
  return library == MpiLibrary::kOpenMpi ? "Open MPI" : library == MpiLibrary::kMpich ? "MPICH" : "no MPI";
}

// By the file's name. libmpi.so.12 is the name that MPICH and its descendants have agreed on; Open MPI's
// number has been larger for years.
constexpr MpiLibrary mpi_library_of_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.starts_with("libmpich.so")) return MpiLibrary::kMpich;
  if (!name.starts_with("libmpi.so")) return MpiLibrary::kNone;
  return name == "libmpi.so.12" || name.starts_with("libmpi.so.12.") ? MpiLibrary::kMpich
                                                                     : MpiLibrary::kOpenMpi;
}

}  // namespace upcr
