// SPDX-License-Identifier: BSD-3-Clause
// One end of a reliable connection, as the two processes tell each other of it. No verbs here.
#pragma once
#include <cstdint>

namespace upcr::ibv {

// What a queue pair needs to know of the other one.
struct QueuePairEnd {
  std::uint32_t number = 0, first_packet = 0;
  std::uint8_t reads = 0;
  // -- XRC
  std::uint32_t srq = 0;  // this process's shared receive queue; 0: no XRC
  std::uint32_t target =
      0;                   // the receiving queue pair on this host that was made for the peer's; 0: none was
  std::uint32_t uses = 0;  // that on the peer's host to which this process's queue pair sends; or of these:

  static constexpr std::uint32_t kNeedsTarget = 0;         // none yet: the peer is to make one
  static constexpr std::uint32_t kAsksAnother = 1U << 31;  // none yet: another process of that host is asked
  bool is_shared() const noexcept { return srq != 0; }
};

}  // namespace upcr::ibv
