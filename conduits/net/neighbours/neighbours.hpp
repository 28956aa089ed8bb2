// SPDX-License-Identifier: BSD-3-Clause
// Gives a conduit of a network the rings of conduit smp: active messages between processes of one window
// group go through shared memory, whatever the network, and the conduit has the others. Where the bypass is
// off (UPCR_PSHM=no), and in jobs of one process, it does nothing.
//
// Order: all messages between two processes go the same way, so it is that of the rings between neighbours,
// and the network's between all others.
//
// Where all processes of a job are in one window group no message needs the network: threads wait as over
// conduit smp, and remote access goes by messages where memory is not mapped. The network serves only remote
// access of programs that may name any address (AttachInfo::everything).
#pragma once
#include <memory>

#include "conduits/core/transport/conduit.hpp"

namespace upcr {

// Returns `conduit` itself if it has rings of its own.
std::unique_ptr<Conduit> with_rings_to_neighbours(std::unique_ptr<Conduit> conduit);

}  // namespace upcr
