// SPDX-License-Identifier: BSD-3-Clause
// The peers that may need an acknowledgement (credits.hpp) in a packet of its own, each once. A peer is added
// where a request of it is processed; the list is flushed when what has arrived is processed, so that a reply
// may carry the acknowledgement first. No lock of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/base/system/status.hpp"

namespace upcr {

class PendingAckList {
 public:
  void open(std::size_t processes) {
    static_assert(kBytesPerPeer == sizeof listed_[0] + sizeof ranks_[0]);
    listed_.assign(processes, 0);
    ranks_.reserve(processes);
  }
  bool empty() const noexcept { return ranks_.empty(); }
  void add(Rank rank) noexcept {
    if (listed_[rank] != 0) return;
    listed_[rank] = 1;
    ranks_.push_back(rank);  // reserved: one entry a process
  }
  // Calls send(rank) for each. A rank stays listed if send() returns false: there is no room. send() adds
  // nothing to the list.
  template <typename Send>
  void flush(Send&& send) noexcept {
    std::size_t kept = 0;
    for (const Rank rank : ranks_) {
      if (send(rank))
        listed_[rank] = 0;
      else
        ranks_[kept++] = rank;
    }
    ranks_.resize(kept);
  }

  // Memory for each process, and what is untouched of it until there are so many at once.
  static constexpr std::size_t kBytesPerPeer = sizeof(std::uint8_t) + sizeof(Rank);
  static constexpr std::size_t kUntouched = sizeof(Rank);

 private:
  std::vector<std::uint8_t> listed_;
  std::vector<Rank> ranks_;
};

}  // namespace upcr
