// SPDX-License-Identifier: BSD-3-Clause
// Semaphores whose memory is not mapped here, by message. UPC threads; not from a handler.
#pragma once
#include <cstddef>

#include "upcr/access/data.hpp"

namespace upcr {

struct Job;

// At attach, before the first message: registers the handlers.
void attach_semaphores(Job& job);

// Posts n; returns when the message is on its way. put_and_post_remote: the data first, `src` is reusable on
// return.
void post_remote(SharedAddr at, std::size_t n, Slot who, bool many);
void put_and_post_remote(SharedAddr to, const void* src, std::size_t bytes, SharedAddr at, std::size_t n,
                         Slot who);
// True when it was taken, which with `wait` it always is in the end.
bool acquire_remote(SharedAddr at, std::size_t n, Slot who, bool wait, bool many);
// After a post to a semaphore that is mapped here: answers those that wait for it elsewhere.
void serve_remote_waiters();

}  // namespace upcr
