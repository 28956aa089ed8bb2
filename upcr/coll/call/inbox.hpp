// SPDX-License-Identifier: BSD-3-Clause
// The messages that a UPC thread has been sent by other members of its teams and has not received yet. One a
// thread, in its host's control memory: threads that have its segment mapped store messages directly, under
// the lock; for the others a handler of the thread's process does (transport.cpp).
//
// The memory is bounded: kCells cells of 256 bytes, so 64 KiB a thread, and 16 KiB for teams, which are not
// touched until they are used. When there is no room, the sender keeps the message and leaves a mark; a
// receiver that does not find a message and sees a mark pulls it from the sender (held.hpp). So a receiver
// that is many calls behind delays no sender, and no message is lost.
//
// Zero-filled memory is an empty inbox.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "conduits/core/base/system/spinlock.hpp"
#include "upcr/coll/call/team.hpp"

namespace upcr {
struct Job;
}

namespace upcr::coll {

// The key by which a message is matched. A sender sends one message of a tag to a member in a call.
struct Header {
  std::uint64_t team = 0;
  std::uint32_t call = 0;
  TeamRank from = 0;
  std::uint32_t tag = 0;
  std::uint32_t unused = 0;
  bool operator==(const Header&) const = default;
};
static_assert(sizeof(Header) == 24);

// Messages up to this size are sent eagerly; larger ones stay at the sender until they are pulled.
inline constexpr std::size_t kEagerLimit = 4096;

class Inbox {
 public:
  // Stores a message. False: there is no room, and nothing was changed.
  bool deposit(const Header& header, const void* data, std::size_t bytes) noexcept;
  // Removes a message and copies its data. False: it is not there. Fatal when its size differs.
  bool take(const Header& header, void* data, std::size_t bytes, const char* function) noexcept;

  // Leaves the mark that a message of this thread is to be pulled.
  void mark(Slot sender) noexcept;
  bool marked(Slot sender) const noexcept {
    return marks_[sender % kMarks].load(std::memory_order_acquire) > 0;
  }
  // One message has been pulled. A count may be negative until a mark that travels by message arrives.
  void unmark(Slot sender) noexcept { marks_[sender % kMarks].fetch_sub(1, std::memory_order_relaxed); }

  // Changes with every deposit, mark and notification: the owner waits for a change.
  std::uint32_t changes() const noexcept { return changes_.load(std::memory_order_acquire); }
  void notify() noexcept { changes_.fetch_add(1, std::memory_order_release); }

  // By team index: the last call that the owner has entered. `ended`: its program has ended.
  std::atomic<std::uint32_t> entered[kMaxTeams];
  std::atomic<std::uint32_t> ended;
  std::atomic<std::uint32_t> watched;  // some bit of watchers() is set

 private:
  static constexpr unsigned kCells = 256, kMarks = 32;
  struct alignas(64) Cell {
    std::uint16_t next;          // of the same message; of the free list
    std::uint16_t next_message;  // first cell of a message only
    std::uint32_t bytes;         // of the message; first cell only
    Header header;               // first cell only
    char data[224];
  };
  static_assert(sizeof(Cell) == 256);

  Cell& cell(unsigned number) noexcept { return cells_[number - 1]; }
  unsigned allocate() noexcept;
  void release(unsigned number) noexcept;

  SpinLock lock_;
  std::atomic<std::uint32_t> changes_;
  std::atomic<std::uint32_t> stored_;        // messages
  std::uint16_t free_, fresh_, free_count_;  // list, cells never used yet are those from fresh_ + 1
  std::uint16_t first_, last_;               // messages in order of arrival; 0: none
  std::atomic<std::int32_t> marks_[kMarks];  // by the sender's number modulo kMarks
  Cell cells_[kCells];
};

void plan_inboxes(Job& job);
// Of a thread whose segment is mapped here; nullptr else.
Inbox* inbox_of(Slot thread) noexcept;
// The threads to wake when the owner enters a call: one bit for each thread of the job.
std::atomic<std::uint64_t>* watchers_of(Slot thread) noexcept;
constexpr std::size_t watcher_bytes(Slot threads) noexcept {
  return (std::size_t{threads} + 63) / 64 * sizeof(std::atomic<std::uint64_t>);
}

}  // namespace upcr::coll
