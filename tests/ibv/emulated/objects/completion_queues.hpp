// SPDX-License-Identifier: BSD-3-Clause
// Completion queues and completion channels.
#pragma once
#include <infiniband/verbs.h>

#include "tests/ibv/emulated/fabric/fabric.hpp"

namespace emulated {

struct CompletionChannelHandle : ibv_comp_channel {
  std::uint32_t id = 0;
};

// `handle` of the base is the identifier.
struct CompletionQueueHandle : ibv_cq {
  CompletionQueue* shared = nullptr;
  std::uint32_t events = 0, async_events = 0;  // that the program has got
};

// Under the mutex, by any process. A full queue is broken from then on, and its owner is told.
void add(Fabric& fabric, CompletionQueue* queue, const Completion& completion, bool solicited);
// Those of this queue pair that are not polled yet are taken out.
void remove_completions_of(Fabric& fabric, CompletionQueue* queue, std::uint32_t queue_pair);
void release(Fabric& fabric, CompletionQueue& queue);

// The entries of ibv_context_ops.
int poll_cq(ibv_cq* cq, int most, ibv_wc* found);
int req_notify_cq(ibv_cq* cq, int solicited_only);

}  // namespace emulated
