// SPDX-License-Identifier: BSD-3-Clause
// Private memory that stays registered for the next transfer: ranges of whole pages of one device, evicted in
// the order of last use. Knows no verbs: it is given what registers (Registrar, registrar.hpp) and what
// watches (ChangeWatch), by private_memory.cpp or by tests.
//
// An entry is what ibv_reg_mr has pinned: pages, not addresses. When the program unmaps, moves or discards
// the range, other pages (or none) are at these addresses, and the entry is *stale*: it may serve the
// transfers that use it already, never another one. changed() marks it, on the watcher's thread or on the one
// that unmaps, without a lock and without allocation, before or while that thread is in its system call;
// users find the mark.
//
// A range is the pages of the transfer that asked for it. It is joined with kept ranges that overlap it where
// they add no more than its own length, so that registering it costs twice as much at the most, and where no
// reported change is still to be made (ChangeWatch::changes_are_made()). What only touches it may be another
// block of memory, which should not be registered anew when this one is freed. A discard
// (MADV_DONTNEED) is reported before the pages go, so memory that the transfer does not own might be
// registered just then, and stay registered with pages that are no longer there. For its own range that is
// impossible as long as the program does not discard what it transfers.
// No live range contains another one (the smaller is dropped), so ranges sorted by their begin are sorted by
// their end too, and one candidate answers a look-up.
//
// Locked memory is scarce, and other parts of the process need some of it later (release_unused()). What is
// registered here never exceeds Limits::registered; and a transfer that was refused when nothing else was
// registered is refused at once the next times, before it evicts what other transfers use.
//
// pin() and unpin() on any thread. The lock is always taken, because the service thread gives entries
// back, in a process with one thread too; it costs little beside events_drained(), which may be a system
// call. It is held while memory is registered and deregistered, both of which may unmap memory inside
// libibverbs (free()) and so wait for the watcher: changed() never takes it. All entries are allocated by the
// constructor; none of the functions here allocates afterwards.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/net/ibv/memory/registration.hpp"
#include "conduits/net/ibv/watch/change_watch.hpp"

namespace upcr::ibv {

class Registrar {
 public:
  enum class Result : std::uint8_t {
    kOk,
    kNoRoom,      // the limit of locked memory, or the device's, is reached: may work after deregistrations
    kNotAllowed,  // the memory cannot be accessed so: read-only, or not mapped
  };
  // Pins [begin, begin + bytes), whole pages. `writable`: the device may write it, too.
  virtual Result add(std::uintptr_t begin, std::size_t bytes, bool writable, std::uint32_t* key,
                     void** handle) = 0;
  virtual void remove(void* handle) = 0;

 protected:
  ~Registrar() = default;
};

class RegistrationCache final : public ChangeListener {
 public:
  struct Limits {
    std::size_t bytes = 0;              // kept registered, at most; 0: nothing is kept
    std::uint32_t entries = 1;          // kept or in use, at most
    std::size_t registered = SIZE_MAX;  // kept or in use, at most
  };
  struct Counts {
    std::uint64_t hits = 0, registered = 0, joined = 0, once = 0, stale = 0, released = 0;
  };
  // How long the memory stays mapped.
  enum class Memory : std::uint8_t {
    kPrograms,  // may be unmapped at any time: kept if it can be watched
    kStays,     // kept: mapped until the end of the job, or the device follows what happens to it
  };

  // `number`: Registration::cache. `watch` may be null: then only memory that stays is kept.
  RegistrationCache(Registrar& registrar, std::uint32_t number, ChangeWatch* watch, const Limits& limits);
  // Nothing is pinned any more.
  ~RegistrationCache();
  RegistrationCache(const RegistrationCache&) = delete;
  RegistrationCache& operator=(const RegistrationCache&) = delete;

  // Memory::pin. Nullptr: all entries are in use, or the memory cannot be registered.
  Registration* pin(std::uintptr_t begin, std::size_t bytes, Use use, Memory memory);
  void unpin(Registration* registration);
  // Deregisters what has become stale and is not in use. A relaxed load if there is nothing.
  void reclaim_stale() {
    if (some_stale_.load(std::memory_order_relaxed)) reclaim_stale_now();
  }
  // Deregisters everything that is not in use, to make locked memory available. False: there was nothing.
  bool release_unused();
  // Is anything registered? After release_unused(): by transfers in progress.
  bool in_use() noexcept;

  // Some memory of [begin, end) changes its pages. Any thread.
  void changed(std::uintptr_t begin, std::uintptr_t end) noexcept override;

  Counts counts() const noexcept { return counts_; }
  std::size_t bytes() const noexcept { return bytes_; }             // kept registered
  std::size_t kept() const noexcept { return by_address_.size(); }  // entries

 private:
  struct Entry;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Entry* find(std::uintptr_t begin, std::uintptr_t end, Use use) noexcept;
  Entry* make(std::uintptr_t begin, std::uintptr_t end, Use use, Memory memory, bool events_drained);
  Entry* make_joined(std::uintptr_t begin, std::uintptr_t end, Memory memory);
  Entry* allocate_entry();
  bool make_room(std::size_t bytes);
  bool will_fail(std::size_t bytes) noexcept;
  void note_refusal(std::size_t bytes) noexcept;
  void reclaim_stale_now();
  bool register_entry(Entry& entry, std::uintptr_t begin, std::size_t bytes, Use use);
  void keep(Entry& entry);
  void drop(Entry& entry);
  void release(Entry& entry);
  bool evict_oldest();
  void sweep();
  void link_newest(Entry& entry) noexcept;
  void unlink(Entry& entry) noexcept;

  Registrar& registrar_;
  ChangeWatch* const watch_;
  const Limits limits_;
  const std::uintptr_t page_;
  SpinLock lock_;
  std::unique_ptr<Entry[]> entries_;
  std::atomic<std::uint32_t> used_{0};             // entries that have ever been used: the first so many
  std::atomic<bool> some_stale_{false};            // changed() has marked an entry since the last sweep()
  std::vector<std::uint32_t> free_;                // a stack of entries
  std::vector<std::uint32_t> by_address_;          // the kept ones, sorted
  std::uint32_t oldest_ = kNone, newest_ = kNone;  // kept ones that are not in use, in the order of last use
  std::size_t bytes_ = 0;                          // kept
  std::size_t registered_ = 0;                     // kept or in use
  std::size_t refused_ = SIZE_MAX;                 // so much was refused although nothing else was registered
  std::uint32_t refusals_ = 0;                     // since then
  Counts counts_;
};

}  // namespace upcr::ibv
