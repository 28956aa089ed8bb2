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
    const unsigned index = find_free();
    if (index != kNone) entries_[index] = {&remote, local, true, false, false};
    return index;
  }
  // Data whose arrival is not reported, or by other means.
  unsigned begin_bulk(Pending& local) noexcept {
    const unsigned index = find_free();
    if (index != kNone) entries_[index] = {nullptr, &local, true, false, false, true};
    return index;
  }
  unsigned begin_get(Pending& done) noexcept {
    const unsigned index = find_free();
    if (index != kNone) entries_[index] = {&done, nullptr, true, true, false};
    return index;
  }
  // The data of a put has left: its source may be reused.
  void put_sent(unsigned index) noexcept {
    Entry& s = entries_[index];
    if (s.local != nullptr) s.local->complete();
    s.left = true;
    if (s.arrived) s.used = false;
  }
  // The peer has reported that the data of a put has arrived. False: there is no such put.
  bool put_arrived(std::uint32_t index) noexcept {
    if (index >= kMaxRendezvous) return false;
    Entry& s = entries_[index];
    if (!s.used || s.is_get || s.arrived) return false;
    s.remote->complete();
    s.arrived = true;
    if (s.left) s.used = false;
    return true;
  }
  void get_arrived(unsigned index) noexcept {
    entries_[index].used = false;
    entries_[index].remote->complete();
  }

 private:
  struct Entry {
    Pending* remote = nullptr;
    Pending* local = nullptr;
    bool used = false;
    bool is_get = false;
    bool left = false;
    bool arrived = false;
  };
  unsigned find_free() const noexcept {
    for (unsigned i = 0; i < kMaxRendezvous; ++i)
      if (!entries_[i].used) return i;
    return kNone;
  }

  Entry entries_[kMaxRendezvous];
};

}  // namespace upcr::mpi
