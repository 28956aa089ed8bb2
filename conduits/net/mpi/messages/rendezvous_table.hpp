// SPDX-License-Identifier: BSD-3-Clause
// The large transfers that this process has started with one peer: a few entries, whose indices are the MPI
// tags of the data. No MPI here.
//
// The entry of a put is free again when its data has left (local completion) and the peer has reported its
// arrival (remote completion), in any order.
//
// Threads: under the conduit's lock.
#pragma once
#include <cstdint>

#include "conduits/core/model/completion.hpp"

namespace upcr::mpi {

// Transfers in progress at once with one peer: enough to keep a link full.
inline constexpr unsigned kMaxRendezvous = 4;

class RendezvousTable {
 public:
  static constexpr unsigned kNone = kMaxRendezvous;

  // The index of a free entry, or kNone. The caller has counted the transfer in `remote` and, unless null,
  // `local`, or does so before the transfer completes.
  unsigned begin_put(Pending& remote, Pending* local) noexcept {
    const unsigned slot = find_free();
    if (slot != kNone) slots_[slot] = {&remote, local, true, false, false};
    return slot;
  }
  unsigned begin_get(Pending& done) noexcept {
    const unsigned slot = find_free();
    if (slot != kNone) slots_[slot] = {&done, nullptr, true, true, false};
    return slot;
  }
  // The data of a put has left: its source may be reused.
  void put_sent(unsigned slot) noexcept {
    Slot& s = slots_[slot];
    if (s.local != nullptr) s.local->complete();
    s.left = true;
    if (s.arrived) s.used = false;
  }
  // The peer says that it has a put's data. False: there is no such put.
  bool put_arrived(std::uint32_t slot) noexcept {
    if (slot >= kMaxRendezvous) return false;
    Slot& s = slots_[slot];
    if (!s.used || s.is_get || s.arrived) return false;
    s.remote->complete();
    s.arrived = true;
    if (s.left) s.used = false;
    return true;
  }
  void get_arrived(unsigned slot) noexcept {
    slots_[slot].used = false;
    slots_[slot].remote->complete();
  }

 private:
  struct Slot {
    Pending* remote = nullptr;
    Pending* local = nullptr;
    bool used = false;
    bool is_get = false;
    bool left = false;
    bool arrived = false;
  };
  unsigned find_free() const noexcept {
    for (unsigned i = 0; i < kMaxRendezvous; ++i)
      if (!slots_[i].used) return i;
    return kNone;
  }

  Slot slots_[kMaxRendezvous];
};

}  // namespace upcr::mpi
