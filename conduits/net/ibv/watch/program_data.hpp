// SPDX-License-Identifier: BSD-3-Clause
// Memory of the program's file and of its libraries, as the loader knows them. Any thread.
#pragma once
#include <cstdint>

namespace upcr::ibv {

// Does [begin, end) lie in the initialised data of the program (.data), a writable part of the executable
// that is mapped from its file? Such memory is the only kind of file mapping that may stay registered without
// being watched: it is mapped until the process ends, its file cannot be truncated (an executable that runs
// cannot be written), and pages that have been pinned for writing are the process's own. Only a call of the
// program that maps or discards its own initialised data would replace them. Not included: what the loader
// makes read-only (RELRO), data of libraries, which dlclose() unmaps, and .bss, which is anonymous memory.
bool is_program_data(std::uintptr_t begin, std::uintptr_t end) noexcept;

// Does some of [begin, end) belong to a library, with its uninitialised data? dlclose() unmaps it.
bool is_library_memory(std::uintptr_t begin, std::uintptr_t end) noexcept;

}  // namespace upcr::ibv
