// SPDX-License-Identifier: BSD-3-Clause
// Why a job hangs, from what its threads do.
#pragma once
#include <string>
#include <vector>

#include "tools/upcrun/waits/thread_state.hpp"

namespace upcrun {

// Sentences without end; none if nothing is known, or no thread has waited for long. `silent`: descriptions
// of processes that do not answer.
std::vector<std::string> likely_causes(const ThreadStates& threads, const std::vector<std::string>& silent);

}  // namespace upcrun
