// SPDX-License-Identifier: BSD-3-Clause
// The other end of a connection, and messages into its receives. Under the fabric's mutex.
#pragma once
#include <infiniband/verbs.h>
#include <sys/uio.h>

#include <span>

#include "tests/ibv/emulated/requests/execute.hpp"

namespace emulated {

inline constexpr std::size_t kHeaderBytes = 40;  // of a datagram: the global header

// What a request reaches: for XRC the shared receive queue that it names decides whose memory it is.
struct Responder {
  QueuePair* qp = nullptr;
  SharedReceiveQueue* srq = nullptr;
  std::uint32_t pd = 0;
  std::uint16_t process = 0;
  std::uint32_t cq = 0;

  const ReceiveRing& receives() const noexcept { return srq != nullptr ? srq->receives : qp->receives; }
};

// Its receives, and where they complete. False if the shared receive queue of the request is none of its
// domain.
bool find_responder(Fabric& fabric, QueuePair& qp, const Request& request, Responder* responder);
// The queue pair of the other end, if it answers; null otherwise.
QueuePair* find_peer(Fabric& fabric, const QueuePair& from);

// `data` of this process, or nothing for a write with immediate data whose `bytes` have been written.
Outcome deliver(Fabric& fabric, const Responder& to, const QueuePair& from, const Request& request,
                std::span<const iovec> data);
// A datagram: `data` begins with the global header, which a receive has room for in any case. It gets lost if
// there is no receive that it fits into. `port`: that of the sender.
void deliver_datagram(Fabric& fabric, const Responder& to, const QueuePair& from, const Request& request,
                      std::span<const iovec> data, const Port& port);
// The other end refuses a request: its queue pair fails as well.
Outcome refuse(Fabric& fabric, QueuePair* qp, ibv_wc_status status);
// There is no receive for the request.
Outcome not_ready(Fabric& fabric, const Responder& to);
// What a failed copy means for the request.
Outcome not_copied(Fabric& fabric, const Responder& to, bool dead, bool own_fault);

}  // namespace emulated
