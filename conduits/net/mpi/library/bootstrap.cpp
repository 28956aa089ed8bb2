// SPDX-License-Identifier: BSD-3-Clause
// The bootstrap over MPI, for jobs that mpirun has started: exported by this module beside its conduit. Also
// used with other conduits, if the program has initialised MPI or the launcher serves MPI libraries only.
// Main thread, but for global_exit() and abort().
#include <sched.h>
#include <sys/random.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <mutex>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/bootstrap/launcher/launched.hpp"
#include "conduits/core/bootstrap/module.hpp"
#include "conduits/net/mpi/library/launcher.hpp"
#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {
namespace {

class MpiBootstrap final : public LaunchedBootstrap {
 public:
  MpiBootstrap() : LaunchedBootstrap(&notify_launcher_of_exit) {
    session().open();
    rank_ = session().rank();
    size_ = session().size();
    comm_ = duplicate_world();
    agree_on_job_id();
    find_launcher();
    start_termination_monitor({watched_connection(), watched_process(), &finalized_by_program});
  }

  void allgather(const void* mine, std::size_t bytes, void* all) override {
    if (bytes == 0) return;
    if (bytes > INT_MAX) fatal("internal error: %zu bytes a rank in a start-up collective", bytes);
    const int n = static_cast<int>(bytes);
    complete("MPI_Iallgather", [&](MPI_Request* request) {
      return MPI_Iallgather(mine, n, MPI_BYTE, all, n, MPI_BYTE, comm_, request);
    });
  }
  std::string broadcast(Rank root, const std::string& text) override {
    std::uint64_t length = text.size();
    broadcast(root, &length, sizeof length);
    std::string all = text;
    all.resize(length);
    broadcast(root, all.data(), length);
    return all;
  }
  void barrier() override {
    complete("MPI_Ibarrier", [&](MPI_Request* request) { return MPI_Ibarrier(comm_, request); });
  }
  void polling_barrier(const std::function<void()>& poll) override {
    complete(
        "MPI_Ibarrier", [&](MPI_Request* request) { return MPI_Ibarrier(comm_, request); }, poll);
  }
  void finalize() override {
    if (finalized_by_program()) return retire();
    barrier();
    retire();
    check(MPI_Comm_free(&comm_), "MPI_Comm_free");
    session().close();
  }

 private:
  void end_job(int status) override {
    if (!mpi::end_job(status)) MPI_Abort(MPI_COMM_WORLD, status);
  }
  void end_job_signal_safe(int status) override { (void)end_job_from_handler(status); }

  // A progress thread of this process may call MPI already: so the session's lock is held during MPI calls,
  // but not while this process waits for others, and calls `poll`.
  template <typename Start>
  static void complete(const char* what, Start&& start, const std::function<void()>& poll = &::sched_yield) {
    MPI_Request request = MPI_REQUEST_NULL;
    {
      const std::lock_guard<SpinLock> guard(session().lock());
      check(start(&request), what);
    }
    while (!is_complete(&request, what)) poll();
  }
  static bool is_complete(MPI_Request* request, const char* what) {
    const std::lock_guard<SpinLock> guard(session().lock());
    int done = 0;
    check(MPI_Test(request, &done, MPI_STATUS_IGNORE), what);
    return done != 0;
  }

  void broadcast(Rank root, void* bytes, std::size_t count) {
    if (count > INT_MAX) fatal("internal error: a text of %zu bytes in a start-up collective", count);
    complete("MPI_Ibcast", [&](MPI_Request* request) {
      return MPI_Ibcast(bytes, static_cast<int>(count), MPI_BYTE, static_cast<int>(root), comm_, request);
    });
  }

  static bool finalized_by_program() {
    int finalized = 0;
    check(MPI_Finalized(&finalized), "MPI_Finalized");
    return finalized != 0;
  }

  void agree_on_job_id() {
    char id[40] = "";
    unsigned long long number = 0;
    (void)!::getrandom(&number, sizeof number, 0);
    (void)std::snprintf(id, sizeof id, "mpi-%d-%016llx", static_cast<int>(pid()), number);
    check(MPI_Bcast(id, sizeof id, MPI_CHAR, 0, comm_), "MPI_Bcast");
    job_id_ = id;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace
}  // namespace upcr::mpi

extern "C" UPCR_MODULE_API const upcr::BootstrapModule upcr_bootstrap_module;
const upcr::BootstrapModule upcr_bootstrap_module = {
    {upcr::kBootstrapAbi, "mpi"},
    []() -> std::unique_ptr<upcr::Bootstrap> { return std::make_unique<upcr::mpi::MpiBootstrap>(); }};
