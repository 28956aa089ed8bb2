// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/objects/completion_queues.hpp"

#include <algorithm>
#include <cerrno>

#include "tests/ibv/emulated/fabric/channels.hpp"
#include "tests/ibv/emulated/fabric/device.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"

namespace emulated {
namespace {

Completion* nth(Fabric& fabric, const CompletionQueue& queue, std::uint64_t n) {
  return fabric.at<Completion>(queue.ring) + n % queue.capacity;
}

std::uint64_t waiting(const CompletionQueue& queue) { return queue.tail - queue.head; }

// What was posted has room again.
void retire(Fabric& fabric, const Completion& completion) {
  Shared& s = fabric.shared();
  QueuePair* qp = s.qps.find(completion.queue_pair);
  if (!completion.receive) {
    if (qp != nullptr) qp->retired = std::max(qp->retired, completion.sequence);
  } else if (completion.receive_queue != 0) {
    if (SharedReceiveQueue* srq = s.srqs.find(completion.receive_queue); srq != nullptr) --srq->receives.held;
  } else if (qp != nullptr && qp->receives.held != 0) {
    --qp->receives.held;
  }
}

}  // namespace

CompletionQueue& CompletionQueue::operator=(const CompletionQueue& other) noexcept {
  Entry::operator=(other);
  device = other.device;
  context = other.context;
  channel = other.channel;
  uses = other.uses;
  capacity = other.capacity;
  armed = other.armed;
  overflowed = other.overflowed;
  ring = other.ring;
  head = other.head.load();
  tail = other.tail.load();
  return *this;
}

void add(Fabric& fabric, CompletionQueue* queue, const Completion& completion, bool solicited) {
  if (queue == nullptr || queue->overflowed) return;
  if (waiting(*queue) == queue->capacity) {
    queue->overflowed = true;
    return tell_context(fabric, queue->context, IBV_EVENT_CQ_ERR, queue->id);
  }
  *nth(fabric, *queue, queue->tail) = completion;
  queue->tail.store(queue->tail + 1, std::memory_order_release);
  const bool notable = solicited || completion.wc.status != IBV_WC_SUCCESS;
  if (queue->armed == Armed::kNo || (queue->armed == Armed::kSolicited && !notable)) return;
  queue->armed = Armed::kNo;
  tell(fabric, queue->channel, {0, queue->id});
}

void remove_completions_of(Fabric& fabric, CompletionQueue* queue, std::uint32_t queue_pair) {
  if (queue == nullptr) return;
  std::uint64_t to = queue->head;
  for (std::uint64_t from = queue->head; from < queue->tail; ++from) {
    const Completion& completion = *nth(fabric, *queue, from);
    if (completion.queue_pair == queue_pair)
      retire(fabric, completion);
    else
      *nth(fabric, *queue, to++) = completion;
  }
  queue->tail = to;
}

void release(Fabric& fabric, CompletionQueue& queue) {
  fabric.shared().heap.release(queue.ring, queue.capacity * sizeof(Completion), fabric.base());
  queue.used = false;
}

int poll_cq(ibv_cq* cq, int most, ibv_wc* found) {
  CompletionQueue& queue = *static_cast<CompletionQueueHandle*>(cq)->shared;
  if (queue.head.load(std::memory_order_relaxed) == queue.tail.load(std::memory_order_acquire)) return 0;
  Guard guard;
  int n = 0;
  for (; n < most && waiting(queue) != 0; ++n) {
    const Completion& completion = *nth(guard.fabric(), queue, queue.head);
    found[n] = completion.wc;
    retire(guard.fabric(), completion);
    queue.head.store(queue.head + 1, std::memory_order_relaxed);
  }
  return n;
}

// Only of what is added from now on.
int req_notify_cq(ibv_cq* cq, int solicited_only) {
  Guard guard;
  CompletionQueue& queue = *static_cast<CompletionQueueHandle*>(cq)->shared;
  if (solicited_only == 0)
    queue.armed = Armed::kAny;
  else if (queue.armed == Armed::kNo)
    queue.armed = Armed::kSolicited;
  return 0;
}

}  // namespace emulated

using namespace emulated;  // NOLINT(google-build-using-namespace): the functions below are those of the
                           // header

