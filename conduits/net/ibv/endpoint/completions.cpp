// SPDX-License-Identifier: BSD-3-Clause
// What work requests leave behind when they are over: operations that complete, room in the queues, and
// failures in words. On the polling thread, under the lock.
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/net/ibv/endpoint/conduit.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"

namespace upcr::ibv {

void IbvConduit::take(const ibv_wc& wc, DeviceQueues& queues, OptionalGuard& guard) {
  if (wc.status != IBV_WC_SUCCESS) return failed(wc, queues);
  if (tag_of(wc.wr_id) == WorkRequestTag::kOperation)
    complete(*pointer_of<Operation>(wc.wr_id));
  else
    take_packet(pointer_of<ReceiveBuffer>(wc.wr_id), wc, queues, guard);
}

void IbvConduit::complete(Operation& op) {
  if (op.what == What::kHello) return;  // has room of its own
  Link& link = *op.link;
  if (!counts_apart(op)) link.queues->release_room(link.queue.retire(op.number));
  if (op.what == What::kFlush)
    finish_flush(link);
  else
    finish(op);
}

void IbvConduit::finish(Operation& op) {
  if (counts_apart(op)) {
    op.link->queue.retire_unordered();
    op.link->queues->release_room(1);
  }
  switch (op.what) {
    case What::kMessage:
      if (op.buffer != nullptr) sends_.give(op.buffer);
      break;
    case What::kPut:
    case What::kGet:
    case What::kAtomic:
      if (op.buffer != nullptr) {
        if (op.destination != nullptr) atomic_copy(op.destination, op.buffer, op.bytes);
        bounces_for(op.bytes).give(op.buffer);
      }
      if (op.registration != nullptr) memory_.unpin(op.registration);
      if (op.local != nullptr) op.local->complete();
      op.done->complete();
      break;
    case What::kFlush:
    case What::kHello:
      break;
  }
  op.link->queues->operation_ended();
  operations_.give(&op);
}

void IbvConduit::finish_flush(Link& link) {
  if (!link.flush.flushed([this](Operation* write) { finish(*write); })) return;
  ibv_sge piece;
  ibv_send_wr read;
  prepare_flush(link, &read, &piece);
  post(link, read);
}

namespace {

const char* name_of(What what) {
  switch (what) {
    case What::kMessage:
      return "a message";
    case What::kPut:
      return "a put";
    case What::kGet:
      return "a get";
    case What::kAtomic:
      return "an atomic operation";
    case What::kFlush:
      return "the read that completes puts";
    case What::kHello:
      return "the first packet";
  }
  return "an operation";
}

// What the status means to somebody who cannot look inside.
std::string meaning_of(ibv_wc_status status) {
  switch (status) {
    case IBV_WC_RETRY_EXC_ERR:
    case IBV_WC_RESP_TIMEOUT_ERR:
      return "nothing has acknowledged it for UPCR_IBV_TIMEOUT=" +
             std::to_string(config_int("UPCR_IBV_TIMEOUT")) +
             " seconds: the process or the host there has gone, or the network on the way loses everything; "
             "a network "
             "that pauses for longer needs a larger UPCR_IBV_TIMEOUT";
    case IBV_WC_RNR_RETRY_EXC_ERR:
      return "it has no receive buffer, which should not be; are all processes the same upcr?";
    case IBV_WC_WR_FLUSH_ERR:
      return "the connection is broken; its process has ended, or an earlier error says why";
    case IBV_WC_REM_ACCESS_ERR:
    case IBV_WC_REM_INV_REQ_ERR:
    case IBV_WC_REM_OP_ERR:
    case IBV_WC_REM_INV_RD_REQ_ERR:
    case IBV_WC_REM_ABORT_ERR:
      return "the device there refuses it: memory that is not registered, or less than was asked for";
    case IBV_WC_LOC_LEN_ERR:
    case IBV_WC_LOC_PROT_ERR:
    case IBV_WC_LOC_ACCESS_ERR:
      return "the device here refuses it: memory that is not registered or has been unmapped, or too much of "
             "it";
    case IBV_WC_LOC_QP_OP_ERR:
      return "the device here cannot do it: its port has lost its link, or memory is not registered or has "
             "been unmapped";
    case IBV_WC_FATAL_ERR:
    case IBV_WC_GENERAL_ERR:
      return "the device or its driver has failed; the kernel's log may say more";
    default:
      return "the kernel's log may say more";
  }
}

}  // namespace

// Of links that are not in use any more, or not yet, all that was posted comes back as failed.
void IbvConduit::failed(const ibv_wc& wc, DeviceQueues& queues) {
  if (connection_events_.any()) (void)take_connection_events();
  const WorkRequestTag what = tag_of(wc.wr_id);
  Operation* op = nullptr;
  Link* link;
  if (what == WorkRequestTag::kReceive) {
    auto* buffer = pointer_of<ReceiveBuffer>(wc.wr_id);
    link = buffer->link != nullptr ? buffer->link : link_of(queues, wc.qp_num);
    if (buffer->link == nullptr)
      (void)queues.receives().post(buffer);
    else
      --link->receives_out;
  } else if (what == WorkRequestTag::kOperation) {
    op = pointer_of<Operation>(wc.wr_id);
    link = op->link;
  } else {
    link = pointer_of<Link>(wc.wr_id);
  }
  if (link == nullptr || closing_.load(std::memory_order_relaxed)) return;
  if (!link->ready) return note_return(*link);
  if (link->broken) return;  // what was behind the first failure comes back, too
  link->broken = true;
  const bool waited = wc.status == IBV_WC_RETRY_EXC_ERR || wc.status == IBV_WC_RESP_TIMEOUT_ERR;
  connections_.broken(link->connection.peer, words_for(wc, *link, op), waited);
}

std::string IbvConduit::words_for(const ibv_wc& wc, const Link& link, const Operation* op) const {
  const Rank peer = link.connection.peer;
  char what[64] = "a message";
  if (op != nullptr && op->bytes != 0)
    std::snprintf(what, sizeof what, "%s of %u bytes", name_of(op->what), op->bytes);
  else if (op != nullptr)
    std::snprintf(what, sizeof what, "%s", name_of(op->what));
  const char* direction = op == nullptr && tag_of(wc.wr_id) == WorkRequestTag::kReceive ? "from" : "to";
  if (op != nullptr && op->what == What::kGet) direction = "from";
  return std::string(what) + " " + direction + " " + connections_.name_of(peer) + " failed on " +
         link.queues->device().name() + ": " + ibv_wc_status_str(wc.status) + " (status " +
         std::to_string(static_cast<int>(wc.status)) + "): " + meaning_of(wc.status);
}

// The device knows already that the connection is broken.
void IbvConduit::refused(Link& link, int error) {
  if (link.broken) return;
  link.broken = true;
  const Rank peer = link.connection.peer;
  connections_.broken(peer, std::string(link.queues->device().name()) +
                                " takes no work for the connection to " + connections_.name_of(peer) + ": " +
                                std::strerror(error));
}

}  // namespace upcr::ibv
