// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/objects/shared_receive_queues.hpp"

#include <cerrno>

#include "tests/ibv/emulated/fabric/channels.hpp"
#include "tests/ibv/emulated/fabric/device.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"
#include "tests/ibv/emulated/objects/receive_ring.hpp"
#include "tests/ibv/emulated/objects/regions.hpp"

namespace emulated {
namespace {

SharedReceiveQueue* entry_of(Shared& s, ibv_srq* srq) {
  return s.srqs.find(static_cast<SharedReceiveQueueHandle*>(srq)->id);
}

// An event is due as soon as fewer receives than the limit are there.
void check_limit(Fabric& fabric, SharedReceiveQueue* srq) {
  if (srq->limit == 0 || posted(srq->receives) >= srq->limit) return;
  srq->limit = 0;
  tell_context(fabric, srq->context, IBV_EVENT_SRQ_LIMIT_REACHED, srq->id);
}

}  // namespace

void pop(Fabric& fabric, SharedReceiveQueue* srq) {
  pop(&srq->receives);
  check_limit(fabric, srq);
}

ibv_srq* create_srq_ex(ibv_context* context, ibv_srq_init_attr_ex* attributes) {
  const unsigned mask = attributes->comp_mask;
  const bool xrc = (mask & IBV_SRQ_INIT_ATTR_TYPE) != 0 && attributes->srq_type == IBV_SRQT_XRC;
  errno = EINVAL;
  if ((mask & IBV_SRQ_INIT_ATTR_PD) == 0 || attributes->pd == nullptr) return nullptr;
  if ((mask & IBV_SRQ_INIT_ATTR_TYPE) != 0 && !xrc && attributes->srq_type != IBV_SRQT_BASIC) return nullptr;
  constexpr unsigned kOfXrc = IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
  if (xrc && ((mask & kOfXrc) != kOfXrc || !settings().xrc)) return nullptr;
  ibv_srq_attr& wanted = attributes->attr;
  if (wanted.max_wr == 0 || wanted.max_wr > settings().max_srq_wr || wanted.max_sge > settings().max_sge)
    return nullptr;
  const DeviceContext& device = *DeviceContext::of(context);
  Guard guard;
  Fabric& fabric = guard.fabric();
  Shared& s = guard.shared();
  errno = ENOMEM;
  if (s.srqs.count([&](auto& srq) { return srq.device == device.number; }) >= settings().max_srq)
    return nullptr;
  ReceiveRing receives;
  if (!open_ring(fabric, &receives, wanted.max_wr, wanted.max_sge)) return nullptr;
  SharedReceiveQueue* srq = s.srqs.take(fabric.process());
  if (srq == nullptr) return nullptr;
  srq->receives = receives;
  srq->device = device.number;
  srq->context = device.id;
  srq->pd = id_of(attributes->pd);
  if (xrc) {
    srq->xrcd = static_cast<DomainHandle*>(attributes->xrcd)->id;
    CompletionQueue* cq = s.cqs.find(attributes->cq->handle);
    srq->cq = cq->id;
    ++cq->uses;
  }
  count_use(fabric, srq->pd, 1);
  auto* handle = new SharedReceiveQueueHandle{};
  handle->id = srq->id;
  handle->context = context;
  handle->srq_context = attributes->srq_context;
  handle->pd = attributes->pd;
  handle->handle = srq->id;
  ::pthread_mutex_init(&handle->mutex, nullptr);
  ::pthread_cond_init(&handle->cond, nullptr);
  srq->owner_data = reinterpret_cast<std::uint64_t>(handle);
  if (xrc) handle->domain = static_cast<DomainHandle*>(attributes->xrcd);
  if (xrc) ++handle->domain->uses;
  return handle;
}

int get_srq_num(ibv_srq* srq, std::uint32_t* number) {
  Guard guard;
  const SharedReceiveQueue* entry = entry_of(guard.shared(), srq);
  if (entry == nullptr || entry->xrcd == 0) return EOPNOTSUPP;  // only those for XRC have one
  *number = entry->id;
  return 0;
}

int post_srq_recv(ibv_srq* srq, ibv_recv_wr* request, ibv_recv_wr** bad) {
  Guard guard;
  SharedReceiveQueue* entry = entry_of(guard.shared(), srq);
  for (; request != nullptr; request = request->next)
    if (const int error = post(guard.fabric(), &entry->receives, *request); error != 0) {
      *bad = request;
      return error;
    }
  return 0;
}

}  // namespace emulated

using namespace emulated;  // NOLINT(google-build-using-namespace): the functions below are those of the
                           // header

extern "C" {

ibv_srq* ibv_create_srq(ibv_pd* pd, ibv_srq_init_attr* attributes) {
  ibv_srq_init_attr_ex all{};
  all.srq_context = attributes->srq_context;
  all.attr = attributes->attr;
  all.comp_mask = IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_TYPE;
  all.srq_type = IBV_SRQT_BASIC;
  all.pd = pd;
  return create_srq_ex(pd->context, &all);
}

int ibv_modify_srq(ibv_srq* srq, ibv_srq_attr* attributes, int mask) {
  Guard guard;
  SharedReceiveQueue* entry = entry_of(guard.shared(), srq);
  if ((mask & IBV_SRQ_MAX_WR) != 0) return EOPNOTSUPP;
  if ((mask & IBV_SRQ_LIMIT) == 0) return 0;
  if (attributes->srq_limit > entry->receives.capacity) return EINVAL;
  entry->limit = attributes->srq_limit;
  check_limit(guard.fabric(), entry);
  return 0;
}

int ibv_query_srq(ibv_srq* srq, ibv_srq_attr* attributes) {
  Guard guard;
  const SharedReceiveQueue* entry = entry_of(guard.shared(), srq);
  *attributes = {entry->receives.capacity, entry->receives.max_sge, entry->limit};
  return 0;
}

int ibv_destroy_srq(ibv_srq* srq) {
  auto* handle = static_cast<SharedReceiveQueueHandle*>(srq);
  {
    Guard guard;
    SharedReceiveQueue* entry = entry_of(guard.shared(), srq);
    if (entry->uses != 0) return EBUSY;
    if (CompletionQueue* cq = guard.shared().cqs.find(entry->cq); cq != nullptr) --cq->uses;
    if (handle->domain != nullptr) --handle->domain->uses;
    count_use(guard.fabric(), entry->pd, -1);
    close_ring(guard.fabric(), &entry->receives);
    entry->used = false;
  }
  ::pthread_mutex_lock(&srq->mutex);
  while (srq->events_completed != handle->events) ::pthread_cond_wait(&srq->cond, &srq->mutex);
  ::pthread_mutex_unlock(&srq->mutex);
  delete handle;
  return 0;
}

}  // extern "C"
