// SPDX-License-Identifier: BSD-3-Clause
// Memory that the node shares with the keeper of its trace (keeper.hpp), which outlives it.
#pragma once
#include <sys/mman.h>

#include <new>

namespace upcr::gasnet {

// Made in gasnet_init() and never freed: threads may run while the process ends. Null: there is no memory.
template <typename T>
T* make_shared_object() noexcept {
  void* const memory = ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) T;
}

}  // namespace upcr::gasnet
