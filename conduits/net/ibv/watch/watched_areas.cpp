// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/watch/watched_areas.hpp"

namespace upcr::ibv {

bool WatchedAreas::contain(std::uintptr_t begin, std::uintptr_t end) const noexcept {
  for (const Area& area : areas_)
    if (area.begin.load(std::memory_order_relaxed) <= begin &&
        end <= area.end.load(std::memory_order_relaxed) && !area.unmapped.load(std::memory_order_acquire))
      return true;
  return false;
}

unsigned WatchedAreas::insert(std::uintptr_t begin, std::uintptr_t end) noexcept {
  const unsigned place = next_;
  next_ = (next_ + 1) % kMost;
  Area& area = areas_[place];
  area.end.store(0, std::memory_order_relaxed);
  area.unmapped.store(false, std::memory_order_relaxed);
  area.begin.store(begin, std::memory_order_relaxed);
  area.end.store(end, std::memory_order_seq_cst);
  return place;
}

void WatchedAreas::erase(unsigned place) noexcept { areas_[place].end.store(0, std::memory_order_relaxed); }

void WatchedAreas::unmapped(std::uintptr_t begin, std::uintptr_t end) noexcept {
  for (Area& area : areas_)
    if (area.begin.load(std::memory_order_acquire) < end && begin < area.end.load(std::memory_order_acquire))
      area.unmapped.store(true, std::memory_order_release);
}

}  // namespace upcr::ibv
