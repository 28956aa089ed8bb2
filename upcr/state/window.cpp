// SPDX-License-Identifier: BSD-3-Clause
// Fills in the tables that inlined accesses read (include/upcr/window.h, layout.h) from core's maps.
#include "include/upcr/window.h"

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/layout.h"
#include "include/upcr/sptr_rep.h"
#include "upcr/state/runtime.hpp"

extern "C" {

struct upcri_layout upcri_layout = {};

// The variable behind the constant upcri_reach of other files. These values mean that nothing is mapped, and
// so does each of them with the other one's final value.
UPCRI_API extern struct upcri_reach upcri_reach_variable __asm__("upcri_reach");
struct upcri_reach upcri_reach_variable = {std::uint64_t{1} << 63, 0};

}  // extern "C"

namespace upcr {

void publish_layout(Rank rank, Rank size) {
  upcri_layout.mynode = rank;
  upcri_layout.nodes = size;
}

void publish_window() {
  const Job& j = job();
  const Topology& t = j.topology;
  struct upcri_window& w = upcri_window;
  upcri_set_threads(t.slots());
  w.segment_bytes = j.segments.bytes;
  UPCR_ASSERT(j.segments.mapped.size() >= t.slots() + SegmentMap::kBeyond);
  w.bases = j.segments.mapped.data();  // the job lives as long as the process
#ifdef UPCRI_POINTER_packed
  if (j.segments.has_reservation) {
    w.first = std::uint64_t{t.window_group_first_slot()} << UPCRI_ADDR_BITS;
    w.span = std::uint64_t{t.window_group_slots()} << UPCRI_ADDR_BITS;
    w.base = j.segments.reservation_base;
    upcri_reach_variable = {w.first, w.span};
  }
#endif
  // Where a peer's write arrives as a message, a thread that spins on its own memory must poll for messages.
  w.strict_polls = t.window_group_slots() != t.slots();
}

}  // namespace upcr
