// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/objects/queue_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "tests/ibv/emulated/fabric/channels.hpp"
#include "tests/ibv/emulated/fabric/device.hpp"
#include "tests/ibv/emulated/fabric/processes.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"
#include "tests/ibv/emulated/objects/completion_queues.hpp"
#include "tests/ibv/emulated/objects/receive_ring.hpp"
#include "tests/ibv/emulated/objects/regions.hpp"
#include "tests/ibv/emulated/objects/retry.hpp"
#include "tests/ibv/emulated/objects/shared_receive_queues.hpp"

namespace emulated {
namespace {

// What the type needs, and nothing that it cannot have. 0 or an errno.
int check(const ibv_qp_init_attr_ex& a) {
  const Settings& s = settings();
  const bool target = a.qp_type == IBV_QPT_XRC_RECV, source = a.qp_type == IBV_QPT_XRC_SEND;
  if (a.qp_type != IBV_QPT_RC && a.qp_type != IBV_QPT_UD && !target && !source) return EOPNOTSUPP;
  if ((target || source) && !s.xrc) return EOPNOTSUPP;
  if (target) return (a.comp_mask & IBV_QP_INIT_ATTR_XRCD) != 0 && a.xrcd != nullptr ? 0 : EINVAL;
  if ((a.comp_mask & IBV_QP_INIT_ATTR_PD) == 0 || a.pd == nullptr || a.send_cq == nullptr) return EINVAL;
  const bool receives = !source && a.srq == nullptr;
  if (!source && a.recv_cq == nullptr) return EINVAL;
  const ibv_qp_cap& c = a.cap;
  if (c.max_send_wr > s.max_qp_wr || c.max_send_sge > s.max_sge || c.max_inline_data > s.max_inline)
    return EINVAL;
  if (receives && (c.max_recv_wr > s.max_qp_wr || c.max_recv_sge > s.max_sge)) return EINVAL;
  return 0;
}

// The n-th of this process fails on purpose.
bool is_to_fail() {
  static std::atomic<std::uint32_t> made{0};
  return ++made == settings().fail_create_qp;
}

void use(CompletionQueue* cq) {
  if (cq != nullptr) ++cq->uses;
}
void leave(CompletionQueue* cq) {
  if (cq != nullptr) --cq->uses;
}

void set_parts(Shared& s, const ibv_qp_init_attr_ex& a, QueuePair* qp) {
  qp->type = a.qp_type;
  if (a.qp_type == IBV_QPT_XRC_RECV) {
    qp->xrcd = static_cast<DomainHandle*>(a.xrcd)->id;
    return;
  }
  qp->pd = id_of(a.pd);
  qp->signal_all = a.sq_sig_all != 0;
  qp->send_cq = a.send_cq->handle;
  use(s.cqs.find(qp->send_cq));
  qp->cap = a.cap;
  if (a.qp_type == IBV_QPT_XRC_SEND || a.srq != nullptr) qp->cap.max_recv_wr = qp->cap.max_recv_sge = 0;
  if (a.qp_type == IBV_QPT_XRC_SEND) return;
  qp->recv_cq = a.recv_cq->handle;
  use(s.cqs.find(qp->recv_cq));
  if (a.srq == nullptr) return;
  qp->srq = static_cast<SharedReceiveQueueHandle*>(a.srq)->id;
  ++s.srqs.find(qp->srq)->uses;
}

}  // namespace

void QueuePairHandle::init(ibv_context* from, QueuePair& qp) {
  context = from;
  handle = qp_num = qp.id;
  qp_type = qp.type;
  state = qp.state;
  ::pthread_mutex_init(&mutex, nullptr);
  ::pthread_cond_init(&cond, nullptr);
}

QueuePair* entry_of(Fabric& fabric, const ibv_qp* qp) { return fabric.shared().qps.find(qp->qp_num); }

void set_error(Fabric& fabric, QueuePair* qp) {
  if (qp->state == IBV_QPS_ERR) return;
  qp->state = IBV_QPS_ERR;
  flush_receives(fabric, qp);
  if (qp->srq != 0) tell_context(fabric, qp->context, IBV_EVENT_QP_LAST_WQE_REACHED, qp->id);
}

void flush_receives(Fabric& fabric, QueuePair* qp) {
  CompletionQueue* cq = fabric.shared().cqs.find(qp->recv_cq);
  for (const Receive* r = front(fabric, qp->receives); r != nullptr; r = front(fabric, qp->receives)) {
    Completion flushed;
    flushed.receive = true;
    flushed.queue_pair = flushed.wc.qp_num = qp->id;
    flushed.wc.wr_id = r->id;
    flushed.wc.status = IBV_WC_WR_FLUSH_ERR;
    flushed.wc.opcode = IBV_WC_RECV;
    pop(&qp->receives);
    add(fabric, cq, flushed, false);
  }
}

void release(Fabric& fabric, QueuePair& qp) {
  close_ring(fabric, &qp.receives);
  qp.used = false;
}

void release_unheld(Fabric& fabric, QueuePair& qp) {
  const auto held = [](std::uint16_t holder) { return holder != 0; };
  const auto* holder = std::find_if(qp.holders, qp.holders + kMaxProcesses, held);
  if (holder == qp.holders + kMaxProcesses) return release(fabric, qp);
  qp.process = static_cast<std::uint16_t>(holder - qp.holders);
}

ibv_qp* create_qp_ex(ibv_context* context, ibv_qp_init_attr_ex* attributes) {
  const DeviceContext& device = *DeviceContext::of(context);
  errno = check(*attributes);
  if (errno != 0) return nullptr;
  errno = ENOMEM;
  if (is_to_fail()) return nullptr;
  Guard guard;
  Fabric& fabric = guard.fabric();
  Shared& s = guard.shared();
  if (s.qps.count([&](auto& qp) { return qp.device == device.number; }) >= settings().max_qp) return nullptr;
  QueuePair* qp = s.qps.take(fabric.process());
  if (qp == nullptr) return nullptr;
  qp->device = device.number;
  qp->context = device.id;
  set_parts(s, *attributes, qp);
  if (!open_ring(fabric, &qp->receives, qp->cap.max_recv_wr, qp->cap.max_recv_sge)) give_up("receive queue");
  auto* handle = new QueuePairHandle{};
  handle->init(context, *qp);
  handle->qp_context = attributes->qp_context;
  qp->owner_data = reinterpret_cast<std::uint64_t>(handle);
  if (qp->type == IBV_QPT_XRC_RECV) {
    qp->holders[fabric.process()] = 1;
    handle->domain = static_cast<DomainHandle*>(attributes->xrcd);
    ++handle->domain->uses;
    return handle;
  }
  count_use(fabric, qp->pd, 1);
  handle->pd = attributes->pd;
  handle->send_cq = attributes->send_cq;
  handle->recv_cq = attributes->recv_cq;
  handle->srq = attributes->srq;
  attributes->cap = qp->cap;
  return handle;
}

}  // namespace emulated

