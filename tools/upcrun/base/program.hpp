// SPDX-License-Identifier: BSD-3-Clause
// Programs: their paths, and the information in the files that upcrun needs.
#pragma once
#include <string>
#include <vector>

#include "conduits/core/bootstrap/launcher/mpi_library.hpp"

namespace upcrun {

// The path of `name`: `name` itself when it has a slash; else it is searched in the current folder, if
// `here`, and then in PATH. Throws Failure with status 127 when it is not found, 126 when it is not
// executable.
std::string find_program(const std::string& name, bool here = false);

// Whether a program of this name is in PATH.
bool is_in_path(const std::string& name);

// The folders of PATH, in order.
std::vector<std::string> path_folders();

// K of the string "$UPCRDefaultPthreads: K $" that `upcc --pthreads=K` puts into an executable; 0 when the
// file is no ELF file or has no such string.
unsigned default_pthreads(const std::string& path);

// The number of UPC threads that the program was compiled for: K of the string "$UPCRStaticThreads: K $" that
// `upcc -T K` puts into an executable, or of GCC-UPC's "$GCCUPCConfig: ... staticthreads=K ... $"; 0: any
// number, or unknown.
unsigned static_threads(const std::string& path);

// The thread mode of a GASNet client, from the string "$GASNetThreadModel: GASNET_... $" that gasnet.h puts
// into an executable: a node has one thread (SEQ), or any number (PARSYNC, PAR, or objects of several modes).
// kNone: there is no such string and the file needs libupcr, as UPC programs do. kUnknown: neither (a script,
// a client in a library).
enum class GasnetMode { kNone, kUnknown, kSeq, kThreads };
GasnetMode gasnet_mode(const std::string& path);

// The strings "$UPCR...: ... $" and "$GASNet...: ... $" of an executable, each once: what it was built with.
std::vector<std::string> identifications(const std::string& path);

// The shared libraries that the file needs (DT_NEEDED), as "libmpi.so.40"; none when it is no ELF file.
std::vector<std::string> needed_libraries(const std::string& path);

// The names of MPI libraries' mpirun that upcrun looks for in PATH. Those that contain the library's name
// come first, because the others must be run with --version.
struct MpirunName {
  const char* name;
  upcr::MpiLibrary library;  // kNone: found by --version
};
inline constexpr MpirunName kMpirunNames[] = {{"mpirun.openmpi", upcr::MpiLibrary::kOpenMpi},
                                              {"mpiexec.openmpi", upcr::MpiLibrary::kOpenMpi},
                                              {"mpiexec.hydra", upcr::MpiLibrary::kMpich},
                                              {"mpirun.mpich", upcr::MpiLibrary::kMpich},
                                              {"mpirun", upcr::MpiLibrary::kNone},
                                              {"mpiexec", upcr::MpiLibrary::kNone}};

}  // namespace upcrun
