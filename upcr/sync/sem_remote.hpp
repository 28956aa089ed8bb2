// SPDX-License-Identifier: BSD-3-Clause
// Semaphores whose memory is not mapped here, by message. UPC threads; not from a handler.
#pragma once
#include <cstddef>
#include <cstdint>

#include "upcr/access/data.hpp"

namespace upcr {

struct Job;
struct Sem;

// A thread of another process that waits for a semaphore of this one. There is room for all threads of the
// job, untouched until so many wait at once.
struct RemoteWaiter {
  Sem* sem;
  std::uint64_t n, call;
  Rank rank;
};

// At attach, before the first message: registers the handlers.
void attach_semaphores(Job& job);

// Posts n; returns when the message is sent. put_and_post_remote: puts the data first; `src` is reusable on
// return. `counted`: by a form with N.
void post_remote(SharedAddr at, std::size_t n, Slot caller, bool counted);
void put_and_post_remote(SharedAddr to, const void* src, std::size_t bytes, SharedAddr at, std::size_t n,
                         Slot caller);
// True: acquired, as it always is with `wait`.
bool acquire_remote(SharedAddr at, std::size_t n, Slot caller, bool wait, bool counted);
// After a post to a semaphore that is mapped here: replies to the threads of other processes that wait for
// it.
void serve_remote_waiters();

}  // namespace upcr
