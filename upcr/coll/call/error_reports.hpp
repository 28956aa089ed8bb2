// SPDX-License-Identifier: BSD-3-Clause
// Reports of collectives in which the threads pass different arguments. UPC threads and handlers.
#pragma once
#include <cstddef>

#include "upcr/coll/call/team.hpp"

namespace upcr::coll {

// A member sent `got` bytes where this one expects `bytes`.
[[noreturn]] void report_size_mismatch(const char* function, TeamRank from, std::size_t got,
                                       std::size_t bytes);
// Waits a while, so that a thread that can report the cause more precisely does so and ends the job.
void defer_to_other_reporters();

}  // namespace upcr::coll
