// SPDX-License-Identifier: BSD-3-Clause
// Posts work requests to the send queues of queue pairs, and counts them there, in their part of the
// completion queue and as operations until they are complete. There may be several send paths, each for some
// of the peers (send_paths.hpp).
//
// One completion for many: a put that one of the same run will follow need not be signalled. The completion
// of the next signalled request on that link, whatever it is, is that of the puts before it. One of
// kMostRequests is signalled; behind the last ones of a run poll() posts an empty write that is
// (signal_last()). So what waits for puts has to poll, and may sleep when needs_poll() is false.
//
// One doorbell for many: requests that the thread that began a batch (begin_batch()) starts in it are posted
// by one call of ibv_post_send, the last of them signalled; what is posted to the same peer by any other way
// takes along those that wait.
//
// With XRC each request names the peer's shared receive queue; elsewhere nothing looks at that field.
//
// Threads: under lock(), which is that of the links and their send queues as well, but for open(),
// waits_for_poll() and index(). It is held while the device is given a request, so requests of a link are
// posted in the order of their numbers. Behind one that the device has refused none is posted: its completion
// would be taken for that of the refused one.
#pragma once
#include <infiniband/verbs.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/net/ibv/connect/connections.hpp"
#include "conduits/net/ibv/queues/completion_queue.hpp"
#include "conduits/net/ibv/queues/device_queues.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"
#include "conduits/net/ibv/queues/link.hpp"
#include "conduits/net/ibv/queues/operations.hpp"
#include "conduits/net/ibv/queues/request_batch.hpp"
#include "conduits/net/ibv/sending/unsignalled_links.hpp"

namespace upcr::ibv {

// Room that only the polling thread may use: for the reply to the request that it processes.
inline constexpr unsigned kReplyReserve = 1;

class alignas(64) SendPath {
 public:
  // `siw`: iWARP in the kernel's software.
  void open(Connections& connections, bool iwarp, bool siw, unsigned index) noexcept {
    connections_ = &connections;
    iwarp_ = iwarp;
    siw_ = siw;
    index_ = index;
  }
  // Taken by who calls the other functions, where the process has several threads. Under it no other lock of
  // a conduit or a path is waited for.
  SpinLock& lock() noexcept { return lock_; }
  unsigned index() const noexcept { return index_; }  // of all paths of the process
  bool iwarp() const noexcept { return iwarp_; }

  // For one more work request that is not the reply to the request being processed. `beside`: how many others
  // will be posted with it on links of the same room.
  bool has_room(const Link& link, unsigned beside = 0) const noexcept {
    return link.queue.room() > kReplyReserve && link.room->room() > kReplyReserve + beside && !link.broken &&
           !link.discarded;
  }
  bool has_room_for_reply(const Link& link) const noexcept {
    return link.queue.room() != 0 && link.room->room() != 0 && !link.broken;
  }

  // An operation of a work request that is posted next. Not without room.
  Operation* begin(Link& link, OperationKind kind) noexcept { return operations_.acquire(&link, kind); }
  // Posts a signalled work request.
  void post_signalled(Link& link, ibv_send_wr& request, Operation* op) {
    count(link, op, true);
    request.wr_id = identifier(op);
    request.send_flags |= IBV_SEND_SIGNALED;
    post(link, request);
  }
  // Posts one of an operation that others will follow, so that it need not be signalled. Not on iWARP.
  void post_in_run(Link& link, ibv_send_wr& request, Operation* op) {
    if (!may_be_unsignalled(link)) return post_signalled(link, request, op);
    count(link, op, false);
    request.wr_id = identifier(op);
    post(link, request);
  }
  // Posts one of an operation together with others of its batch, if there is one, and soon enough otherwise.
  void post_in_batch(Link& link, ibv_send_wr& request, Operation* op) {
    if (!can_keep(link, request) || !may_be_unsignalled(link)) return post_signalled(link, request, op);
    count(link, op, false);
    request.wr_id = identifier(op);
    keep(link, request);
  }
  // Posts one without an operation that need not be signalled. False: not this time, post it signalled.
  bool post_unsignalled(Link& link, ibv_send_wr& request) {
    if (link.queue.needs_signal() || link.room->is_nearly_full()) return false;
    request.wr_id = identifier(&link);
    (void)link.queue.post(false);
    link.room->use();
    post(link, request);
    return true;
  }
  // The two halves of post_signalled(), for work requests that are posted together.
  void count(Link& link, Operation* op, bool signalled) noexcept {
    if (completes_unordered(*op)) {
      link.queue.post_unordered();
    } else {
      op->number = link.queue.post(signalled);
      if (is_covered(*op)) link.covered.add(op);
      if (!signalled) {
        unsignalled_.add(link);
        link.patience = kPatience;
      } else if (__builtin_expect(link.unsignalled != 0, 0)) {
        unsignalled_.remove(link);
      }
    }
    link.room->use();
    link.room->operation_started();
  }
  void post(Link& link, ibv_send_wr& first) {
    first.qp_type.xrc.remote_srqn = link.connection.remote_srq;
    const bool behind = __builtin_expect(!batch_.empty(), 0) && batch_link_ == &link;
    give(link, behind ? batch_.take(&first) : first);
  }

