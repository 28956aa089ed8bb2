// SPDX-License-Identifier: BSD-3-Clause
// MPI tags. The conduit's messages travel on communicators of its own.
#pragma once
#include "conduits/net/mpi/messages/rendezvous_table.hpp"

namespace upcr::mpi {

inline constexpr int kPacketTag = 1;
// On the data's communicator, with the initiator's slot: of a put towards the target, of a get back.
constexpr int put_tag(unsigned slot) noexcept { return static_cast<int>(slot); }
constexpr int get_tag(unsigned slot) noexcept { return static_cast<int>(kMaxRendezvous + slot); }

}  // namespace upcr::mpi
