// SPDX-License-Identifier: BSD-3-Clause
// The bootstrap of a process without a launcher: rank 0 of 1. Collectives are copies.
#include <unistd.h>

#include <cstring>

#include "conduits/core/base/report/flush.hpp"
#include "conduits/core/base/report/process_end.hpp"
#include "conduits/core/bootstrap/upcrun/bootstraps.hpp"

namespace upcr {
namespace {

class SingletonBootstrap final : public Bootstrap {
 public:
  SingletonBootstrap() { job_id_ = "single-" + std::to_string(getpid()); }

  void allgather(const void* mine, std::size_t bytes, void* all) override {
    if (bytes != 0) std::memmove(all, mine, bytes);
  }
  void barrier() override {}
  void polling_barrier(const std::function<void()>&) override {}
  void finalize() override {}
  [[noreturn]] void global_exit(int status) override {
    const bool flushed = flush_all_files();
    claim_process_end();
    _exit(flushed ? status_after_output(status) : status);
  }
  [[noreturn]] void abort(int status) override { _exit(status); }
};

}  // namespace

std::unique_ptr<Bootstrap> make_singleton_bootstrap() { return std::make_unique<SingletonBootstrap>(); }

}  // namespace upcr
