// SPDX-License-Identifier: BSD-3-Clause
// What the engine keeps per thread: whether a handler runs, and room for messages to oneself.
// Private to core/am_*.cpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "conduits/core/am/engine.hpp"

namespace upcr {

// A reply to oneself waits here until the request's handler has returned, so that reply handlers never
// run inside request handlers (which may hold a lock).
struct LoopReply {
  bool waiting = false;
  AmHeader head{};
  AmCategory category = AmCategory::kShort;
  std::uint32_t args[kMaxAmArgs];
  void* dest = nullptr;
  std::size_t bytes = 0;
};

struct AmContext {
  std::unique_ptr<char[]> request_buffer, reply_buffer;  // max_medium bytes each, made on first use
  LoopReply reply;
};

extern thread_local AmContext am_context;

// Handlers running on this thread. Apart from the rest, whose first use on a thread costs a look.
extern __thread unsigned am_depth;

}  // namespace upcr
