// SPDX-License-Identifier: BSD-3-Clause
// The program file: where it is, and what it says about itself.
#pragma once
#include <string>
#include <vector>

namespace upcrun {

// The path of `name`: itself when it has a slash, otherwise looked for in PATH, and then, if `here`, in the
// current folder. Throws Failure (127 not
// found, 126 not executable).
std::string find_program(const std::string& name, bool here = false);

// The folders of PATH, in order.
std::vector<std::string> path_folders();

// K of the ident string "$UPCRDefaultPthreads: K $" that `upcc --pthreads=K` puts into an executable; 0
// when the file is not ELF or has none.
unsigned default_pthreads(const std::string& path);

// What the ident string "$GASNetThreadModel: GASNET_... $" that gasnet.h puts into an executable says: a node
// has one thread (SEQ) or as many as it likes (PARSYNC, PAR, or objects of several kinds). kNone: there is
// none, and it needs libupcr, as UPC programs do. kUnknown: neither (a script, a client in a library).
enum class GasnetMode { kNone, kUnknown, kSeq, kThreads };
GasnetMode gasnet_mode(const std::string& path);

// The shared libraries that the file names (DT_NEEDED), as "libmpi.so.40"; none when it is not ELF.
std::vector<std::string> needed_libraries(const std::string& path);

}  // namespace upcrun
