// SPDX-License-Identifier: BSD-3-Clause
// Posted receives, of a queue pair or a shared receive queue. Under the fabric's mutex.
#pragma once
#include <infiniband/verbs.h>

#include "tests/ibv/emulated/fabric/fabric.hpp"

namespace emulated {

struct Receive {
  std::uint64_t id;
  std::uint32_t pieces, unused;
  ibv_sge piece[1];  // as many as the ring allows
};

bool open_ring(Fabric& fabric, ReceiveRing* ring, std::uint32_t capacity, std::uint32_t max_sge);
void close_ring(Fabric& fabric, ReceiveRing* ring);
// 0, EINVAL (too many pieces), or ENOMEM: there is room again when a completion has been polled.
int post(Fabric& fabric, ReceiveRing* ring, const ibv_recv_wr& request);
inline std::uint64_t posted(const ReceiveRing& ring) { return ring.tail - ring.head; }
// The next one to be used; null if there is none.
Receive* front(Fabric& fabric, const ReceiveRing& ring);
inline void pop(ReceiveRing* ring) { ++ring->head; }

}  // namespace emulated
