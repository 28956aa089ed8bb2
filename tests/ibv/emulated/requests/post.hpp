// SPDX-License-Identifier: BSD-3-Clause
// Work requests: posting them, and executing what a send queue holds.
#pragma once
#include <infiniband/verbs.h>

#include "tests/ibv/emulated/fabric/fabric.hpp"
#include "tests/ibv/emulated/objects/queue_pairs.hpp"

namespace emulated {

// Executes the requests of a send queue in their order until one has to wait, in the process that posted them
// and under the mutex.
void run(Fabric& fabric, QueuePairHandle* handle);

// The entries of ibv_context_ops.
int post_send(ibv_qp* qp, ibv_send_wr* request, ibv_send_wr** bad);
int post_recv(ibv_qp* qp, ibv_recv_wr* request, ibv_recv_wr** bad);

}  // namespace emulated
