// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/requests/deliver.hpp"

#include "tests/ibv/emulated/fabric/channels.hpp"
#include "tests/ibv/emulated/fabric/ports.hpp"
#include "tests/ibv/emulated/fabric/processes.hpp"
#include "tests/ibv/emulated/objects/completion_queues.hpp"
#include "tests/ibv/emulated/objects/queue_pairs.hpp"
#include "tests/ibv/emulated/objects/receive_ring.hpp"
#include "tests/ibv/emulated/objects/regions.hpp"
#include "tests/ibv/emulated/objects/shared_receive_queues.hpp"

namespace emulated {
namespace {

bool fits(ibv_qp_type from, ibv_qp_type to) {
  return (from == IBV_QPT_RC && to == IBV_QPT_RC) || (from == IBV_QPT_XRC_SEND && to == IBV_QPT_XRC_RECV);
}

// Whether packets by this path arrive at that port of the device.
bool leads_to(Fabric& fabric, const Port& own, const ibv_ah_attr& path, const QueuePair& qp) {
  const Port* port = reach(fabric, own, path);
  return port != nullptr && port == find_port(fabric, qp.device, qp.attr.port_num);
}

// The first receive gets the status, and is used.
void complete_receive(Fabric& fabric, const Responder& to, const QueuePair& from, const Request& request,
                      ibv_wc_status status, const Port* datagram_from = nullptr) {
  Completion done;
  done.receive = true;
  done.queue_pair = done.wc.qp_num = to.qp->id;
  done.receive_queue = to.srq != nullptr ? to.srq->id : 0;
  done.wc.wr_id = front(fabric, to.receives())->id;
  done.wc.status = status;
  done.wc.opcode = request.is_write() ? IBV_WC_RECV_RDMA_WITH_IMM : IBV_WC_RECV;
  done.wc.byte_len = static_cast<std::uint32_t>(request.bytes);
  done.wc.src_qp = from.id;
  if (request.has_immediate()) {
    done.wc.imm_data = request.immediate;
    done.wc.wc_flags = IBV_WC_WITH_IMM;
  }
  if (datagram_from != nullptr) {
    done.wc.byte_len += kHeaderBytes;
    done.wc.slid = datagram_from->lid;
    done.wc.sl = request.path.sl;
    if (request.path.is_global != 0) done.wc.wc_flags |= IBV_WC_GRH;
  }
  if (to.srq != nullptr)
    pop(fabric, to.srq);
  else
    pop(&to.qp->receives);
  add(fabric, fabric.shared().cqs.find(to.cq), done, request.solicited);
}

// Where the data go. A status if the receive does not have that.
ibv_wc_status place(Fabric& fabric, const Responder& to, std::uint64_t bytes, std::vector<iovec>* memory) {
  const Receive& receive = *front(fabric, to.receives());
  for (std::uint32_t i = 0; i < receive.pieces && bytes != 0; ++i) {
    ibv_sge piece = receive.piece[i];
    if (piece.length > bytes) piece.length = static_cast<std::uint32_t>(bytes);
    iovec& part = memory->emplace_back();
    if (find_local(fabric, to.pd, piece, IBV_ACCESS_LOCAL_WRITE, &part) == nullptr)
      return IBV_WC_LOC_PROT_ERR;
    bytes -= piece.length;
  }
  return bytes == 0 ? IBV_WC_SUCCESS : IBV_WC_LOC_LEN_ERR;
}

}  // namespace

bool find_responder(Fabric& fabric, QueuePair& qp, const Request& request, Responder* responder) {
  Shared& s = fabric.shared();
  *responder = {&qp, s.srqs.find(qp.srq), qp.pd, qp.process, qp.recv_cq};
  if (qp.type != IBV_QPT_XRC_RECV) return true;
  SharedReceiveQueue* srq = s.srqs.find(request.receive_queue);
  if (srq == nullptr || srq->xrcd != qp.xrcd) return false;
  *responder = {&qp, srq, srq->pd, srq->process, srq->cq};
  return true;
}

QueuePair* find_peer(Fabric& fabric, const QueuePair& from) {
  QueuePair* to = fabric.shared().qps.find(from.attr.dest_qp_num);
  if (to == nullptr || !fits(from.type, to->type)) return nullptr;
  if (to->state != IBV_QPS_RTR && to->state != IBV_QPS_RTS) return nullptr;
  if (!share_partition(from.partition, to->partition)) return nullptr;
  if (to->attr.dest_qp_num != from.id || to->attr.rq_psn != from.attr.sq_psn) return nullptr;
  const Port* own = find_port(fabric, from.device, from.attr.port_num);
  if (own == nullptr || !leads_to(fabric, *own, from.attr.ah_attr, *to)) return nullptr;
  // The answer has to come back, too.
  const Port* other = find_port(fabric, to->device, to->attr.port_num);
  return leads_to(fabric, *other, to->attr.ah_attr, from) ? to : nullptr;
}

Outcome refuse(Fabric& fabric, QueuePair* qp, ibv_wc_status status) {
  if (status == IBV_WC_REM_ACCESS_ERR || status == IBV_WC_REM_INV_REQ_ERR)
    tell_context(fabric, qp->context,
                 status == IBV_WC_REM_ACCESS_ERR ? IBV_EVENT_QP_ACCESS_ERR : IBV_EVENT_QP_REQ_ERR, qp->id);
  set_error(fabric, qp);
  return {Answer::kDone, status};
}

Outcome not_copied(Fabric& fabric, const Responder& to, bool dead, bool own_fault) {
  if (dead) {
    forget(fabric, to.process);
    return {Answer::kNone};
  }
  if (own_fault) return {Answer::kDone, IBV_WC_LOC_PROT_ERR};
  return refuse(fabric, to.qp, IBV_WC_REM_OP_ERR);
}

// A process that has died answers nothing, so that the sender does not wait for receives of it.
Outcome not_ready(Fabric& fabric, const Responder& to) {
  if (!is_alive(fabric, to.process)) return not_copied(fabric, to, true, false);
  return {Answer::kNotReady, IBV_WC_SUCCESS, to.qp->attr.min_rnr_timer};
}

void deliver_datagram(Fabric& fabric, const Responder& to, const QueuePair& from, const Request& request,
                      std::span<const iovec> data, const Port& port) {
  std::vector<iovec> memory;
  if (front(fabric, to.receives()) == nullptr ||
      place(fabric, to, request.bytes + kHeaderBytes, &memory) != IBV_WC_SUCCESS)
    return;
  const Copied copied = write_to(fabric, to.process, data, memory);
  if (copied == Copied::kDead) return forget(fabric, to.process);
  if (copied == Copied::kAll) complete_receive(fabric, to, from, request, IBV_WC_SUCCESS, &port);
}

Outcome deliver(Fabric& fabric, const Responder& to, const QueuePair& from, const Request& request,
                std::span<const iovec> data) {
  if (front(fabric, to.receives()) == nullptr) return not_ready(fabric, to);
  std::vector<iovec> memory;
  if (!data.empty()) {
    if (const ibv_wc_status status = place(fabric, to, request.bytes, &memory); status != IBV_WC_SUCCESS) {
      complete_receive(fabric, to, from, request, status);
      return refuse(fabric, to.qp, status == IBV_WC_LOC_LEN_ERR ? IBV_WC_REM_INV_REQ_ERR : IBV_WC_REM_OP_ERR);
    }
    const Copied copied = write_to(fabric, to.process, data, memory);
    if (copied != Copied::kAll)
      return not_copied(fabric, to, copied == Copied::kDead, copied == Copied::kOwnFault);
  } else if (!is_alive(fabric, to.process)) {
    return not_copied(fabric, to, true, false);
  }
  complete_receive(fabric, to, from, request, IBV_WC_SUCCESS);
  return {};
}

}  // namespace emulated
