// SPDX-License-Identifier: BSD-3-Clause
// The smp conduit: active messages between processes of one host, through lock-free rings in the host's
// memory (core/transport/rings/rings.hpp), which the engine uses directly. It has no remote memory access:
// segments of other processes are mapped (core/memory/segment.hpp), and where they are not (UPCR_PSHM=no)
// core/rma sends messages.
//
// Order: packets between two processes keep their order within requests and within replies.
// Memory for each pair of processes and direction: two rings (requests, replies) of kRingBytes, only address
// space until used.
#pragma once
#include <memory>

#include "conduits/core/transport/conduit.hpp"

namespace upcr {

std::unique_ptr<Conduit> make_smp_conduit();

}  // namespace upcr
