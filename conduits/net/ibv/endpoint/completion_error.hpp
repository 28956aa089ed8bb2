// SPDX-License-Identifier: BSD-3-Clause
// A work request that has failed, in words: what it was, with whom, and what the status means to a user who
// cannot look inside.
#pragma once
#include <infiniband/verbs.h>

#include <string>

#include "conduits/net/ibv/queues/link.hpp"

namespace upcr::ibv {

// `op`: the operation of the work request, null if it had none. `peer`: Connections::name_of().
[[gnu::cold]] std::string describe_failure(const ibv_wc& completion, const Link& link, const Operation* op,
                                           const std::string& peer);

}  // namespace upcr::ibv
