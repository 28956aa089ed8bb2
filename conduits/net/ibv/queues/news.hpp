// SPDX-License-Identifier: BSD-3-Clause
// What the service thread has to tell the data path about queue pairs: left here, and fetched when the data
// path polls next. So the data path needs no lock against the service thread, only a look at a flag.
#pragma once
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "conduits/net/ibv/queues/link.hpp"

namespace upcr::ibv {

struct News {
  enum What { kPrepared, kEstablished, kDiscarded } what;
  Link* link;
  Connection connection;
};

class Newsroom {
 public:
  Newsroom() : bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~Newsroom() { ::close(bell_); }
  Newsroom(const Newsroom&) = delete;
  Newsroom& operator=(const Newsroom&) = delete;

  // Readable from add() to quiet().
  int bell() const noexcept { return bell_; }
  void quiet() const noexcept {
    eventfd_t count;
    (void)::eventfd_read(bell_, &count);
  }
  bool any() const noexcept { return any_.load(std::memory_order_acquire); }
  void add(const News& news) {
    const std::lock_guard lock(mutex_);
    news_.push_back(news);
    any_.store(true, std::memory_order_release);
    (void)::eventfd_write(bell_, 1);
  }
  std::vector<News> fetch() {
    const std::lock_guard lock(mutex_);
    any_.store(false, std::memory_order_relaxed);
    return std::exchange(news_, {});
  }

 private:
  int bell_;
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::vector<News> news_;
};

}  // namespace upcr::ibv
