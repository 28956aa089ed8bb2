// SPDX-License-Identifier: BSD-3-Clause
// What a process over conduit ibv has for each process of the job from the start, connected or not, beside
// the tables that the processes of a host share (Directory, keys). No verbs here.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "conduits/core/transport/credited/pending_ack_list.hpp"
#include "conduits/net/ibv/connect/connect_state_machine.hpp"

namespace upcr::ibv {

struct ConnectLink;
struct Link;

// Of the service thread (service.hpp). The last one, a list, stays untouched until so many connections are
// asked for at once.
inline constexpr std::size_t kServiceBytesPerPeer = sizeof(ConnectStateMachine) +
                                                    sizeof(std::unique_ptr<ConnectLink>) +
                                                    2 * sizeof(std::atomic<bool>) + sizeof(Rank);
inline constexpr std::size_t kServiceUntouched = sizeof(Rank);
// Of the data path: the links (endpoint/link_table.hpp), and the list of pending acknowledgements.
inline constexpr std::size_t kLinkBytesPerPeer = sizeof(Link*) + sizeof(std::uint8_t);
inline constexpr std::size_t kBytesPerPeer =
    kServiceBytesPerPeer + kLinkBytesPerPeer + PendingAckList::kBytesPerPeer;
inline constexpr std::size_t kUntouchedPerPeer = kServiceUntouched + PendingAckList::kUntouched;
static_assert(kBytesPerPeer <= 64);

}  // namespace upcr::ibv
