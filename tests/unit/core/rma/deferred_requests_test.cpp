// SPDX-License-Identifier: BSD-3-Clause
// Deferred requests of processes that are busy with something else.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "tests/support/thread_job.hpp"

namespace upcr {
namespace {

using test::here;
using test::ThreadJob;

constexpr std::uint8_t kNothing = 100;
constexpr std::size_t kBytes = 5000;
constexpr std::chrono::seconds kDeadline{30};

// Rank 1 sends to rank 3, which receives nothing and has room for one message. A copy to rank 2, which rank 0
// has requested of rank 1, proceeds meanwhile.
TEST(DeferredRequests, GoOnWhileARequestFindsNoRoom) {
  ThreadJob job(4, {.requests = 1});
  std::atomic<unsigned> received{0};
  std::atomic<bool> sending{false}, over{false}, finished{false}, copied{false};
  std::vector<std::thread> threads;
  job.start(threads, [&](Job& j) {
    const Rank me = j.topology.rank;
    const auto count = [](AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void* n) {
      static_cast<std::atomic<unsigned>*>(n)->fetch_add(1);
    };
    j.engine->set_handler(kNothing, count, &received);
    std::memset(here(j, 0), 'a' + static_cast<int>(me), kBytes);
    j.bootstrap->barrier();
    if (me == 0) {
      while (!sending) std::this_thread::yield();
      Pending done;
      j.deferred_requests.start_copy(0, 2, 0, 1, 0, kBytes, done);
      const auto ends = std::chrono::steady_clock::now() + kDeadline;
      j.progress.wait_until(0, {"copy"},
                            [&] { return done.done() || std::chrono::steady_clock::now() > ends; });
      copied = done.done();
      over = true;
      j.progress.wait_until(0, {"copy"}, [&] { return done.done(); });
      finished = true;
    } else if (me == 1) {
      AmMessage m;
      m.handler = kNothing;
      sending = true;
      for (int i = 0; i < 3; ++i) j.engine->request(3, m);
    }
    while (!finished || received != 3)
      if ((me == 3 && !over) || j.progress.poll() == 0) std::this_thread::yield();
    j.bootstrap->barrier();
    end_job(j);
  });
  for (std::thread& t : threads) t.join();
  EXPECT_TRUE(copied);
  EXPECT_EQ(here(job.rank(2), 0)[kBytes - 1], 'b');
}

// A conduit that lets another thread poll whenever a message finds no room, at most kMaxRefusals times.
class PollingConduit final : public Conduit {
 public:
  static constexpr unsigned kMaxRefusals = 10;
  explicit PollingConduit(std::unique_ptr<Conduit> inner) : inner_(std::move(inner)) {
    caps_ = inner_->caps();
  }
  const char* name() const noexcept override { return "polling"; }
  Status attach(const AttachInfo& info) override { return inner_->attach(info); }
  Status am_send(Rank to, const AmPacket& packet) override {
    const Status status = inner_->am_send(to, packet);
    if (status == Status::kNoResource && poll_on_other_thread && ++refused <= kMaxRefusals)
      std::thread(poll_on_other_thread).join();
    return status;
  }
  unsigned poll(unsigned budget, AmSink& sink) override { return inner_->poll(budget, sink); }
  bool pending() const noexcept override { return inner_->pending(); }
  Status detach() override { return inner_->detach(); }

  std::function<void()> poll_on_other_thread;
  unsigned refused = 0;

 private:
  std::unique_ptr<Conduit> inner_;
};

// Rank 0 has asked rank 1 for a copy to rank 2, to which there is no room. Other threads of rank 1 poll while
// one runs its deferred requests: its poll ends after one pass, and the requests go on by later polls.
TEST(DeferredRequests, APollEndsWhileOtherThreadsPoll) {
  ThreadJob job(3, {.requests = 1});
  auto polling = std::make_unique<PollingConduit>(std::move(job.rank(1).conduit));
  PollingConduit& conduit = *polling;
  job.rank(1).conduit = std::move(polling);
  std::atomic<bool> finished{false};
  std::atomic<unsigned> taken{0}, refused_in_one_poll{0};
  std::vector<std::thread> threads;
  job.start(threads, [&](Job& j) {
    const Rank me = j.topology.rank;
    const auto count = [](AmToken&, const std::uint32_t*, unsigned, void*, std::size_t, void* n) {
      static_cast<std::atomic<unsigned>*>(n)->fetch_add(1);
    };
    j.engine->set_handler(kNothing, count, &taken);
    std::memset(here(j, 0), 'a' + static_cast<int>(me), kBytes);
    j.bootstrap->barrier();
    Pending done;
    AmMessage nothing;
    nothing.handler = kNothing;
    if (me == 0) j.deferred_requests.start_copy(0, 2, 0, 1, 0, kBytes, done);
    if (me == 1) j.engine->request(2, nothing);
    j.bootstrap->barrier();
    if (me == 1) {
      conduit.poll_on_other_thread = [&] { (void)j.progress.poll(); };
      while (conduit.refused == 0) (void)j.progress.poll();
      refused_in_one_poll = conduit.refused;
      conduit.poll_on_other_thread = nullptr;
    }
    j.bootstrap->barrier();
    if (me == 0) {
      j.progress.wait_until(0, {"copy"}, [&] { return done.done(); });
      finished = true;
    }
    while (!finished || taken != 1)
      if (j.progress.poll() == 0) std::this_thread::yield();
    j.bootstrap->barrier();
    end_job(j);
  });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(refused_in_one_poll, 1u);
  EXPECT_EQ(here(job.rank(2), 0)[kBytes - 1], 'b');
}

}  // namespace
}  // namespace upcr
