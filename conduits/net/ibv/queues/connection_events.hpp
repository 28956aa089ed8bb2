// SPDX-License-Identifier: BSD-3-Clause
// Events of queue pairs, from the service thread to the data path, which fetches them when it polls next. So
// the data path needs no lock against the service thread, only a test of a flag.
#pragma once
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "conduits/net/ibv/queues/link.hpp"

namespace upcr::ibv {

// Receive buffers that are posted, beyond those of all connections' least shares, as credits.
struct ReceiveCapacity {
  unsigned credits = 0;
  bool covers_least = true;  // are there enough for the least shares?
};

struct ConnectionEvent {
  enum Type { kPrepared, kEstablished, kDiscarded } type;
  Link* link;
  Connection connection;
  // kPrepared, kDiscarded: what the receive buffers of the device suffice for now.
  ReceiveCapacity capacity;
};

class ConnectionEventQueue {
 public:
  ConnectionEventQueue() : event_fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~ConnectionEventQueue() { ::close(event_fd_); }
  ConnectionEventQueue(const ConnectionEventQueue&) = delete;
  ConnectionEventQueue& operator=(const ConnectionEventQueue&) = delete;

  // Readable from add() to reset_event_fd().
  int event_fd() const noexcept { return event_fd_; }
  void reset_event_fd() const noexcept {
    eventfd_t count;
    (void)::eventfd_read(event_fd_, &count);
  }
  bool any() const noexcept { return any_.load(std::memory_order_acquire); }
  void add(const ConnectionEvent& event) {
    const std::lock_guard lock(mutex_);
    connection_events_.push_back(event);
    any_.store(true, std::memory_order_release);
    (void)::eventfd_write(event_fd_, 1);
  }
  std::vector<ConnectionEvent> fetch() {
    const std::lock_guard lock(mutex_);
    any_.store(false, std::memory_order_relaxed);
    return std::exchange(connection_events_, {});
  }

 private:
  int event_fd_;
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::vector<ConnectionEvent> connection_events_;
};

}  // namespace upcr::ibv
