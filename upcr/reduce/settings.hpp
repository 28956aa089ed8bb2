// SPDX-License-Identifier: BSD-3-Clause
// The algorithms of the collectives that compute: chosen by the user (UPCR_COLL_*), else by size and number
// of threads. Any thread after start-up.
#pragma once
#include "upcr/reduce/ordered.hpp"

namespace upcr::coll {

// The radix of the tree over so many ranks; `ranks` for a flat tree, in which all send to the root.
Slot reduce_radix(Slot ranks);
// Whether the user has left the choice to the library.
bool reduce_is_auto(bool to_all);
// Whether reductions to all use recursive doubling; else a reduction and a broadcast.
bool reduce_all_by_doubling();
OrderedMethod choose_ordered_method(const ReduceOp& op, const Layout& layout);

}  // namespace upcr::coll
