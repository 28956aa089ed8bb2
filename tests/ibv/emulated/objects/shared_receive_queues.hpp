// SPDX-License-Identifier: BSD-3-Clause
// Shared receive queues, of the basic type and for XRC.
#pragma once
#include <infiniband/verbs.h>

#include "tests/ibv/emulated/fabric/fabric.hpp"
#include "tests/ibv/emulated/objects/xrc.hpp"

namespace emulated {

struct SharedReceiveQueueHandle : ibv_srq {
  std::uint32_t id = 0;
  DomainHandle* domain = nullptr;  // of one for XRC
  std::uint32_t events = 0;        // that the program has got
};

// The next receive is used. Tells the owner if that goes below the limit.
void pop(Fabric& fabric, SharedReceiveQueue* srq);

// The entries of verbs_context and ibv_context_ops.
ibv_srq* create_srq_ex(ibv_context* context, ibv_srq_init_attr_ex* attributes);
int get_srq_num(ibv_srq* srq, std::uint32_t* number);
int post_srq_recv(ibv_srq* srq, ibv_recv_wr* request, ibv_recv_wr** bad);

}  // namespace emulated
