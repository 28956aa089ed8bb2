// SPDX-License-Identifier: BSD-3-Clause
// The per-thread state that all engines share: whether a handler runs, and buffers for messages from the
// process to itself. Private to core/am.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/memory/thread_buffer.hpp"

namespace upcr {

// A reply from this process to itself waits here until the request's handler has returned, so that reply
// handlers never run inside request handlers (which may hold a lock).
struct LoopReply {
  bool waiting = false;
  AmHeader head{};
  AmCategory category = AmCategory::kShort;
  std::uint32_t args[kMaxAmArgs]{};
  void* dest = nullptr;
  std::size_t bytes = 0;
};

struct AmContext {
  ThreadBuffer request_buffer, reply_buffer;
  LoopReply reply;
  // Of the last handler that ran or runs. 0: it has not been read, as that of an instant one until it has
  // replied, or handlers are not observed.
  std::uint64_t handler_start = 0;
  bool instant_handler = false;  // the same handler's moment is read late (handler_observer.hpp)
};

extern constinit thread_local AmContext am_context;

// The number of handlers that run on this thread.
extern constinit thread_local unsigned am_depth;

}  // namespace upcr
