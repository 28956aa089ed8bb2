// SPDX-License-Identifier: BSD-3-Clause
// An operation that libfabric has under way, a send, a receive, a put or get, an atomic operation: the
// context of its completion.
#pragma once
#include <rdma/fabric.h>

#include <cstdint>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/model/completion.hpp"

namespace upcr::ofi {

enum class OperationKind : std::uint8_t { kSend, kReceive, kAccess, kAtomic };

struct Operation {
  fi_context2 context;  // the provider's, while the operation is under way
  OperationKind kind;
  std::uint32_t buffer;   // of its pool
  std::uint32_t bytes;    // of a send
  Rank peer;              // of all but receives
  Pending *done, *local;  // of a put, get or atomic operation; the second one may be null
};

inline Operation& operation_of(void* context) noexcept { return *static_cast<Operation*>(context); }

}  // namespace upcr::ofi
