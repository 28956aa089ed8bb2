// SPDX-License-Identifier: BSD-3-Clause
// What gather_all and exchange have in common. On the calling UPC thread.
#pragma once
#include "upcr/coll/move/move.hpp"

namespace upcr::coll {

// Reads a block of every member: the only one (gather_all), or this member's (exchange).
Task read_from_all(Move m, bool exchange);

}  // namespace upcr::coll
