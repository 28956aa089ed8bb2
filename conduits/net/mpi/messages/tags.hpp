// SPDX-License-Identifier: BSD-3-Clause
// MPI tags. The conduit's messages travel on communicators of its own.
#pragma once
#include "conduits/net/mpi/messages/rendezvous_table.hpp"

namespace upcr::mpi {

inline constexpr int kPacketTag = 1;
// Of the data of a large transfer, by its index at the process that has started it.
constexpr int put_tag(unsigned index) noexcept { return static_cast<int>(index); }
constexpr int get_tag(unsigned index) noexcept { return static_cast<int>(kMaxRendezvous + index); }

}  // namespace upcr::mpi
