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
NetworkBell network_bell;
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
  bool receive() {
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
    network_bell.watch();
    rung = bell.wait(epoch, kForever);
  }
  bell.finish_wait();
  return rung;
}

class Bell : public testing::Test {
 public:
  void SetUp() override {
    register_sleeper_process();
    rings = 0;
    const auto ring = [](void*) {
      rings.fetch_add(1, std::memory_order_relaxed);
      bell.ring();
    };
    network_bell.start(network.fd(), ring, nullptr);
  }
  void TearDown() override { network_bell.stop(); }
  Network network;
};

// Several threads receive what another one sends: some messages in bursts, others one by one while all
// threads sleep.
TEST_F(Bell, NoArrivalIsMissed) {
  for (const unsigned sleepers : {1u, 3u}) {
    constexpr unsigned kMessages = 20000;
    std::atomic<unsigned> received{0};
    std::atomic<bool> over{false};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < sleepers; ++i)
      threads.emplace_back([&] {
        while (!over) {
          if (network.receive()) {
            if (++received == kMessages) over = true;
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
        while (received < sent) std::this_thread::yield();
    }
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(received, kMessages);
  }
}

TEST_F(Bell, SilentWithoutAWatch) {
  const std::uint64_t one = 1;
  for (int i = 0; i < 10; ++i) (void)!::write(network.fd(), &one, sizeof one);
  network_bell.stop();  // its thread has ended: no ring can follow
  EXPECT_EQ(rings, 0u);
}

// One ring for one watch, though the descriptor stays readable: the thread does not spin.
TEST_F(Bell, RingsOnceForEachWatch) {
  const std::uint64_t one = 1;
  (void)!::write(network.fd(), &one, sizeof one);
  for (unsigned i = 1; i <= 5; ++i) {
    network_bell.watch();
    while (rings < i) std::this_thread::yield();
  }
  network_bell.stop();
  EXPECT_EQ(rings, 5u);
}

TEST_F(Bell, StartsAndStopsAgain) {
  for (int i = 0; i < 20; ++i) {
    network_bell.stop();
    network_bell.stop();  // nothing to stop
    network_bell.start(
        network.fd(), [](void*) { rings.fetch_add(1, std::memory_order_relaxed); }, nullptr);
    network.send();
    network_bell.watch();
  }
}

}  // namespace
}  // namespace upcr
