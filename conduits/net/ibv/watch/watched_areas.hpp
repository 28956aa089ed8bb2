// SPDX-License-Identifier: BSD-3-Clause
// The mappings that are known to be watched, so that they need not be looked up again: the last few.
#pragma once
#include <atomic>
#include <cstdint>

namespace upcr::ibv {

class WatchedAreas {
 public:
  // Lies the range in one of them? Under the caller's lock, as insert() and erase().
  bool contain(std::uintptr_t begin, std::uintptr_t end) const noexcept;
  // To be called before the mapping is watched, so that unmapped() finds it from then on. Returns its place.
  unsigned insert(std::uintptr_t begin, std::uintptr_t end) noexcept;
  void erase(unsigned place) noexcept;

  // Some of [begin, end) is not mapped any more, or otherwise. Any thread, without a lock.
  void unmapped(std::uintptr_t begin, std::uintptr_t end) noexcept;

 private:
  static constexpr unsigned kMost = 64;
  struct Area {  // void: begin == end
    std::atomic<std::uintptr_t> begin{0}, end{0};
    std::atomic<bool> unmapped{false};
  };
  Area areas_[kMost];
  unsigned next_ = 0;
};

}  // namespace upcr::ibv
