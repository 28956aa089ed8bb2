// SPDX-License-Identifier: BSD-3-Clause
// The kinds of operations that statistics and traces tell apart. Their numbers are in files that a process
// leaves behind, so new kinds are added at the end.
#pragma once
#include <cstdint>

namespace upcr::observe {

enum class Kind : std::uint32_t {
  kGet,
  kPut,
  kMemget,
  kMemput,
  kMemcpy,
  kMemset,
  kNbGet,
  kNbPut,
  kNbCopy,
  kNbSet,
  kSync,
  kVis,
  kAtomic,
  kLock,
  kLockAttempt,
  kUnlock,
  kNotify,
  kBarrier,
  kBroadcast,
  kScatter,
  kGather,
  kGatherAll,
  kExchange,
  kPermute,
  kReduce,
  kPrefixReduce,
  kSort,
  kTeam,
  kAlloc,
  kAllAlloc,
  kFree,
  kLockAlloc,
  kSemPost,
  kSemWait,
  kIoRead,
  kIoWrite,
  kIo,
  kUser,
  // Messages that operations send: requests and replies of the three categories.
  kRequestShort,
  kRequestMedium,
  kRequestLong,
  kReplyShort,
  kReplyMedium,
  kReplyLong,
  // Their handlers, in traces.
  kRequestHandler,
  kReplyHandler,
  // Counters of traces, whose events are new values.
  kBytesInFlight,
  kHeapBytes,
  // A message of the program, in traces (bupc_trace_printf).
  kMark,
  kCount,
};
inline constexpr unsigned kKinds = static_cast<unsigned>(Kind::kCount);

// "get", "barrier": the names of the JSON and of the summary. "?" for a number that is no kind.
const char* name_of(Kind kind) noexcept;
// A message or its handler, which are parts of operations, and no operations.
constexpr bool is_message(Kind kind) noexcept {
  return kind >= Kind::kRequestShort && kind <= Kind::kReplyHandler;
}
constexpr bool is_handler(Kind kind) noexcept {
  return kind == Kind::kRequestHandler || kind == Kind::kReplyHandler;
}
constexpr bool is_counter(Kind kind) noexcept {
  return kind == Kind::kBytesInFlight || kind == Kind::kHeapBytes;
}
// A blocking access, whose bytes are in flight from its start to its end where the memory is not mapped.
constexpr bool is_blocking_transfer(Kind kind) noexcept {
  return kind <= Kind::kMemset || kind == Kind::kAtomic;
}
// Accesses, of which those that are short are timed by a sample.
constexpr bool is_sampled(Kind kind) noexcept { return kind <= Kind::kAtomic; }
// The operation is nothing but a wait for other threads: all of its time counts as waited.
constexpr bool is_wait(Kind kind) noexcept {
  return kind == Kind::kBarrier || kind == Kind::kLock || kind == Kind::kSync || kind == Kind::kSemWait;
}

}  // namespace upcr::observe
