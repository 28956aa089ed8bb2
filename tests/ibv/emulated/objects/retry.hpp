// SPDX-License-Identifier: BSD-3-Clause
// Requests that wait: a thread of this process tries them again. All under the fabric's mutex.
#pragma once
#include <cstdint>

#include "tests/ibv/emulated/objects/queue_pairs.hpp"

namespace emulated {

std::int64_t now_ns();
// `run`, the same one always, is called for it again at handle->retry_at.
using Run = void (*)(Fabric& fabric, QueuePairHandle* handle);
void remember_waiting(QueuePairHandle* handle, Run run);
void forget_waiting(QueuePairHandle* handle);

}  // namespace emulated
