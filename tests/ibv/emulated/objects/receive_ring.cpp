// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/objects/receive_ring.hpp"

#include <algorithm>
#include <cerrno>

namespace emulated {
namespace {

std::size_t bytes_of_receive(const ReceiveRing& ring) {
  return sizeof(Receive) + (std::max(ring.max_sge, 1U) - 1) * sizeof(ibv_sge);
}

Receive* nth(Fabric& fabric, const ReceiveRing& ring, std::uint64_t n) {
  return fabric.at<Receive>(ring.ring + n % ring.capacity * bytes_of_receive(ring));
}

}  // namespace

bool open_ring(Fabric& fabric, ReceiveRing* ring, std::uint32_t capacity, std::uint32_t max_sge) {
  *ring = ReceiveRing{};
  ring->max_sge = max_sge;
  if (capacity == 0) return true;
  ring->ring = fabric.shared().heap.allocate(capacity * bytes_of_receive(*ring), fabric.base());
  if (ring->ring == 0) return false;
  ring->capacity = capacity;
  return true;
}

void close_ring(Fabric& fabric, ReceiveRing* ring) {
  fabric.shared().heap.release(ring->ring, ring->capacity * bytes_of_receive(*ring), fabric.base());
  *ring = ReceiveRing{};
}

int post(Fabric& fabric, ReceiveRing* ring, const ibv_recv_wr& request) {
  if (request.num_sge < 0 || static_cast<std::uint32_t>(request.num_sge) > ring->max_sge) return EINVAL;
  if (ring->held >= ring->capacity) return ENOMEM;
  Receive* to = nth(fabric, *ring, ring->tail);
  to->id = request.wr_id;
  to->pieces = static_cast<std::uint32_t>(request.num_sge);
  std::copy_n(request.sg_list, request.num_sge, to->piece);
  ++ring->tail;
  ++ring->held;
  return 0;
}

Receive* front(Fabric& fabric, const ReceiveRing& ring) {
  return ring.head == ring.tail ? nullptr : nth(fabric, ring, ring.head);
}

}  // namespace emulated
