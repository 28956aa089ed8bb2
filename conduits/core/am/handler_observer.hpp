// SPDX-License-Identifier: BSD-3-Clause
// Tells a measurement of each message whose handler has run in this process, on the thread that ran it. Set
// before any process sends, or never, so that the n-th message that a process sends to another one is the
// n-th of which it hears there. (AmEngine::observe_sends() is its counterpart.)
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr {

struct HandledMessage {
  Rank source;
  bool is_request;
  unsigned handler;  // in the client's table, or behind 256 in the internal one
  std::size_t bytes;
  std::uint64_t start;  // the processor's counter (counter_clock.hpp) before its handler ran
};
using HandlerEvent = void (*)(const HandledMessage& message);
void observe_handlers(HandlerEvent event) noexcept;

}  // namespace upcr
