// SPDX-License-Identifier: BSD-3-Clause
// A bootstrap for jobs whose ranks are threads of one process. A Meeting outlives the ranks' bootstraps.
#pragma once
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "conduits/core/bootstrap/bootstrap.hpp"

namespace upcr::test {

// Where the ranks of one job exchange what they contribute to a collective.
class Meeting {
 public:
  explicit Meeting(Rank size) : size_(size) {}
  Rank size() const noexcept { return size_; }

  void allgather(Rank rank, const void* mine, std::size_t bytes, void* all) {
    std::unique_lock lock(mutex_);
    arriving_.resize(size_ * bytes);
    std::memcpy(arriving_.data() + rank * bytes, mine, bytes);
    if (++here_ == size_) {
      here_ = 0;
      complete_ = arriving_;
      ++round_;
      all_here_.notify_all();
    } else {
      all_here_.wait(lock, [this, round = round_] { return round_ != round; });
    }
    std::memcpy(all, complete_.data(), size_ * bytes);  // the next round cannot end before this rank joins it
  }

 private:
  const Rank size_;
  std::mutex mutex_;
  std::condition_variable all_here_;
  std::vector<char> arriving_, complete_;
  Rank here_ = 0;
  unsigned round_ = 0;
};

class ThreadBootstrap final : public Bootstrap {
 public:
  ThreadBootstrap(Meeting& meeting, Rank rank) : meeting_(meeting) {
    rank_ = rank;
    size_ = meeting.size();
  }
  void allgather(const void* mine, std::size_t bytes, void* all) override {
    meeting_.allgather(rank_, mine, bytes, all);
  }
  void barrier() override {
    const char mine = 0;
    std::vector<char> all(size_);
    allgather(&mine, 1, all.data());
  }
  void polling_barrier(const std::function<void()>&) override { barrier(); }
  void finalize() override { barrier(); }
  void global_exit(int) override { std::abort(); }
  void abort(int) override { std::abort(); }

 private:
  Meeting& meeting_;
};

}  // namespace upcr::test
