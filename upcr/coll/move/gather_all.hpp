// SPDX-License-Identifier: BSD-3-Clause
// The part that gather_all and exchange share. On the calling UPC thread.
#pragma once
#include "upcr/coll/move/move.hpp"

namespace upcr::coll {

// Reads one block from every member: its only one (gather_all), or the one for this member (exchange).
Task read_from_all(Move m, bool exchange);

}  // namespace upcr::coll
