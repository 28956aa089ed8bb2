// SPDX-License-Identifier: BSD-3-Clause
// What goes wrong in a collective because the threads do not do the same. UPC threads and handlers.
#pragma once
#include <cstddef>

#include "upcr/coll/call/team.hpp"

namespace upcr::coll {

// A member sent `got` bytes where this one expects `bytes`.
[[noreturn]] void report_size_mismatch(const char* function, TeamRank from, std::size_t got,
                                       std::size_t bytes);
// Gives a thread that has a better message the time to say it; the job ends meanwhile.
void defer_to_other_reporters();

}  // namespace upcr::coll
