// SPDX-License-Identifier: BSD-3-Clause
// Threads that share CPUs: which are oversubscribed, which CPU each prefers, and how it returns there.
#include "conduits/core/wait/soft_affinity.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "conduits/core/startup/hosts.hpp"

namespace upcr {
namespace {

// Ranks that are threads of this process.
struct Exchange {
  explicit Exchange(Rank ranks) : size(ranks) {}
  const Rank size;
  std::mutex mutex;
  std::condition_variable all_arrived;
  std::vector<char> contributions;
  Rank arrived = 0;
};
class ThreadRank final : public Bootstrap {
 public:
  ThreadRank(Exchange& exchange, Rank rank) : exchange_(exchange) {
    rank_ = rank;
    size_ = exchange.size;
  }
  void allgather(const void* mine, std::size_t bytes, void* all) override {
    std::unique_lock lock(exchange_.mutex);
    exchange_.contributions.resize(size_ * bytes);
    std::memcpy(exchange_.contributions.data() + rank_ * bytes, mine, bytes);
    if (++exchange_.arrived == size_) exchange_.all_arrived.notify_all();
    exchange_.all_arrived.wait(lock, [&] { return exchange_.arrived == size_; });
    std::memcpy(all, exchange_.contributions.data(), size_ * bytes);
  }
  void barrier() override {}
  void polling_barrier(const std::function<void()>&) override {}
  void finalize() override {}
  void global_exit(int) override { std::abort(); }
  void abort(int) override { std::abort(); }

 private:
  Exchange& exchange_;
};

Topology topology(Rank rank, const std::vector<Slot>& slots) {
  Topology t;
  t.rank = rank;
  t.size = static_cast<Rank>(slots.size());
  t.first_slot = {0};
  for (const Slot n : slots) t.first_slot.push_back(t.first_slot.back() + n);
  return t;
}

cpu_set_t allowed() {
  cpu_set_t set;
  EXPECT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  return set;
}
std::vector<int> list(const cpu_set_t& set) {
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}
void pin(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
}

// The result of each rank. `cpu_of` a rank: -1 where it is not pinned.
std::vector<Oversubscription> find_all(const std::vector<Slot>& slots,
                                       const std::function<int(Rank)>& cpu_of) {
  Exchange exchange(static_cast<Rank>(slots.size()));
  std::vector<Oversubscription> results(slots.size());
  std::vector<std::thread> threads;
  for (Rank r = 0; r < slots.size(); ++r)
    threads.emplace_back([&, r] {
      if (cpu_of(r) >= 0) pin(cpu_of(r));
      ThreadRank bootstrap(exchange, r);
      results[r] = find_oversubscription(bootstrap, topology(r, slots));
    });
  for (std::thread& t : threads) t.join();
  return results;
}

TEST(Oversubscription, OfProcessesThatMayRunAnywhere) {
  const auto cpus = static_cast<Slot>(list(allowed()).size());
  const auto results = find_all({cpus, 1, 2}, [](Rank) { return -1; });
  for (const Oversubscription& c : results) {
    EXPECT_TRUE(c.oversubscribed);
    EXPECT_EQ(c.processes_fit, cpus >= 3);
    EXPECT_EQ(c.threads, cpus + 3);
  }
  EXPECT_EQ(results[0].first_index, 0u);
  EXPECT_EQ(results[1].first_index, cpus);
  EXPECT_EQ(results[2].first_index, cpus + 1);
  EXPECT_FALSE(find_all({cpus}, [](Rank) { return -1; })[0].oversubscribed);
}

TEST(Oversubscription, OfProcessesPinnedToOneCpu) {
  const int cpu = list(allowed()).front();
  for (const Oversubscription& c : find_all({1, 1}, [cpu](Rank) { return cpu; })) {
    EXPECT_TRUE(c.oversubscribed);
    EXPECT_FALSE(c.processes_fit);
  }
}

TEST(Oversubscription, OfProcessesPinnedToACpuEach) {
  const std::vector<int> cpus = list(allowed());
  if (cpus.size() < 2) GTEST_SKIP() << "there is one CPU";
  const auto each = [&](Rank r) { return cpus[r]; };
  for (const Oversubscription& c : find_all({1, 1}, each)) {
    EXPECT_FALSE(c.oversubscribed);
    EXPECT_EQ(c.threads, 0u);
  }
  for (const Oversubscription& c : find_all({2, 1}, each)) {
    EXPECT_TRUE(c.oversubscribed);
    EXPECT_TRUE(c.processes_fit);
    EXPECT_EQ(c.threads, 0u);  // the launcher's binding is as good
  }
}

TEST(PreferredCpu, IsSharedWithinAProcess) {
  std::vector<unsigned> preferred_cpus;
  for (unsigned i = 0; i < 4; ++i) preferred_cpus.push_back(preferred_cpu_of(i, 4, 2));
  EXPECT_EQ(preferred_cpus, (std::vector<unsigned>{0, 0, 1, 1}));
  preferred_cpus.clear();
  for (unsigned i = 0; i < 7; ++i) preferred_cpus.push_back(preferred_cpu_of(i, 7, 3));
  EXPECT_EQ(preferred_cpus, (std::vector<unsigned>{0, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(preferred_cpu_of(0, 1, 8), 0u);
}

class PreferredCpus : public testing::Test {
 protected:
  void SetUp() override {
    cpus_ = list(allowed());
    if (cpus_.size() < 2) GTEST_SKIP() << "there is one CPU";
  }
  // Runs on the CPU `away`, free to leave it, then calls return_to_preferred_cpu() until it is on
  // `preferred`, but not for ever.
  bool arrives(Slot slot, int away, int preferred) {
    bool arrived = false;
    std::thread(
        [&] {  // another thread each time: one that has just migrated does not migrate again for a while
          const cpu_set_t before = allowed();
          const auto ends = std::chrono::steady_clock::now() + std::chrono::seconds(10);
          while (!arrived && std::chrono::steady_clock::now() < ends) {
            pin(away);
            EXPECT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
            affinity_.return_to_preferred_cpu(slot);
            arrived = ::sched_getcpu() == preferred;
            const cpu_set_t after = allowed();
            EXPECT_TRUE(CPU_EQUAL(&before, &after));  // nothing is pinned
          }
        })
        .join();
    return arrived;
  }
  std::vector<int> cpus_;
  SoftAffinity affinity_;
};

TEST_F(PreferredCpus, AreReturnedTo) {
  const auto n = static_cast<Slot>(cpus_.size());
  // This process has the last two threads for each CPU of 4 a CPU.
  affinity_.choose(topology(1, {2 * n, 2 * n}), 2 * n, 4 * n);
  EXPECT_TRUE(arrives(4 * n - 1, cpus_.front(), cpus_.back()));
  EXPECT_TRUE(arrives(2 * n, cpus_.front(), cpus_[n / 2]));
}

// A thread that may not use its preferred CPU stays where it is.
TEST_F(PreferredCpus, AreNotEnforced) {
  affinity_.choose(topology(0, {2, 2}), 0, 4);
  std::thread([&] {
    pin(cpus_.back());
    affinity_.return_to_preferred_cpu(0);
    EXPECT_EQ(list(allowed()), std::vector<int>{cpus_.back()});
  }).join();
}

}  // namespace
}  // namespace upcr
