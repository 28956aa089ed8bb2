// SPDX-License-Identifier: BSD-3-Clause
// A team's table of algorithms in a text file. Collective over the team; its first member reads or writes.
#pragma once
#include "upcr/coll/call/team.hpp"

namespace upcr::coll {

// The lines of the file replace entries of the table; a file that cannot be read changes nothing. Both warn
// when the file cannot be read or written.
void load_tuning(ThreadCtx& c, Team& team, const char* file);
void store_tuning(ThreadCtx& c, Team& team, const char* file);

}  // namespace upcr::coll
