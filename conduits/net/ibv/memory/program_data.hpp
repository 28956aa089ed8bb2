// SPDX-License-Identifier: BSD-3-Clause
// Where the initialised data of the program (.data) are: private memory behind which there is a file, the
// executable. Pure; any thread.
#pragma once
#include <cstdint>

namespace upcr::ibv {

// [begin, end) lies in a part of the executable that is writable and comes out of its file. Such memory is
// the one kind of file's memory that may stay registered without being watched: the mapping is there until
// the process ends, nobody can cut its file off (an executable that runs cannot be written), and pages that
// have been pinned for writing are the process's own. What would replace them is a call of the program's that
// maps or discards its own initialised data by name.
// Not in it: what the loader makes read-only (RELRO), data of libraries, which dlclose() unmaps, and .bss,
// which is anonymous memory.
bool is_program_data(std::uintptr_t begin, std::uintptr_t end) noexcept;

}  // namespace upcr::ibv
