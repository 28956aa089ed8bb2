// SPDX-License-Identifier: BSD-3-Clause
// What a process over conduit ofi has for each process of the job, beside what libfabric keeps. No libfabric
// here.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/transport/credited/pending_ack_list.hpp"
#include "conduits/net/ofi/fabric/greeting.hpp"
#include "conduits/net/ofi/messages/peer.hpp"

namespace upcr::ofi {

inline constexpr std::size_t kBytesPerPeer =
    sizeof(Peer) + kAddressBytesPerPeer + PendingAckList::kBytesPerPeer;
inline constexpr std::size_t kUntouchedPerPeer = kAddressBytesPerPeer + PendingAckList::kUntouched;
static_assert(kBytesPerPeer <= 64);

// Once for each host: greetings and names, the keys of segments, and whether all of them are registered.
using Key = std::uint64_t;
constexpr std::size_t keys_of_process(std::size_t slots) noexcept { return slots + 1; }
inline constexpr std::size_t kSharedBytesPerPeer =
    sizeof(Greeting) + kIpv4NameBytes + keys_of_process(1) * sizeof(Key);

}  // namespace upcr::ofi
