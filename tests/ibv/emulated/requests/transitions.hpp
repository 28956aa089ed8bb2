// SPDX-License-Identifier: BSD-3-Clause
// States of queue pairs: which changes there are, and which attributes they need (ibv_modify_qp(3)).
#pragma once
#include <infiniband/verbs.h>

namespace emulated {

// 0, or EINVAL if there is no such change, or attributes are missing or may not be changed by it.
int check_transition(ibv_qp_type type, ibv_qp_state from, ibv_qp_state to, int mask);

}  // namespace emulated
