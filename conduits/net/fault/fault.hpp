// SPDX-License-Identifier: BSD-3-Clause
// A conduit around another one that behaves as badly as the interface allows: requests leave late, in
// another order, or are refused; and a bit of a packet changes. Debug library only; the registry wraps the
// chosen conduit when UPCR_FAULT is set. Threads as in conduits/core/transport/conduit.hpp.
//
// Faults happen where the contract leaves room for them, on the sending side: a request that was accepted
// is kept here for a few polls of the sender. Replies pass as they are, because the inner conduit has kept
// room for them. A sender that stops polling keeps what is delayed, so programs under test must poll. A test
// can also keep single requests back itself (hold.h).
#pragma once
#include <cstdint>
#include <memory>

#include "conduits/core/transport/conduit.hpp"

namespace upcr {

struct FaultOptions {
  unsigned delay = 0;         // a request leaves after up to so many polls
  std::uint64_t reorder = 0;  // not 0: requests leave in an order drawn with this seed
  unsigned refuse = 0;        // not 0: every n-th request, put, get and atomic is refused
  bool am_only = false;       // the inner conduit's remote memory access is hidden
  bool late_puts =
      false;  // hidden too, but for puts, which read their source some polls later (late_puts.hpp)
  // Not 0: of the n-th packet that leaves the process this bit is flipped on its way (flip.h).
  std::uint64_t flip_packet = 0, flip_bit = 0;

  // "delay=20,reorder=7,refuse=5,amonly,lateputs,flip=100:37": any of these. False when `text` is something
  // else.
  static bool parse(const char* text, FaultOptions* options);
};

std::unique_ptr<Conduit> wrap_in_faults(std::unique_ptr<Conduit> inner, const FaultOptions& options);

// As UPCR_FAULT says; the conduit itself when it is unset.
std::unique_ptr<Conduit> wrap_in_configured_faults(std::unique_ptr<Conduit> inner);

}  // namespace upcr
