// SPDX-License-Identifier: BSD-3-Clause
// Fault injection: a conduit around another one that behaves as badly as the interface allows. Requests are
// delayed, reordered or refused, and a bit of a packet is flipped. Debug library only; the registry wraps the
// chosen conduit if UPCR_FAULT is set. Threads: as conduits/core/transport/conduit.hpp says.
//
// Faults are injected where the interface allows them, at the sender: a request that was accepted is kept
// here for some polls of the sender. Replies pass unchanged, because the inner conduit has kept room for
// them. A sender that stops polling keeps what is delayed, so programs under test must poll. A test can also
// hold single requests itself (hold.h).
#pragma once
#include <cstdint>
#include <memory>

#include "conduits/core/transport/conduit.hpp"

namespace upcr {

struct FaultOptions {
  unsigned delay = 0;         // a request is sent after up to so many polls
  std::uint64_t reorder = 0;  // not 0: requests are sent in a random order, with this seed
  unsigned refuse = 0;        // not 0: every n-th request, put, get and atomic is refused
  bool am_only = false;       // hides the inner conduit's remote memory access
  bool late_puts =
      false;  // hides it too, but for puts, which read their source some polls later (late_puts.hpp)
  // Not 0: flips a bit of the n-th packet that leaves the process (flip.h).
  std::uint64_t flip_packet = 0, flip_bit = 0;

  // Parses any of "delay=20,reorder=7,refuse=5,amonly,lateputs,flip=100:37". False: `text` is something else.
  static bool parse(const char* text, FaultOptions* options);
};

std::unique_ptr<Conduit> wrap_in_faults(std::unique_ptr<Conduit> inner, const FaultOptions& options);

// Wraps the conduit as UPCR_FAULT says; returns the conduit itself if it is unset.
std::unique_ptr<Conduit> wrap_in_configured_faults(std::unique_ptr<Conduit> inner);

}  // namespace upcr
