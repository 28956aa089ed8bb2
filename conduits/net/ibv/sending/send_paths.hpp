// SPDX-License-Identifier: BSD-3-Clause
// The send paths of a process: the peers are dealt to them by rank, and each has a lock, room in the
// completion queues, operations and buffers of its own. So threads that send to peers of different paths
// share nothing. A process with one thread has one, whose lock it does not take.
//
// Threads: open() on the main thread; what visits paths takes their locks.
#pragma once
#include <algorithm>
#include <memory>
#include <mutex>
#include <span>

#include "conduits/core/base/system/status.hpp"
#include "conduits/net/ibv/sending/send_path.hpp"

namespace upcr::ibv {

class SendPaths {
 public:
  // More need more memory, and part the room in the completion queues too much.
  static constexpr unsigned kMost = 8;

  // `count`: a power of two.
  void open(Connections& connections, bool iwarp, bool siw, unsigned count) {
    count_ = count;
    paths_ = std::make_unique<SendPath[]>(count);
    for (unsigned i = 0; i < count; ++i) paths_[i].open(connections, iwarp, siw, i);
  }
  unsigned count() const noexcept { return count_; }
  std::span<SendPath> all() const noexcept { return {paths_.get(), count_}; }
  // The bits of the rank are folded, three by three up to the 24th: partners at the same place on each host,
  // as of a ring over hosts, are not all of one path. Each aligned block of kMost ranks has all paths.
  SendPath& of(Rank peer) const noexcept {
    peer ^= peer >> 12;
    peer ^= peer >> 6;
    peer ^= peer >> 3;
    return paths_[peer & (count_ - 1)];
  }

  // SendPath::needs_poll() of any of them. `locked`: their locks are to be taken.
  bool needs_poll(bool locked) const noexcept {
    return std::any_of(paths_.get(), paths_.get() + count_, [locked](SendPath& path) {
      if (!path.waits_for_poll()) return false;
      const auto guard = lock_if(path.lock(), locked);
      return path.needs_poll();
    });
  }

 private:
  std::unique_ptr<SendPath[]> paths_;
  unsigned count_ = 0;
};

}  // namespace upcr::ibv
