// SPDX-License-Identifier: BSD-3-Clause
// Named pipes by which any process of the fabric tells another one of events: completion channels and
// asynchronous events, file descriptors that poll() waits for.
#pragma once
#include <cstdint>

#include "tests/ibv/emulated/fabric/fabric.hpp"

namespace emulated {

struct Event {
  std::uint32_t type = 0;     // ibv_event_type; of a completion channel 0
  std::uint32_t element = 0;  // the identifier of the queue, or the number of the port
};

// Under the fabric's mutex. Sets *fd to the end that is read, which blocks. 0 if there is none, with errno.
std::uint32_t open_channel(Fabric& fabric, int* fd);
void close_channel(Fabric& fabric, std::uint32_t channel, int fd);
// Without waiting: an event for which the pipe has no room is lost, and a warning is printed.
void tell(Fabric& fabric, std::uint32_t channel, const Event& event);
void tell_context(Fabric& fabric, std::uint32_t context, ibv_event_type type, std::uint32_t element);

// Without the mutex. Waits unless the descriptor is O_NONBLOCK. False with errno.
bool next_event(int fd, Event* event);

}  // namespace emulated