extern "C" {

ibv_comp_channel* ibv_create_comp_channel(ibv_context* context) {
  auto* channel = new CompletionChannelHandle{};
  channel->context = context;
  Guard guard;
  channel->id = open_channel(guard.fabric(), &channel->fd);
  if (channel->id != 0) return channel;
  delete channel;
  return nullptr;
}

int ibv_destroy_comp_channel(ibv_comp_channel* channel) {
  auto* handle = static_cast<CompletionChannelHandle*>(channel);
  Guard guard;
  if (channel->refcnt != 0) return EBUSY;
  close_channel(guard.fabric(), handle->id, channel->fd);
  delete handle;
  return 0;
}

ibv_cq* ibv_create_cq(ibv_context* context, int entries, void* cq_context, ibv_comp_channel* channel,
                      int vector) {
  const DeviceContext& device = *DeviceContext::of(context);
  errno = EINVAL;
  if (entries < 1 || static_cast<std::uint32_t>(entries) > settings().max_cqe) return nullptr;
  if (vector < 0 || vector >= context->num_comp_vectors) return nullptr;
  Guard guard;
  Shared& s = guard.shared();
  errno = ENOMEM;
  if (s.cqs.count([&](auto& cq) { return cq.device == device.number; }) >= settings().max_cq) return nullptr;
  const Offset ring =
      s.heap.allocate(static_cast<std::size_t>(entries) * sizeof(Completion), guard.fabric().base());
  CompletionQueue* queue = ring != 0 ? s.cqs.take(guard.fabric().process()) : nullptr;
  if (queue == nullptr) return nullptr;
  queue->device = device.number;
  queue->context = device.id;
  queue->ring = ring;
  queue->capacity = static_cast<std::uint32_t>(entries);
  auto* handle = new CompletionQueueHandle{};
  handle->shared = queue;
  handle->context = context;
  handle->channel = channel;
  handle->cq_context = cq_context;
  handle->handle = queue->id;
  handle->cqe = entries;
  ::pthread_mutex_init(&handle->mutex, nullptr);
  ::pthread_cond_init(&handle->cond, nullptr);
  queue->owner_data = reinterpret_cast<std::uint64_t>(handle);
  if (channel != nullptr) {
    queue->channel = static_cast<CompletionChannelHandle*>(channel)->id;
    ++channel->refcnt;
  }
  return handle;
}

int ibv_resize_cq(ibv_cq* cq, int entries) {
  if (entries < 1 || static_cast<std::uint32_t>(entries) > settings().max_cqe) return EINVAL;
  Guard guard;
  Fabric& fabric = guard.fabric();
  CompletionQueue& queue = *static_cast<CompletionQueueHandle*>(cq)->shared;
  if (static_cast<std::uint64_t>(entries) < waiting(queue)) return EINVAL;
  const Offset ring =
      guard.shared().heap.allocate(static_cast<std::size_t>(entries) * sizeof(Completion), fabric.base());
  if (ring == 0) return ENOMEM;
  for (std::uint64_t i = queue.head; i < queue.tail; ++i)
    fabric.at<Completion>(ring)[i % static_cast<std::uint64_t>(entries)] = *nth(fabric, queue, i);
  guard.shared().heap.release(queue.ring, queue.capacity * sizeof(Completion), fabric.base());
  queue.ring = ring;
  queue.capacity = static_cast<std::uint32_t>(entries);
  cq->cqe = entries;
  return 0;
}

// Waits until the events that the program has got are acknowledged.
int ibv_destroy_cq(ibv_cq* cq) {
  auto* handle = static_cast<CompletionQueueHandle*>(cq);
  {
    Guard guard;
    if (handle->shared->uses != 0) return EBUSY;
    release(guard.fabric(), *handle->shared);
    if (cq->channel != nullptr) --cq->channel->refcnt;
  }
  ::pthread_mutex_lock(&cq->mutex);
  while (cq->comp_events_completed != handle->events || cq->async_events_completed != handle->async_events)
    ::pthread_cond_wait(&cq->cond, &cq->mutex);
  ::pthread_mutex_unlock(&cq->mutex);
  delete handle;
  return 0;
}

int ibv_get_cq_event(ibv_comp_channel* channel, ibv_cq** cq, void** cq_context) {
  for (Event event; next_event(channel->fd, &event);) {
    Guard guard;
    const CompletionQueue* queue = guard.shared().cqs.find(event.element);
    if (queue == nullptr) continue;  // it was destroyed meanwhile
    auto* handle = reinterpret_cast<CompletionQueueHandle*>(queue->owner_data);
    ++handle->events;
    *cq = handle;
    *cq_context = handle->cq_context;
    return 0;
  }
  return -1;
}

void ibv_ack_cq_events(ibv_cq* cq, unsigned events) {
  ::pthread_mutex_lock(&cq->mutex);
  cq->comp_events_completed += events;
  ::pthread_cond_signal(&cq->cond);
  ::pthread_mutex_unlock(&cq->mutex);
}

}  // extern "C"
