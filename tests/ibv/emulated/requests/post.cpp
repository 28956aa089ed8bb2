// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/requests/post.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tests/ibv/emulated/fabric/settings.hpp"
#include "tests/ibv/emulated/objects/completion_queues.hpp"
#include "tests/ibv/emulated/objects/receive_ring.hpp"
#include "tests/ibv/emulated/objects/retry.hpp"
#include "tests/ibv/emulated/requests/address_handle.hpp"
#include "tests/ibv/emulated/requests/execute.hpp"

namespace emulated {
namespace {

constexpr std::int64_t kMillisecond = 1000000;
constexpr unsigned kForever = 7;  // of rnr_retry

ibv_wc_opcode completion_of(ibv_wr_opcode opcode) {
  switch (opcode) {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
      return IBV_WC_RDMA_WRITE;
    case IBV_WR_RDMA_READ:
      return IBV_WC_RDMA_READ;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
      return IBV_WC_COMP_SWAP;
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
      return IBV_WC_FETCH_ADD;
    default:
      return IBV_WC_SEND;
  }
}

// InfiniBand's encoding, in hundredths of a millisecond.
std::int64_t not_ready_time(std::uint8_t timer) {
  static const std::uint32_t hundredths[32] = {
      65536, 1,   2,   3,   4,    6,    8,    12,   16,   24,   32,   48,    64,    96,    128,   192,
      256,   384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
  return hundredths[timer & 31] * (kMillisecond / 100);
}

// Until a request that nothing answers fails; 0: it never does.
std::int64_t patience(const ibv_qp_attr& attr) {
  if (attr.timeout == 0) return 0;
  return (std::int64_t{4096} << attr.timeout) * (attr.retry_cnt + 1);
}

void complete(Fabric& fabric, const QueuePair& qp, const Request& request, ibv_wc_status status) {
  if (status == IBV_WC_SUCCESS && !request.signalled) return;
  Completion done;
  done.sequence = request.sequence;
  done.queue_pair = done.wc.qp_num = qp.id;
  done.wc.wr_id = request.id;
  done.wc.status = status;
  done.wc.opcode = completion_of(request.opcode);
  if (!request.is_send() && !request.is_write()) done.wc.byte_len = static_cast<std::uint32_t>(request.bytes);
  add(fabric, fabric.shared().cqs.find(qp.send_cq), done, false);
}

// True if the first request has to wait; false: its status is in *outcome.
bool has_to_wait(QueuePairHandle* handle, const QueuePair& qp, Outcome* outcome) {
  const std::int64_t now = now_ns();
  if (outcome->answer == Answer::kNone) {
    if (handle->waits_since == 0) handle->waits_since = now;
    const std::int64_t limit = patience(qp.attr);
    if (limit == 0 || now - handle->waits_since < limit) {
      handle->retry_at = now + kMillisecond;
      return true;
    }
    *outcome = {Answer::kDone, IBV_WC_RETRY_EXC_ERR};
  } else if (outcome->answer == Answer::kNotReady) {
    handle->waits_since = 0;
    if (qp.attr.rnr_retry == kForever || handle->not_ready < qp.attr.rnr_retry) {
      ++handle->not_ready;
      handle->retry_at = now + not_ready_time(outcome->not_ready_timer);
      return true;
    }
    *outcome = {Answer::kDone, IBV_WC_RNR_RETRY_EXC_ERR};
  }
  return false;
}

bool allows(ibv_qp_type type, ibv_wr_opcode opcode) {
  if (opcode == IBV_WR_SEND || opcode == IBV_WR_SEND_WITH_IMM) return true;
  if (type != IBV_QPT_RC && type != IBV_QPT_XRC_SEND) return false;
  switch (opcode) {
    case IBV_WR_RDMA_WRITE:
    case IBV_WR_RDMA_WRITE_WITH_IMM:
    case IBV_WR_RDMA_READ:
      return true;
    case IBV_WR_ATOMIC_CMP_AND_SWP:
    case IBV_WR_ATOMIC_FETCH_AND_ADD:
      return settings().atomics != IBV_ATOMIC_NONE;
    default:
      return false;
  }
}

// 0 or an errno: what a driver refuses before it gives the request to the device.
int check(const QueuePair& qp, const ibv_send_wr& wr) {
  if (qp.state != IBV_QPS_RTS && qp.state != IBV_QPS_ERR) return EINVAL;
  if (qp.type == IBV_QPT_XRC_RECV || !allows(qp.type, wr.opcode)) return EINVAL;
  if (wr.num_sge < 0 || static_cast<std::uint32_t>(wr.num_sge) > qp.cap.max_send_sge) return EINVAL;
  if (qp.posted - qp.retired >= qp.cap.max_send_wr) return ENOMEM;
  if ((wr.send_flags & IBV_SEND_INLINE) == 0) return 0;
  if (wr.opcode == IBV_WR_RDMA_READ || wr.opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
      wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD)
    return EINVAL;
  std::uint64_t bytes = 0;
  for (int i = 0; i < wr.num_sge; ++i) bytes += wr.sg_list[i].length;
  return bytes <= qp.cap.max_inline_data ? 0 : EINVAL;
}

Request copy_of(const QueuePair& qp, const ibv_send_wr& wr) {
  Request r;
  r.id = wr.wr_id;
  r.opcode = wr.opcode;
  r.signalled = qp.signal_all || (wr.send_flags & IBV_SEND_SIGNALED) != 0;
  r.solicited = (wr.send_flags & IBV_SEND_SOLICITED) != 0;
  r.immediate = wr.imm_data;
  r.pieces.assign(wr.sg_list, wr.sg_list + wr.num_sge);
  for (const ibv_sge& piece : r.pieces) r.bytes += piece.length;
  r.has_inline = (wr.send_flags & IBV_SEND_INLINE) != 0;
  if (r.has_inline)
    for (const ibv_sge& piece : r.pieces) {
      const auto* data = reinterpret_cast<const char*>(piece.addr);
      r.inline_data.insert(r.inline_data.end(), data, data + piece.length);
    }
  if (qp.type == IBV_QPT_UD) {
    r.path = static_cast<const AddressHandle*>(wr.wr.ud.ah)->attributes;
    r.queue_pair = wr.wr.ud.remote_qpn;
    r.queue_key = wr.wr.ud.remote_qkey;
  } else if (r.is_atomic()) {
    r.address = wr.wr.atomic.remote_addr;
    r.key = wr.wr.atomic.rkey;
    r.compare_add = wr.wr.atomic.compare_add;
    r.swap = wr.wr.atomic.swap;
  } else if (!r.is_send()) {
    r.address = wr.wr.rdma.remote_addr;
    r.key = wr.wr.rdma.rkey;
  }
  if (qp.type == IBV_QPT_XRC_SEND) r.receive_queue = wr.qp_type.xrc.remote_srqn;
  return r;
}

}  // namespace

void run(Fabric& fabric, QueuePairHandle* handle) {
  QueuePair& qp = *entry_of(fabric, handle);
  forget_waiting(handle);
  while (!handle->pending.empty()) {
    Request& request = handle->pending.front();
    if (request.deferred && qp.state != IBV_QPS_ERR) {
      request.deferred = false;
      handle->retry_at = now_ns() + kMillisecond / 4;
      return remember_waiting(handle, run);
    }
    Outcome outcome{Answer::kDone, IBV_WC_WR_FLUSH_ERR};
    if (qp.state == IBV_QPS_RTS)
      outcome = qp.type == IBV_QPT_UD ? send_datagram(fabric, qp, request) : execute(fabric, qp, request);
    if (has_to_wait(handle, qp, &outcome)) return remember_waiting(handle, run);
    handle->waits_since = 0;
    handle->not_ready = 0;
    complete(fabric, qp, request, outcome.status);
    if (outcome.status != IBV_WC_SUCCESS) set_error(fabric, &qp);
    handle->pending.pop_front();
  }
}

int post_send(ibv_qp* qp, ibv_send_wr* wr, ibv_send_wr** bad) {
  auto* handle = static_cast<QueuePairHandle*>(qp);
  Guard guard;
  QueuePair* entry = entry_of(guard.fabric(), qp);
  int error = 0;
  for (; wr != nullptr; wr = wr->next) {
    error = check(*entry, *wr);
    if (error != 0) {
      *bad = wr;
      break;
    }
    Request& request = handle->pending.emplace_back(copy_of(*entry, *wr));
    request.sequence = ++entry->posted;
    request.deferred = settings().defer != 0 && ++handle->requests % settings().defer == 0;
  }
  // If requests wait already, the retry thread goes on with them.
  if (!handle->waits || entry->state == IBV_QPS_ERR) run(guard.fabric(), handle);
  return error;
}

int post_recv(ibv_qp* qp, ibv_recv_wr* wr, ibv_recv_wr** bad) {
  Guard guard;
  Fabric& fabric = guard.fabric();
  QueuePair* entry = entry_of(fabric, qp);
  for (; wr != nullptr; wr = wr->next) {
    int error = entry->state == IBV_QPS_RESET || entry->srq != 0 ? EINVAL : 0;
    if (error == 0) error = post(fabric, &entry->receives, *wr);
    if (error != 0) {
      *bad = wr;
      return error;
    }
  }
  if (entry->state == IBV_QPS_ERR) flush_receives(fabric, entry);
  return 0;
}

}  // namespace emulated
