// SPDX-License-Identifier: BSD-3-Clause
// A job whose launcher has a PMIx server (mpirun of Open MPI, srun --mpi=pmix, prun): the module
// upcr/bootstrap_pmix.so. The program needs no MPI; one that uses Open MPI shares its connection.
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <vector>

#include "conduits/base/flush.hpp"
#include "conduits/bootstrap/end_watch.hpp"
#include "conduits/bootstrap/module.hpp"
#include "conduits/bootstrap/pmix/pmix_client.hpp"

namespace upcr::pmix {
namespace {

class PmixBootstrap;
// Who is told of the job's end; null once the bootstrap is destroyed, which the control thread survives.
std::atomic<PmixBootstrap*> joined{nullptr};

class PmixBootstrap final : public Bootstrap {
 public:
  PmixBootstrap() : pid_(::getpid()), me_(join()) {
    rank_ = me_.rank;
    size_ = me_.size;
    agree_on_job_id();
    joined.store(this, std::memory_order_release);
    watch_ = new EndWatch(*this, {&job_ended, &leave_for_all});
  }
  ~PmixBootstrap() override { joined.store(nullptr, std::memory_order_release); }

  void allgather(const void* mine, std::size_t bytes, void* all) override {
    pmix::allgather(me_, mine, bytes, all);
  }
  void barrier() override { pmix::barrier(me_); }
  void finalize() override {
    pmix::barrier(me_);
    watch_->retire();
    pmix::leave();
  }

  [[noreturn]] void global_exit(int status) override {
    (void)flush_all_files();
    if (is_member()) {
      claim_end();
      end(status);
    }
    ::_exit(status);
  }

  [[noreturn]] void leave(int status, unsigned grace_ms) override {
    (void)flush_all_files();
    if (is_member()) {
      claim_end();
      if (!watch_->leave_together(grace_ms) || !leave_for_all()) end(status);
    }
    ::_exit(status);
  }

  // The launcher sees a process that ends without saying so and ends the others, which have flushed by then.
  [[noreturn]] void abort(int status) override {
    if (is_member()) (void)watch_->tell(status);
    ::_exit(status);
  }

 private:
  static void job_ended(int status) {
    PmixBootstrap* const self = joined.load(std::memory_order_acquire);
    if (self == nullptr) return;
    if (auto hook = self->exit_hook_.load(std::memory_order_acquire)) hook(status);
  }

  // A child that the program forked is none.
  bool is_member() const { return ::getpid() == pid_; }

  // One thread ends the job; others wait for the effect.
  void claim_end() {
    if (!ending_.test_and_set()) return;
    for (;;) ::pause();
  }

  void end(int status) {
    if (watch_->tell(status) && watch_->each_by_itself()) watch_->end_orderly(status);
    end_job(status);
  }

  // The name space is unique for one server only.
  void agree_on_job_id() {
    std::uint64_t mine = 0;
    (void)!::getrandom(&mine, sizeof mine, 0);
    std::vector<std::uint64_t> all(size_);
    pmix::allgather(me_, &mine, sizeof mine, all.data());
    char random[20];
    (void)std::snprintf(random, sizeof random, "-%016llx", static_cast<unsigned long long>(all[0]));
    job_id_ = "pmix-" + me_.name_space.substr(0, 40) + random;
  }

  const pid_t pid_;
  const Member me_;
  EndWatch* watch_ = nullptr;  // never destroyed
  std::atomic_flag ending_ = ATOMIC_FLAG_INIT;
};

}  // namespace
}  // namespace upcr::pmix

extern "C" UPCR_MODULE_API const upcr::BootstrapModule upcr_bootstrap_module;
const upcr::BootstrapModule upcr_bootstrap_module = {
    {upcr::kBootstrapAbi, "pmix"},
    []() -> std::unique_ptr<upcr::Bootstrap> { return std::make_unique<upcr::pmix::PmixBootstrap>(); }};
