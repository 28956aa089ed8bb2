// SPDX-License-Identifier: BSD-3-Clause
// A job whose launcher has a PMIx server (mpirun of Open MPI, srun --mpi=pmix, prun): the module
// upcr/bootstrap_pmix.so. The program needs no MPI; one that uses Open MPI shares its connection.
#include <sys/random.h>

#include <cstdio>
#include <string>

#include "conduits/core/bootstrap/launcher/launched.hpp"
#include "conduits/core/bootstrap/module.hpp"
#include "conduits/core/bootstrap/pmix/pmix_client.hpp"

namespace upcr::pmix {
namespace {

class PmixBootstrap final : public LaunchedBootstrap {
 public:
  PmixBootstrap() : LaunchedBootstrap(&leave_for_all), me_(pmix::join()) {
    rank_ = me_.rank;
    size_ = me_.size;
    agree_on_job_id();
    start_termination_monitor(
        {pmix::watched_connection(), "mpirun or its daemon (the PMIx server)", &pmix::has_left});
  }

  void allgather(const void* mine, std::size_t bytes, void* all) override {
    pmix::allgather(me_, mine, bytes, all);
  }
  std::string broadcast(Rank root, const std::string& text) override {
    return pmix::broadcast(me_, root, text);
  }
  void barrier() override { pmix::barrier(me_); }
  void polling_barrier(const std::function<void()>& poll) override { pmix::polling_barrier(me_, poll); }
  void finalize() override {
    pmix::barrier(me_);
    retire();
    pmix::leave();
  }

 private:
  void end_job(int status) override { pmix::end_job(status); }

  // The name space is unique on one server only.
  void agree_on_job_id() {
    unsigned long long mine = 0;
    (void)!::getrandom(&mine, sizeof mine, 0);
    char random[20];
    (void)std::snprintf(random, sizeof random, "-%016llx", mine);
    job_id_ = "pmix-" + me_.name_space.substr(0, 40) + pmix::broadcast(me_, 0, random);
  }

  const Member me_;
};

}  // namespace
}  // namespace upcr::pmix

extern "C" UPCR_MODULE_API const upcr::BootstrapModule upcr_bootstrap_module;
const upcr::BootstrapModule upcr_bootstrap_module = {
    {upcr::kBootstrapAbi, "pmix"},
    []() -> std::unique_ptr<upcr::Bootstrap> { return std::make_unique<upcr::pmix::PmixBootstrap>(); }};
