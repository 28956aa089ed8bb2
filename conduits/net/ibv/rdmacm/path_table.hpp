// SPDX-License-Identifier: BSD-3-Clause
// The paths that the subnet manager has given to the processes of a host, one for each pair of ports, in
// memory that they share. The first process that needs a path claims the pair and asks; those that come
// meanwhile wait for its answer. A claim ends with the answer, when its process gives it up, or after
// kClaimLimit: another process claims the pair then.
//
// Of bounded size: where the entries that a pair may have are all in use, the oldest path makes room; where
// they are all claimed, the process asks without a claim, and its answer is not kept. So find() always says
// what to do, and the worst that can happen is one more question.
//
// A process that ends in the middle of a change leaves the lock to the next one, which empties the table.
// Where one is stopped there, as by a debugger, those that come meanwhile do without the table from then on.
// Times are of the host's monotonic clock (connector/clock.hpp). Any thread.
#pragma once
#include <infiniband/sa.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "conduits/core/base/system/status.hpp"
#include "conduits/net/ibv/connector/clock.hpp"

namespace upcr::ibv {

// What the subnet manager chooses a path by.
struct PathKey {
  ibv_gid own{}, remote{};
  std::uint16_t partition = 0;      // in network byte order
  std::uint16_t traffic_class = 0;  // one more than it is; 0: none was set
};

class PathTable {
 public:
  using Claim = std::uint64_t;
  static constexpr Claim kNoClaim = 0;
  static constexpr Millis kClaimLimit = 6'000;

  enum class Answer : std::uint8_t {
    kKept,  // the path is known
    kAsk,   // the caller is to ask; with a claim it owes keep(), decline() or give_up()
    kWait,  // another attempt asks
  };
  struct Found {
    Answer answer = Answer::kAsk;
    Claim claim = kNoClaim;
    ibv_path_record path{};
  };

  // For a job of that many processes.
  static std::size_t bytes_for(Rank processes) noexcept;

  // Zero-filled memory of `bytes` that all processes of the host give here. All of them have returned before
  // one looks for a path. Null: there is none, and everybody asks.
  void open(void* memory, std::size_t bytes) noexcept;

  Found find(const PathKey& key, Millis now) noexcept;
  // The answer. Nothing is kept if the claim has ended.
  void keep(const PathKey& key, Claim claim, const ibv_path_record& path, Millis now) noexcept;
  // The answer is of no use to others: each asks for itself.
  void decline(const PathKey& key, Claim claim, Millis now) noexcept;
  // There is no answer: another one may ask.
  void give_up(const PathKey& key, Claim claim) noexcept;
  // This path did not work. Another one that is kept by now stays.
  void drop(const PathKey& key, const ibv_path_record& path) noexcept;
  // Paths and claims of all pairs with this port of the host.
  void drop_from(const ibv_gid& own) noexcept;

 private:
  struct Entry;
  struct Head;
  class Lock;
  Entry* set_of(const PathKey& key) const noexcept;
  Entry* entry_of(const PathKey& key) const noexcept;
  Entry* claimed_entry(const PathKey& key, Claim claim) const noexcept;

  Head* head_ = nullptr;
  Entry* entries_ = nullptr;
  std::size_t sets_ = 0;                  // a power of two
  std::atomic<bool> is_blocked_ = false;  // the lock could not be had in time
};

}  // namespace upcr::ibv
