// SPDX-License-Identifier: BSD-3-Clause
// What the UPC threads of this process wait for, as seen by another thread while they run.
#pragma once
#include <cstdint>
#include <string>

#include "upcr/observe/thread.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {

// The last position that is known of a thread. Async-signal-safe.
observe::Position last_position(const ThreadCtx& c) noexcept;

// For Bootstrap::on_question(): a ThreadReport of each UPC thread of this process; none before the program
// starts and after its end.
std::string describe_threads();
// For ProgressEngine::on_stall().
bool report_stall(std::int64_t seconds);

}  // namespace upcr