using namespace emulated;  // NOLINT(google-build-using-namespace): the functions below are those of the
                           // header

extern "C" {

ibv_qp* ibv_create_qp(ibv_pd* pd, ibv_qp_init_attr* attributes) {
  ibv_qp_init_attr_ex all{};
  all.qp_context = attributes->qp_context;
  all.send_cq = attributes->send_cq;
  all.recv_cq = attributes->recv_cq;
  all.srq = attributes->srq;
  all.cap = attributes->cap;
  all.qp_type = attributes->qp_type;
  all.sq_sig_all = attributes->sq_sig_all;
  all.comp_mask = IBV_QP_INIT_ATTR_PD;
  all.pd = pd;
  ibv_qp* qp = create_qp_ex(pd->context, &all);
  if (qp != nullptr) attributes->cap = all.cap;
  return qp;
}

int ibv_query_qp(ibv_qp* qp, ibv_qp_attr* attributes, int, ibv_qp_init_attr* made) {
  Guard guard;
  const QueuePair* entry = entry_of(guard.fabric(), qp);
  *attributes = entry->attr;
  attributes->qp_state = attributes->cur_qp_state = entry->state;
  attributes->cap = entry->cap;
  qp->state = entry->state;
  *made = {};
  made->qp_context = qp->qp_context;
  made->send_cq = qp->send_cq;
  made->recv_cq = qp->recv_cq;
  made->srq = qp->srq;
  made->cap = entry->cap;
  made->qp_type = entry->type;
  made->sq_sig_all = entry->signal_all ? 1 : 0;
  return 0;
}

// Completions that are not polled yet go with it.
int ibv_destroy_qp(ibv_qp* qp) {
  auto* handle = static_cast<QueuePairHandle*>(qp);
  {
    Guard guard;
    Fabric& fabric = guard.fabric();
    Shared& s = guard.shared();
    QueuePair* entry = entry_of(fabric, qp);
    forget_waiting(handle);
    if (handle->domain != nullptr) {
      forget_dead_processes(fabric);  // they have it open no longer
      --handle->domain->uses;
      --entry->holders[fabric.process()];
      if (entry->owner_data == reinterpret_cast<std::uint64_t>(handle)) entry->owner_data = 0;
      release_unheld(fabric, *entry);
    } else {
      CompletionQueue *send = s.cqs.find(entry->send_cq), *receive = s.cqs.find(entry->recv_cq);
      remove_completions_of(fabric, send, entry->id);
      remove_completions_of(fabric, receive, entry->id);
      leave(send);
      leave(receive);
      if (SharedReceiveQueue* srq = s.srqs.find(entry->srq); srq != nullptr) --srq->uses;
      count_use(fabric, entry->pd, -1);
      release(fabric, *entry);
    }
  }
  ::pthread_mutex_lock(&qp->mutex);
  while (qp->events_completed != handle->events) ::pthread_cond_wait(&qp->cond, &qp->mutex);
  ::pthread_mutex_unlock(&qp->mutex);
  delete handle;
  return 0;
}

}  // extern "C"
