// SPDX-License-Identifier: BSD-3-Clause
// What GASNET_STATSFILE counts and GASNET_TRACEFILE lists, each kind with the letter that selects it in a
// mask.
#pragma once
#include <string_view>

namespace upcr::gasnet {

enum class Event : unsigned {
  kGet,
  kGetNb,
  kGetNbi,
  kGetVis,
  kPut,
  kPutNb,
  kPutNbi,
  kPutVis,
  kMemset,
  kMemsetNb,
  kMemsetNbi,
  kSync,
  kSyncTry,
  kSyncNbi,
  kCollective,
  kBarrierNotify,
  kBarrierWait,
  kBarrierTry,
  kRequestShort,
  kRequestMedium,
  kRequestLong,
  kReplyShort,
  kReplyMedium,
  kReplyLong,
  kHandlerShort,
  kHandlerMedium,
  kHandlerLong,
  kLockWait,
  kCount,
};
inline constexpr unsigned kEvents = static_cast<unsigned>(Event::kCount);

// The kind that follows `first` by the way that the call completes: GASNETI_NB_EXPLICIT or 0,
// GASNETI_NB_IMPLICIT.
Event nonblocking(Event first, unsigned how) noexcept;

char letter_of(Event event) noexcept;
const char* name_of(Event event) noexcept;  // "PUT_NB"
// Gets and puts: what GASNET_TRACELOCAL=no leaves out where the memory is the node's own.
bool is_access(Event event) noexcept;

}  // namespace upcr::gasnet
