// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/progress/current_waits.hpp"

#include <atomic>

namespace upcr {
namespace {

// Written by its thread alone; `what` last, and read first.
struct alignas(64) Entry {
  std::atomic<const char*> what{nullptr};
  std::atomic<std::uint64_t> detail{0}, since_ns{0};
  std::atomic<Slot> slot{0};

  void set(const CurrentWait& wait) noexcept {
    what.store(nullptr, std::memory_order_relaxed);
    slot.store(wait.slot, std::memory_order_relaxed);
    detail.store(wait.detail, std::memory_order_relaxed);
    since_ns.store(wait.since_ns, std::memory_order_relaxed);
    what.store(wait.what, std::memory_order_release);
  }
  CurrentWait get() const noexcept {
    const char* const now = what.load(std::memory_order_acquire);
    return {slot.load(std::memory_order_relaxed), now, detail.load(std::memory_order_relaxed),
            since_ns.load(std::memory_order_relaxed)};
  }
};

constexpr std::size_t kEntries = 256;
constinit Entry entries[kEntries];
constinit std::atomic<std::size_t> used{0};
constinit thread_local Entry* mine = nullptr;

// Threads that end leave their entry empty; it is not used again.
Entry* my_entry() noexcept {
  if (__builtin_expect(mine != nullptr, 1)) return mine;
  const std::size_t number = used.fetch_add(1, std::memory_order_relaxed);
  static Entry others;  // of all threads beyond kEntries; never read
  return mine = number < kEntries ? &entries[number] : &others;
}

}  // namespace

WaitRecord::WaitRecord(Slot slot, const char* what, std::uint64_t detail) noexcept {
  Entry* const entry = my_entry();
  if (__builtin_expect(entry->what.load(std::memory_order_relaxed) != nullptr, 0)) before_ = entry->get();
  entry->slot.store(slot, std::memory_order_relaxed);
  entry->detail.store(detail, std::memory_order_relaxed);
  entry->since_ns.store(0, std::memory_order_relaxed);
  entry->what.store(what, std::memory_order_release);
}

WaitRecord::~WaitRecord() {
  if (before_.what == nullptr)
    mine->what.store(nullptr, std::memory_order_relaxed);
  else
    mine->set(before_);
}

void note_idle_wait(std::uint64_t since_ns) noexcept {
  if (mine != nullptr && mine->since_ns.load(std::memory_order_relaxed) == 0)
    mine->since_ns.store(since_ns, std::memory_order_relaxed);
}

std::size_t current_waits(CurrentWait* waits, std::size_t most) noexcept {
  const std::size_t known = used.load(std::memory_order_relaxed);
  std::size_t found = 0;
  for (std::size_t i = 0; i < known && i < kEntries && found < most; ++i) {
    waits[found] = entries[i].get();
    if (waits[found].what != nullptr) ++found;
  }
  return found;
}

}  // namespace upcr
