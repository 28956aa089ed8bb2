// SPDX-License-Identifier: BSD-3-Clause
// Posts work requests to the send queues of queue pairs, and counts them there, in the completion queue and
// as operations until they are complete.
//
// Threads: under the conduit's lock, but for open().
#pragma once
#include <infiniband/verbs.h>

#include <cstddef>

#include "conduits/net/ibv/connect/connections.hpp"
#include "conduits/net/ibv/queues/device_queues.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"
#include "conduits/net/ibv/queues/link.hpp"
#include "conduits/net/ibv/queues/operations.hpp"

namespace upcr::ibv {

// Room that only the polling thread may use: for the reply to the request that it processes.
inline constexpr unsigned kReplyReserve = 1;

class SendPath {
 public:
  void open(Connections& connections, bool iwarp) {
    connections_ = &connections;
    iwarp_ = iwarp;
  }
  bool iwarp() const noexcept { return iwarp_; }

  // For one more work request that is not the reply to the request being processed.
  bool has_room(const Link& link) const noexcept {
    return link.queue.room() > kReplyReserve && link.completions->room() > kReplyReserve && !link.broken;
  }
  bool has_room_for_reply(const Link& link) const noexcept {
    return link.queue.room() != 0 && link.completions->room() != 0 && !link.broken;
  }

  // An operation of a work request that is posted next. Not without room.
  Operation* begin(Link& link, OperationKind kind) noexcept { return operations_.acquire(&link, kind); }
  // Posts a signalled work request.
  void post_signalled(Link& link, ibv_send_wr& request, Operation* op) {
    count(link, op);
    request.wr_id = identifier(op);
    request.send_flags |= IBV_SEND_SIGNALED;
    post(link, request);
  }
  // Posts one that need not: its completion is known by that of a later one. False: not this time, post it
  // signalled.
  bool post_unsignalled(Link& link, ibv_send_wr& request) {
    if (link.queue.needs_signal() || link.completions->is_nearly_full()) return false;
    request.wr_id = identifier(&link);
    (void)link.queue.post(false);
    link.completions->use_room();
    post(link, request);
    return true;
  }
  // The two halves of post_signalled(), for work requests that are posted together.
  void count(Link& link, Operation* op) noexcept {
    if (completes_unordered(*op))
      link.queue.post_unordered();
    else
      op->number = link.queue.post(true);
    link.completions->use_room();
    link.queues->operation_started();
  }
  void post(Link& link, ibv_send_wr& first) {
    ibv_send_wr* bad = nullptr;
    const int error = ibv_post_send(link.connection.qp, &first, &bad);
    if (error != 0) refused(link, error);
  }

  // The completion of an operation's work request has arrived: it, and those before it, have left the queues.
  void retire(const Operation& op) noexcept {
    if (!completes_unordered(op)) op.link->completions->release_room(op.link->queue.retire(op.number));
  }
  // The operation is complete, and its user has finished with it.
  void end(Operation& op) noexcept {
    if (completes_unordered(op)) {
      op.link->queue.retire_unordered();
      op.link->completions->release_room(1);
    }
    op.link->queues->operation_ended();
    operations_.release(&op);
  }

  // The device does not accept work for the link: its connection is broken.
  [[gnu::cold]] void refused(Link& link, int error);

 private:
  // On iWARP, what moves data completes in an order of its own (queues/send_queue.hpp).
  bool completes_unordered(const Operation& op) const noexcept {
    return iwarp_ && (op.kind == OperationKind::kPut || op.kind == OperationKind::kGet ||
                      op.kind == OperationKind::kAtomic);
  }

  Connections* connections_ = nullptr;
  Operations operations_;
  bool iwarp_ = false;
};

}  // namespace upcr::ibv
