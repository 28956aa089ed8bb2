// SPDX-License-Identifier: BSD-3-Clause
// The thread that waits for the network: no thread that sleeps by the four steps of network_bell.hpp misses
// what arrives. The network is a counter and an eventfd, which is written at most once for each time it is
// armed.
#include "conduits/core/wait/network_bell.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "conduits/core/base/system/futex.hpp"

namespace upcr {
namespace {

constexpr std::chrono::microseconds kForever{600'000'000};

Doorbell bell;
std::atomic<unsigned> rings{0};

class Network {
 public:
  Network() : fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}
  ~Network() { ::close(fd_); }
  int fd() const { return fd_; }

  void send() {
    sent_.fetch_add(1);
    if (armed_.exchange(false)) (void)!::write(fd_, &kOne, sizeof kOne);
  }
  bool take() {
    unsigned n = sent_.load();
    while (n != 0)
      if (sent_.compare_exchange_weak(n, n - 1)) return true;
    return false;
  }
  bool arm() {
    std::uint64_t events;
    (void)!::read(fd_, &events, sizeof events);
    armed_.store(true);
    return sent_.load() == 0;
  }

 private:
  static constexpr std::uint64_t kOne = 1;
  const int fd_;
  std::atomic<unsigned> sent_{0};
  std::atomic<bool> armed_{false};
};

// Sleeps as a waiting thread does. False: the wait ended without a ring.
bool sleep_for(Network& network, const std::atomic<bool>& over) {
  const std::uint32_t epoch = bell.prepare_wait();
  bool rung = true;
  if (!over && network.arm()) {
    watch_network();
    rung = bell.wait(epoch, kForever);
  }
  bell.finish_wait();
  return rung;
}

class Bell : public testing::Test {
 protected:
  void SetUp() override {
    register_sleeper_process();
    rings = 0;
    start_network_bell(network.fd(), [] {
      rings.fetch_add(1, std::memory_order_relaxed);
      bell.ring();
    });
  }
  void TearDown() override { stop_network_bell(); }
  Network network;
};

// Several threads take what another one sends, now in bursts, now one by one with everybody asleep.
TEST_F(Bell, NothingThatArrivesIsSleptThrough) {
  for (const unsigned sleepers : {1u, 3u}) {
    constexpr unsigned kMessages = 20000;
    std::atomic<unsigned> taken{0};
    std::atomic<bool> over{false};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < sleepers; ++i)
      threads.emplace_back([&] {
        while (!over) {
          if (network.take()) {
            if (++taken == kMessages) over = true;
            bell.ring();  // as the engine does
          } else {
            (void)sleep_for(network, over);
          }
        }
      });
    for (unsigned sent = 0; sent < kMessages;) {
      for (unsigned burst = sent % 7 == 0 ? 5 : 1; burst > 0 && sent < kMessages; --burst, ++sent)
        network.send();
      if (sent % 3 != 0)
        while (taken < sent) std::this_thread::yield();
    }
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(taken, kMessages);
  }
}

TEST_F(Bell, SilentWhileNobodyWatches) {
  const std::uint64_t one = 1;
  for (int i = 0; i < 10; ++i) (void)!::write(network.fd(), &one, sizeof one);
  stop_network_bell();  // whatever it had to say has been said
  EXPECT_EQ(rings, 0u);
}

// One ring for one watch, though the descriptor stays readable: the thread does not spin.
TEST_F(Bell, RingsOnceForEachWatch) {
  const std::uint64_t one = 1;
  (void)!::write(network.fd(), &one, sizeof one);
  for (unsigned i = 1; i <= 5; ++i) {
    watch_network();
    while (rings < i) std::this_thread::yield();
  }
  stop_network_bell();
  EXPECT_EQ(rings, 5u);
}

TEST_F(Bell, StartsAndStopsAgain) {
  for (int i = 0; i < 20; ++i) {
    stop_network_bell();
    stop_network_bell();  // nothing to stop
    start_network_bell(network.fd(), [] { rings.fetch_add(1, std::memory_order_relaxed); });
    network.send();
    watch_network();
  }
}

}  // namespace
}  // namespace upcr
