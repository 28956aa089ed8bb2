// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/progress/current_waits.hpp"

#include <atomic>
#include <utility>

namespace upcr {
namespace {

// Written by its thread alone; `what` last, and read first.
struct alignas(64) Entry {
  std::atomic<const char*> what{nullptr};
  std::atomic<std::uint64_t> detail{0}, object{0}, since_ns{0};
  std::atomic<Slot> slot{0};
  std::atomic<WaitFor> waits_for{WaitFor::kOther};
  std::atomic<bool> taken{true};  // by a thread that has not ended
  bool stall_reported = false;    // for its thread alone
  Entry* next = nullptr;          // of all entries; written before the entry is in the list

  void set(const CurrentWait& wait) noexcept {
    what.store(nullptr, std::memory_order_relaxed);
    slot.store(wait.slot, std::memory_order_relaxed);
    detail.store(wait.reason.detail, std::memory_order_relaxed);
    object.store(wait.reason.object, std::memory_order_relaxed);
    waits_for.store(wait.reason.waits_for, std::memory_order_relaxed);
    since_ns.store(wait.since_ns, std::memory_order_relaxed);
    what.store(wait.reason.what, std::memory_order_release);
  }
  CurrentWait get() const noexcept {
    const char* const now = what.load(std::memory_order_acquire);
    return {slot.load(std::memory_order_relaxed),
            {now, detail.load(std::memory_order_relaxed), waits_for.load(std::memory_order_relaxed),
             object.load(std::memory_order_relaxed)},
            since_ns.load(std::memory_order_relaxed)};
  }
};

// Entries are never freed: a signal handler may read the list at any time.
constinit std::atomic<Entry*> entries{nullptr};
constinit thread_local Entry* mine = nullptr;

Entry* new_entry() {
  Entry* const entry = new Entry;
  entry->next = entries.load(std::memory_order_relaxed);
  while (!entries.compare_exchange_weak(entry->next, entry, std::memory_order_release)) {
  }
  return entry;
}

Entry* take_entry() {
  for (Entry* e = entries.load(std::memory_order_acquire); e != nullptr; e = e->next)
    if (!e->taken.exchange(true, std::memory_order_acquire)) return e;
  return new_entry();
}

// Of a thread, which gives its entry back when it ends; what it waits for after that, at exit, may go
// unreported.
struct Taken {
  Entry* const entry = take_entry();
  Taken() = default;
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    mine = nullptr;
    entry->taken.store(false, std::memory_order_release);
  }
};

Entry* my_entry() noexcept {
  if (__builtin_expect(mine != nullptr, 1)) return mine;
  static thread_local Taken taken;
  return mine = taken.entry;
}

}  // namespace

WaitRecord::WaitRecord(Slot slot, const WaitReason& reason) noexcept {
  Entry* const entry = my_entry();
  if (__builtin_expect(entry->what.load(std::memory_order_relaxed) != nullptr, 0)) {
    before_ = entry->get();
    before_reported_ = entry->stall_reported;
  }
  const bool continues = before_.reason.what == reason.what;
  entry->set({slot, reason, continues ? before_.since_ns : 0});
  if (!continues) entry->stall_reported = false;
}

WaitRecord::~WaitRecord() {
  if (before_.reason.what == nullptr) {
    mine->what.store(nullptr, std::memory_order_relaxed);
    return;
  }
  if (before_.reason.what == mine->what.load(std::memory_order_relaxed))
    before_.since_ns = mine->since_ns.load(std::memory_order_relaxed);
  else
    mine->stall_reported = before_reported_;
  mine->set(before_);
}

void note_idle_wait(std::uint64_t since_ns) noexcept {
  if (mine != nullptr && mine->since_ns.load(std::memory_order_relaxed) == 0)
    mine->since_ns.store(since_ns, std::memory_order_relaxed);
}

std::uint64_t idle_wait_since() noexcept {
  return mine != nullptr ? mine->since_ns.load(std::memory_order_relaxed) : 0;
}

bool claim_stall_report() noexcept { return mine != nullptr && !std::exchange(mine->stall_reported, true); }

CurrentWait current_wait(Slot slot) noexcept {
  for (const Entry* e = entries.load(std::memory_order_acquire); e != nullptr; e = e->next) {
    const CurrentWait wait = e->get();
    if (wait.reason.what != nullptr && wait.slot == slot) return wait;
  }
  return {};
}

}  // namespace upcr
