// SPDX-License-Identifier: BSD-3-Clause
// What the heap calls when the object that it frees is a lock. Declared here and defined with the locks
// (upcr/sync), which are made of the heap's memory.
#pragma once
#include <cstdint>

#include "upcr/pointer/pointer.hpp"

namespace upcr {

// Frees a lock, whether or not a thread holds it; fatal when the pointer, which is not null, is to no lock. A
// thread that waits for the lock is told, and ends the job: it would wait for ever. `function` is named in
// errors. UPC threads.
void free_lock(upcr_shared_ptr_t lock, const char* function);

// The heap is about to give away a lock's memory: nobody gets the lock any more. Returns the packed address
// of the last node in its queue, which has to be told first; 0: nobody, or the lock was closed before. `lock`
// is mapped here; any thread, also in a handler.
std::uint64_t close_lock(void* lock) noexcept;

}  // namespace upcr
