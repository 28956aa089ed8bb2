// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/watch/hook_watch.hpp"

#include <unistd.h>

#include <mutex>
#include <type_traits>

#include "conduits/net/ibv/watch/mappings.hpp"
#include "conduits/net/ibv/watch/program_data.hpp"

namespace upcr::ibv {

HookWatch::HookWatch() : page_(static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE))) {}

// It is never destroyed: even where the hooks have been taken out again, another thread may be in one of
// them.
HookWatch* HookWatch::get(std::string* why) {
  static HookWatch watch;
  static_assert(std::is_trivially_destructible_v<HookWatch>);
  static bool tried = false;
  static std::string* reason = nullptr;
  if (!tried && !watch.hooks_.install(watch, why)) reason = new std::string(*why);
  tried = true;
  if (reason == nullptr) return &watch;
  *why = *reason;
  return nullptr;
}

// A mapping is remembered only if no call was in progress from before it was looked up until after it was
// published: such a call may have told of changes before the place was there, and made them after the look.
bool HookWatch::watch(std::uintptr_t begin, std::uintptr_t end) noexcept {
  if (is_library_memory(begin, end)) return false;
  const std::lock_guard guard(areas_lock_);
  if (areas_.contain(begin, end)) return true;
  constexpr unsigned kMaxMappings = 16;
  Mapping mappings[kMaxMappings];
  const std::uint64_t ended = ended_.load(std::memory_order_seq_cst);
  const unsigned count = mappings_of(begin, end, mappings, kMaxMappings);
  for (unsigned i = 0; i < count; ++i) {
    const Mapping& m = mappings[i];
    if (!m.anonymous && !(m.writable && is_program_data(m.begin, m.end))) return false;
    if (!m.anonymous) continue;
    if (is_library_memory(m.begin, m.end)) continue;  // has been joined with a library's: not all of it
    const unsigned place = areas_.insert(m.begin, m.end);
    if (begun_.load(std::memory_order_seq_cst) != ended) areas_.erase(place);
  }
  return count != 0;
}

// No call is in progress: one that begins later finds what is published before this is asked.
bool HookWatch::changes_are_made() noexcept {
  const std::uint64_t ended = ended_.load(std::memory_order_seq_cst);
  return begun_.load(std::memory_order_seq_cst) == ended;
}

// What is kept may have changed unseen, and would be taken for unchanged if the code were restored later.
bool HookWatch::events_drained() noexcept {
  if (lost_.load(std::memory_order_acquire)) return false;
  if (hooks_.intact()) return true;
  if (!lost_.exchange(true, std::memory_order_seq_cst)) {
    areas_.unmapped(0, UINTPTR_MAX);
    listeners_.notify(0, UINTPTR_MAX);
  }
  return false;
}

void HookWatch::pages_go(std::uintptr_t begin, std::size_t bytes, bool unmapped) noexcept {
  const std::uintptr_t first = (begin + page_ - 1) / page_ * page_;
  const std::uintptr_t last = (begin + bytes + page_ - 1) / page_ * page_;
  if (last <= first) return;
  if (unmapped) areas_.unmapped(first, last);
  listeners_.notify(first, last);
}

}  // namespace upcr::ibv
