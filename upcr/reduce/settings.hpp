// SPDX-License-Identifier: BSD-3-Clause
// How the collectives that compute go about it: what the user chose (UPCR_COLL_*), and what is chosen by size
// and number of threads. Any thread after start-up.
#pragma once
#include "upcr/reduce/ordered.hpp"

namespace upcr::coll {

// Of a tree over so many ranks, for reductions; all meet at the root where that is as many.
Slot reduce_radix(Slot ranks);
// Nothing else is asked for than what is chosen by itself.
bool reduce_is_auto(bool to_all);
// Recursive doubling, not a reduction and a broadcast.
bool reduce_all_by_doubling();
OrderedMethod choose_ordered_method(const ReduceOp& op, const Layout& layout);

}  // namespace upcr::coll
