// SPDX-License-Identifier: BSD-3-Clause
// The water marks of a thread's segment, in one 64-bit word of its RuntimeArea: the local heap ends at the
// one, the global heap begins at the other, and what lies between them is free. Both heaps grow by
// compare-and-swap on that word, so they cannot overlap. Counted in pages of 4 KiB: 16 TiB at most.
//
// The local half is changed under the local arena's lock; the global half, on every thread, by the one thread
// that owns the extension (GlobalHeapHead::extending). The word is 0 until the heaps are set up.
#pragma once
#include <cstddef>
#include <cstdint>

#include "upcr/access/atomic.hpp"
#include "upcr/access/data.hpp"
#include "upcr/heap/arena.hpp"
#include "upcr/segment/runtime_area.hpp"

namespace upcr {

struct WaterMarks {
  std::uint32_t local_end = 0, global_begin = 0;  // pages from the start of the segment

  std::uint64_t word() const noexcept { return std::uint64_t{global_begin} << 32 | local_end; }
  static WaterMarks of(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
};

inline SharedAddr water_marks_of(Slot thread) noexcept {
  return area_address(thread, offsetof(RuntimeArea, water_marks));
}

// Moves the local heap's end of a mapped segment up by `pages`, at most to `limit`. False: they are not free.
bool raise_local_end(RuntimeArea* area, std::uint32_t pages, std::uint32_t limit) noexcept;
inline void lower_local_end(RuntimeArea* area, std::uint32_t pages) noexcept {
  area->water_marks.fetch_sub(pages, std::memory_order_seq_cst);
}

// Moves the global heap's beginning on any thread down by `pages`, not below `limit`. False: they are not
// free. Blocking.
bool lower_global_begin(Slot thread, std::uint32_t pages, std::uint32_t limit);
inline void raise_global_begin(Slot thread, std::uint32_t pages) {
  amo64(water_marks_of(thread), AtomOp::kAdd, std::uint64_t{pages} << 32);
}

}  // namespace upcr
