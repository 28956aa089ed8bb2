// SPDX-License-Identifier: BSD-3-Clause
// Asynchronous events: of queues that failed, of shared receive queues that are nearly empty, of ports.
#include <cerrno>

#include "tests/ibv/emulated/fabric/channels.hpp"
#include "tests/ibv/emulated/objects/completion_queues.hpp"
#include "tests/ibv/emulated/objects/queue_pairs.hpp"
#include "tests/ibv/emulated/objects/shared_receive_queues.hpp"

namespace emulated {
namespace {

// Fills in the element, and counts the event, which the program has to acknowledge. False if there is no such
// queue any more.
bool find_element(Shared& s, const Event& from, ibv_async_event* to) {
  switch (to->event_type) {
    case IBV_EVENT_CQ_ERR: {
      const CompletionQueue* cq = s.cqs.find(from.element);
      if (cq == nullptr) return false;
      auto* handle = reinterpret_cast<CompletionQueueHandle*>(cq->owner_data);
      ++handle->async_events;
      to->element.cq = handle;
      return true;
    }
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED: {
      const SharedReceiveQueue* srq = s.srqs.find(from.element);
      if (srq == nullptr) return false;
      auto* handle = reinterpret_cast<SharedReceiveQueueHandle*>(srq->owner_data);
      ++handle->events;
      to->element.srq = handle;
      return true;
    }
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_QP_LAST_WQE_REACHED: {
      const QueuePair* qp = s.qps.find(from.element);
      if (qp == nullptr) return false;
      auto* handle = reinterpret_cast<QueuePairHandle*>(qp->owner_data);
      if (handle == nullptr) return false;
      ++handle->events;
      to->element.qp = handle;
      return true;
    }
    default:
      to->element.port_num = static_cast<int>(from.element);
      return true;
  }
}

template <typename Object>
void count_one(Object* object, std::uint32_t Object::*counter) {
  ::pthread_mutex_lock(&object->mutex);
  ++(object->*counter);
  ::pthread_cond_signal(&object->cond);
  ::pthread_mutex_unlock(&object->mutex);
}

}  // namespace
}  // namespace emulated

using namespace emulated;  // NOLINT(google-build-using-namespace): the functions below are those of the
                           // header

extern "C" {

int ibv_get_async_event(ibv_context* context, ibv_async_event* event) {
  for (Event told; next_event(context->async_fd, &told);) {
    event->event_type = static_cast<ibv_event_type>(told.type);
    Guard guard;
    if (find_element(guard.shared(), told, event)) return 0;
  }
  return -1;
}

void ibv_ack_async_event(ibv_async_event* event) {
  switch (event->event_type) {
    case IBV_EVENT_CQ_ERR:
      return count_one(event->element.cq, &ibv_cq::async_events_completed);
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED:
      return count_one(event->element.srq, &ibv_srq::events_completed);
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
      return count_one(event->element.qp, &ibv_qp::events_completed);
    default:
      return;
  }
}

}  // extern "C"
