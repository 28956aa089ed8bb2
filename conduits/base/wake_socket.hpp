// SPDX-License-Identifier: BSD-3-Clause
// Wakes a thread that sleeps in poll(): a datagram socket without a place in any file system, whose name
// follows from a number. Who knows the number, from shared memory, can wake; nothing has to be handed over.
// A stranger's datagram is one look in vain. Part of the doorbell (futex.hpp). Any thread.
#pragma once
#include <cstdint>

namespace upcr {

// A socket to poll and the number that names it; false: there is none to be had.
bool open_wake_socket(int* socket, std::uint64_t* name) noexcept;
// Makes the socket of that name readable until it is emptied.
void send_wake(std::uint64_t name) noexcept;
void empty_wake_socket(int socket) noexcept;

}  // namespace upcr
