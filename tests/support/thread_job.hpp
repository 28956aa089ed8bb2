// SPDX-License-Identifier: BSD-3-Clause
// A job whose ranks are threads of this process: a Job each, alone on its host, that attach_job() attaches as
// it does for a process of its own, over a conduit in memory.
#pragma once
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "conduits/core/job/job.hpp"
#include "conduits/core/startup/startup.hpp"
#include "tests/support/memory_conduit.hpp"
#include "tests/support/thread_bootstrap.hpp"

namespace upcr::test {

class ThreadJob {
 public:
  static constexpr std::size_t kSegment = 64 << 10;

  explicit ThreadJob(Rank size, const MemoryNet::Options& options = {})
      : meeting_(size), net_(size, options) {
    for (Rank r = 0; r < size; ++r) {
      auto job = std::make_unique<Job>();
      job->bootstrap = std::make_unique<ThreadBootstrap>(meeting_, r);
      job->conduit = net_.conduit(r);
      Topology& t = job->topology;
      t.rank = t.machine_first = t.host_first = t.window_group_first = t.host_name = r;
      t.size = size;
      ranks_.push_back(std::move(job));
    }
  }
  Rank size() const noexcept { return meeting_.size(); }
  Job& rank(Rank r) { return *ranks_[r]; }

  // Starts a thread for each rank, which attaches it and runs body(its job).
  void start(std::vector<std::thread>& threads, const std::function<void(Job&)>& body) {
    for (auto& job : ranks_)
      threads.emplace_back([&job, body] {
        AttachOptions options;
        options.segment_bytes = kSegment;
        options.stride_bits = 20;
        attach_job(*job, options);
        body(*job);
      });
  }

 private:
  Meeting meeting_;
  MemoryNet net_;
  std::vector<std::unique_ptr<Job>> ranks_;
};

// Where `offset` bytes into the segment of rank `at` are: for messages, and in this process.
inline std::uint64_t remote(const Job& job, Rank at, std::uint64_t offset) {
  return job.segments.remote[at] + offset;
}
inline char* here(const Job& job, std::uint64_t offset) {
  return reinterpret_cast<char*>(job.segments.mapped[job.topology.rank] + offset);
}

}  // namespace upcr::test
