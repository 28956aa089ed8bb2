// SPDX-License-Identifier: BSD-3-Clause
// The smp conduit: processes of one host, active messages through lock-free rings in the host's memory
// (core/am/rings.hpp), which the engine uses directly.
// Remote memory access is not its business: neighbours' segments are mapped (core/memory/segment), and with
// the bypass off (UPCR_PSHM=no) core/rma uses these messages.
//
// Packets between two processes keep their order within requests and within replies.
// Memory per pair of processes and direction: two rings (requests, replies) of kRingBytes each, address
// space only until used.
#pragma once
#include <memory>

#include "conduits/core/transport/conduit.hpp"

namespace upcr {

std::unique_ptr<Conduit> make_smp_conduit();

}  // namespace upcr
