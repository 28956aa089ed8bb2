// SPDX-License-Identifier: BSD-3-Clause
// Tells a measurement of each message whose handler has run in this process, on the thread that ran it. Set
// before any process sends, or never, so that the n-th message that a process sends to another one is the
// n-th of which it hears there. (AmEngine::observe_sends() is its counterpart.)
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr {

// Handlers of the runtime's own with so few bytes take less than a reading of the clock. They have a moment
// and no time, and their moment is read where nobody waits: behind the reply, if there is one.
inline constexpr std::size_t kInstantHandlerBytes = 64;

struct HandledMessage {
  Rank source;
  bool is_request;
  unsigned handler;  // in the client's table, or behind 256 in the internal one
  std::size_t bytes;
  // Of the processor's counter (counter_clock.hpp).
  std::uint64_t start, time;
};
using HandlerEvent = void (*)(const HandledMessage& message);
void observe_handlers(HandlerEvent event) noexcept;

}  // namespace upcr
