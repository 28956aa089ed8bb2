// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/heap/water_mark.hpp"

#include <algorithm>

namespace upcr {

bool raise_local_end(RuntimeArea* area, std::uint32_t pages, std::uint32_t limit) noexcept {
  std::uint64_t word = area->water_marks.load(std::memory_order_relaxed);
  for (;;) {
    WaterMarks marks = WaterMarks::of(word);
    const std::uint32_t end = std::min(marks.global_begin, limit);
    if (end < marks.local_end || pages > end - marks.local_end) return false;
    marks.local_end += pages;
    if (area->water_marks.compare_exchange_weak(word, marks.word())) return true;
  }
}

bool lower_global_begin(Slot thread, std::uint32_t pages, std::uint32_t limit) {
  const SharedAddr at = water_marks_of(thread);
  std::uint64_t word = amo64(at, AtomOp::kGet, 0);
  for (;;) {
    WaterMarks marks = WaterMarks::of(word);
    const std::uint32_t end = std::max(marks.local_end, limit);
    if (end > marks.global_begin || pages > marks.global_begin - end) return false;
    marks.global_begin -= pages;
    const std::uint64_t found = amo64(at, AtomOp::kCas, word, marks.word());
    if (found == word) return true;
    word = found;
  }
}

}  // namespace upcr
