// SPDX-License-Identifier: BSD-3-Clause
// GASNET_STATSFILE and GASNET_TRACEFILE: counts of this node's operations, written at its end, and a list of
// them, a line for each. Without them an operation tests one variable; accesses that are inlined in the
// client come here because gasnet_attach() then says of no memory that it is mapped.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/api/gasnet/trace/events.hpp"
#include "include/gasnet/types.h"

namespace upcr::gasnet {

// Statistics or a trace are written. Set in gasnet_init().
extern bool observing;

struct TraceStart {
  gasnet_node_t node, nodes;
  const char* program;
};
// In gasnet_init(). The node 0 calls it before the others: it empties a file that nodes share.
void start_trace(const TraceStart& start);
// Writes the statistics, once, and all that is buffered. Any thread, at the end of the process.
void end_trace() noexcept;
// Writes what is buffered of the trace. In the handler of a fatal signal, whose node ends without the above.
void leave_trace_of_crash() noexcept;

inline constexpr gasnet_node_t kNoNode = static_cast<gasnet_node_t>(-1);

// An operation, from construction to destruction. No function gets an address in the object, so that what is
// not observed costs a test and no store.
class Traced {
 public:
  // `node`: the other side. `function`: null, or a name for the trace.
  explicit Traced(Event event, gasnet_node_t node = kNoNode, std::size_t bytes = 0,
                  const char* function = nullptr) noexcept
      : event_(event), node_(node), bytes_(bytes), function_(function) {
    if (__builtin_expect(observing, 0)) start_ = start_of(event);
  }
  Traced(const Traced&) = delete;
  Traced& operator=(const Traced&) = delete;
  ~Traced() {
    if (__builtin_expect(start_ != 0, 0)) record(event_, node_, bytes_, function_, start_);
  }

 private:
  static std::uint64_t start_of(Event event) noexcept;  // 0: this kind is not wanted
  static void record(Event event, gasnet_node_t node, std::size_t bytes, const char* function,
                     std::uint64_t start) noexcept;

  Event event_;
  gasnet_node_t node_;
  std::size_t bytes_;
  const char* function_;
  std::uint64_t start_ = 0;  // by the processor's counter; 0: not observed
};

template <typename Operation>
[[gnu::noinline, gnu::cold]] void perform_observed(Event event, gasnet_node_t node, std::size_t bytes,
                                                   Operation operation) {
  const Traced traced(event, node, bytes);
  operation();
}

// Performs an operation of a few instructions; with a Traced beside it, it would have to save registers.
template <typename Operation>
[[gnu::always_inline]] inline void perform(Event event, gasnet_node_t node, std::size_t bytes,
                                           Operation operation) {
  if (__builtin_expect(!observing, 1)) return operation();
  perform_observed(event, node, bytes, operation);
}

}  // namespace upcr::gasnet
