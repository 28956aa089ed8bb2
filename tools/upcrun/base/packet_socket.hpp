// SPDX-License-Identifier: BSD-3-Clause
// The launcher's end of the SOCK_SEQPACKET socket that a program inherits.
#pragma once
#include <sys/types.h>

#include <cstddef>

#include "conduits/core/bootstrap/upcrun/wire.hpp"

namespace upcrun {

inline constexpr std::size_t kMaxPacketBytes = sizeof(upcr::wire::Header) + upcr::wire::kChunk;

// Receives one packet and its sender's pid, without blocking. Returns what recv() returns.
ssize_t receive_packet(int fd, char* packet, std::size_t size, pid_t* sender);

}  // namespace upcrun
