// SPDX-License-Identifier: BSD-3-Clause
// Queue pairs: reliable connections, datagrams, and the two ends of XRC.
#pragma once
#include <infiniband/verbs.h>

#include <deque>

#include "tests/ibv/emulated/fabric/fabric.hpp"
#include "tests/ibv/emulated/objects/request.hpp"
#include "tests/ibv/emulated/objects/xrc.hpp"

namespace emulated {

// All but the base under the fabric's mutex.
struct QueuePairHandle : ibv_qp {
  DomainHandle* domain = nullptr;  // of an XRC target
  std::uint32_t events = 0;        // that the program has got
  std::deque<Request> pending;     // of the send queue: not executed yet
  // While the first of them waits (retry.hpp), times in nanoseconds:
  bool waits = false;
  std::int64_t waits_since = 0, retry_at = 0;
  unsigned not_ready = 0;  // answers of that kind so far
  std::uint64_t requests = 0;

  void init(ibv_context* from, QueuePair& qp);
};

// Under the mutex.
QueuePair* entry_of(Fabric& fabric, const ibv_qp* qp);
// To the error state: its posted receives complete as flushed. Requests of its send queue follow when its
// process looks at it (requests/post.hpp).
void set_error(Fabric& fabric, QueuePair* qp);
void flush_receives(Fabric& fabric, QueuePair* qp);
void release(Fabric& fabric, QueuePair& qp);
// Gives an XRC target back if no process has it open any more.
void release_unheld(Fabric& fabric, QueuePair& qp);

// The entry of verbs_context.
ibv_qp* create_qp_ex(ibv_context* context, ibv_qp_init_attr_ex* attributes);

}  // namespace emulated
