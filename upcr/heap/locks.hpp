// SPDX-License-Identifier: BSD-3-Clause
// Locks, as far as the heap must know them when it frees one. Declared here and defined by upcr/sync, which
// allocates locks from the heap.
#pragma once
#include <cstdint>

#include "upcr/pointer/pointer.hpp"

namespace upcr {

// Frees a lock, whether or not a thread holds it; fatal if the pointer, which is not null, is to no lock. A
// thread that waits for the lock ends the job with an error, because it would wait for ever. `function` is
// named in errors. UPC threads.
void free_lock(upcr_shared_ptr_t lock, const char* function);

// Closes the queue of a lock whose memory the heap is about to free: no thread acquires the lock any more.
// Returns the packed address of the last node in its queue, which must be notified before the memory is
// freed; 0: the queue is empty or was closed before. `lock` is mapped here. Any thread, also in a handler.
std::uint64_t close_lock(void* lock) noexcept;

}  // namespace upcr
