// SPDX-License-Identifier: BSD-3-Clause
// Texts of one rank for all: their length is that of the root's text, whatever the others pass.
#include "conduits/core/bootstrap/bootstrap.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace upcr {
namespace {

struct Exchange {
  explicit Exchange(Rank ranks) : barrier_point(ranks) {}
  std::barrier<> barrier_point;
  std::vector<char> memory = std::vector<char>(1 << 16);
};

// A rank that is a thread of this process.
class ThreadRank final : public Bootstrap {
 public:
  ThreadRank(Exchange& exchange, Rank rank, Rank size) : exchange_(exchange) {
    rank_ = rank;
    size_ = size;
  }
  void allgather(const void* mine, std::size_t bytes, void* all) override {
    if (bytes != 0) std::memcpy(exchange_.memory.data() + rank_ * bytes, mine, bytes);
    exchange_.barrier_point.arrive_and_wait();
    if (bytes != 0) std::memcpy(all, exchange_.memory.data(), size_ * bytes);
    exchange_.barrier_point.arrive_and_wait();
  }
  void barrier() override { exchange_.barrier_point.arrive_and_wait(); }
  void polling_barrier(const std::function<void()>&) override { barrier(); }
  void finalize() override {}
  void global_exit(int) override { std::abort(); }
  void abort(int) override { std::abort(); }

 private:
  Exchange& exchange_;
};

// The bytes that each rank receives.
std::vector<std::string> broadcast_of(const std::vector<std::string>& texts, Rank root) {
  const auto size = static_cast<Rank>(texts.size());
  Exchange exchange(size);
  std::vector<std::string> got(size);
  std::vector<std::thread> threads;
  for (Rank r = 0; r < size; ++r)
    threads.emplace_back([&, r] {
      ThreadRank bootstrap(exchange, r, size);
      got[r] = bootstrap.broadcast(root, texts[r]);
    });
  for (std::thread& t : threads) t.join();
  return got;
}

TEST(Broadcast, EveryRankGetsTheRootsText) {
  const std::string path(1000, 'x');
  const std::vector<std::string> texts = {"", path, std::string("NAME=value\0", 11)};
  for (Rank root = 0; root < 3; ++root)
    EXPECT_EQ(broadcast_of(texts, root), std::vector<std::string>(3, texts[root])) << root;
}

TEST(Broadcast, AJobOfOneRank) { EXPECT_EQ(broadcast_of({"text"}, 0), std::vector<std::string>{"text"}); }

}  // namespace
}  // namespace upcr
