// SPDX-License-Identifier: BSD-3-Clause
// Fills in the tables that inlined accesses read (include/upcr/window.h, layout.h) from core's maps.
#include "include/upcr/window.h"

#include <algorithm>
#include <vector>

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
namespace {

// Inlined accesses do not check the thread. A wrong pointer's is often just beyond the last one: no address
// there either, so that the out-of-line path names it.
const std::uintptr_t* bases_of(const std::vector<std::uintptr_t>& mapped) {
  constexpr std::size_t kBeyond = 1024;
  auto* bases = new std::uintptr_t[mapped.size() + kBeyond]();  // lives as long as the process
  std::ranges::copy(mapped, bases);
  return bases;
}

}  // namespace

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
  w.bases = bases_of(j.segments.mapped);
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