  // As Conduit::begin_batch() and end_batch(). One batch of a path at a time: what is started for one
  // that another one, of this thread or another, has ended is posted at once.
  void begin_batch(Rank peer) {
    post_batch();
    batch_peer_ = peer;
    batch_owner_ = this_thread();
  }
  void end_batch(Rank peer) {
    if (!is_batch_of(peer)) return;
    post_batch();
    batch_peer_ = kNobody;
  }
  // Is there a batch of the calling thread and this link's peer?
  bool is_batched(const Link& link) const noexcept { return is_batch_of(link.rank); }
  // Keeps a request that has been counted in the batch, where there is room for it.
  void keep(Link& link, const ibv_send_wr& request) noexcept {
    batch_.add(request).qp_type.xrc.remote_srqn = link.connection.remote_srq;
    batch_link_ = &link;
  }
  bool can_keep(const Link& link, const ibv_send_wr& request) const noexcept {
    return is_batched(link) && batch_.has_room_for(request);
  }
  // Posts what waits; in poll() before anything else.
  void post_batch() {
    if (__builtin_expect(!batch_.empty(), 0)) post_kept();
  }

  // Is needs_poll() to be asked? Any thread.
  bool waits_for_poll() const noexcept { return !batch_.empty() || !unsignalled_.empty(); }
  // Requests wait in a batch, or the last operations of a run have been posted without a signal: poll() is to
  // be called until both is over.
  bool needs_poll() const noexcept {
    return !batch_.empty() || unsignalled_.any_of([this](const Link& link) { return has_room(link); });
  }
  // In poll(), which is `idle` if it has found nothing: posts that. Not at once, so that a program that polls
  // between its puts goes on with its run: at the second idle poll, or at the eighth of a busy process, since
  // the last of those operations on the link. Puts on other links do not delay it.
  void signal_last(bool idle) {
    const std::uint8_t step = idle ? kPatience / 2 : 1;
    unsignalled_.for_each([this, step](Link& link) {
      link.patience -= std::min(link.patience, step);
      if (link.patience == 0 && has_room(link)) post_signal(link);
    });
  }

  // The completion of an operation's work request has arrived: it, and those before it, have left the queues.
  // Calls over(op) for each operation that is complete now.
  template <typename Over>
  void retire(Operation& op, Over&& over) noexcept {
    if (completes_unordered(op)) return over(&op);
    Link& link = *op.link;
    const bool is_last = is_covered(op);  // else it is not in the queue
    const std::uint16_t number = op.number;
    link.room->release(link.queue.retire(number));
    link.covered.complete(number, over);
    if (!is_last) over(&op);
  }
  // The operation is complete, and its user has finished with it.
  void end(Operation& op) noexcept {
    if (completes_unordered(op)) {
      op.link->queue.retire_unordered();
      op.link->room->release(1);
    }
    op.link->room->operation_ended();
    operations_.release(&op);
  }

  // The device does not accept work for the link: its connection is broken.
  [[gnu::cold]] void refused(Link& link, int error);

 private:
  static constexpr std::uint8_t kPatience = 8;  // polls until the last operations of a link are signalled
  static constexpr Rank kNobody = ~Rank{0};

  // Another address in each thread.
  static const void* this_thread() noexcept {
    static thread_local char mark;
    return &mark;
  }
  bool is_batch_of(Rank peer) const noexcept { return batch_peer_ == peer && batch_owner_ == this_thread(); }
  static bool moves_data(const Operation& op) noexcept {
    return op.kind == OperationKind::kPut || op.kind == OperationKind::kGet ||
           op.kind == OperationKind::kAtomic;
  }
  // On iWARP, what moves data completes in an order of its own (queues/send_queue.hpp).
  bool completes_unordered(const Operation& op) const noexcept { return iwarp_ && moves_data(op); }
  // Elsewhere it is complete when a later request is.
  bool is_covered(const Operation& op) const noexcept { return !iwarp_ && moves_data(op); }
  bool may_be_unsignalled(const Link& link) const noexcept {
    return link.queue.unsignalled() + 1 < UnsignalledLinks::kMostRequests && !link.queue.needs_signal() &&
           unsignalled_.has_room_for(link, UnsignalledLinks::most(link.room->whole()));
  }
  void post_signal(Link& link);
  [[gnu::noinline]] static int post_by_siw(Link& link, ibv_send_wr& first);
  // Gives requests to the device, but not behind a refused one.
  void give(Link& link, ibv_send_wr& first) {
    if (__builtin_expect(link.has_refused, 0)) return;
    ibv_send_wr* bad = nullptr;
    const int error = __builtin_expect(siw_, 0) ? post_by_siw(link, first)
                                                : ibv_post_send(link.connection.qp, &first, &bad);
    if (__builtin_expect(error != 0, 0)) {
      link.has_refused = true;
      refused(link, error);
    }
  }
  [[gnu::noinline]] void post_kept();

  SpinLock lock_;
  bool iwarp_ = false, siw_ = false;
  unsigned index_ = 0;
  Connections* connections_ = nullptr;
  Rank batch_peer_ = kNobody;
  const void* batch_owner_ = nullptr;  // this_thread() of the thread that began it
  Link* batch_link_ = nullptr;         // of the requests in it
  Operations operations_;
  UnsignalledLinks unsignalled_;
  RequestBatch batch_;
};

}  // namespace upcr::ibv
