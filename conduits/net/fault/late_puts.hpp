// SPDX-License-Identifier: BSD-3-Clause
// Puts of a network that reads their sources as late as the interface allows: some polls after the put, when
// it sends them as messages. A source that is changed before its local completion arrives changed, which no
// conduit that copies would show. Any thread; send_due() by one at a time, in the conduit's poll.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/rma/rma_over_am.hpp"

namespace upcr {

class LatePuts {
 public:
  // A put that fits in one packet. `send_at`: the number of a poll.
  void add(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote, Pending* local,
           std::uint64_t send_at) {
    Put put{to, raddr, src, bytes, &remote, local, send_at, {}};
    if (local == nullptr) {  // the source is reusable on return
      const char* const data = static_cast<const char*>(src);
      put.copy.assign(data, data + bytes);
    } else {
      local->add();
    }
    remote.add();
    const std::lock_guard<SpinLock> guard(lock_);
    waiting_.push_back(std::move(put));
    count_.store(waiting_.size(), std::memory_order_relaxed);
  }

  bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

  // Sends those that are due before poll `now`, by the engine over the conduit. Not under the lock: sending
  // calls the conduit.
  void send_due(std::uint64_t now, AmEngine* engine) {
    std::vector<Put> due;
    {
      const std::lock_guard<SpinLock> guard(lock_);
      due.swap(waiting_);
    }
    std::erase_if(due, [=](Put& p) { return p.send_at <= now && send(p, *engine); });
    const std::lock_guard<SpinLock> guard(lock_);
    for (Put& p : due) waiting_.push_back(std::move(p));
    count_.store(waiting_.size(), std::memory_order_relaxed);
  }

 private:
  struct Put {
    Rank to;
    std::uint64_t raddr;
    const void* src;
    std::size_t bytes;
    Pending *remote, *local;
    std::uint64_t send_at;
    std::vector<char> copy;
  };

  static bool send(Put& p, AmEngine& engine) {
    const void* const src = p.local == nullptr ? p.copy.data() : p.src;
    if (try_put_over_am(engine, p.to, p.raddr, src, p.bytes, *p.remote) != Status::kOk) return false;
    if (p.local != nullptr) p.local->complete();
    p.remote->complete();  // counted by add()
    return true;
  }

  SpinLock lock_;
  std::vector<Put> waiting_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace upcr
