// SPDX-License-Identifier: BSD-3-Clause
// The bootstrap of a process that upcrun, or an agent of it, has started: the rank is in the environment,
// everything else comes over the socket (control_link.hpp).
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <utility>

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/bootstrap/upcrun/bootstraps.hpp"
#include "conduits/core/bootstrap/upcrun/control_link.hpp"
#include "conduits/core/bootstrap/upcrun/temporary_file.hpp"

namespace upcr {
namespace {

class ForkBootstrap;
// Notified when the job ends; null once the bootstrap is destroyed, which the control thread survives.
std::atomic<ForkBootstrap*> joined{nullptr};

class ForkBootstrap final : public Bootstrap {
 public:
  ForkBootstrap(const wire::JobVariable& variable, ControlLink& link) : link_(link) {
    rank_ = variable.rank;
    size_ = variable.size;
    job_id_ = variable.id;
    joined.store(this, std::memory_order_release);
  }
  ~ForkBootstrap() override { joined.store(nullptr, std::memory_order_release); }

  void allgather(const void* mine, std::size_t bytes, void* all) override {
    const Table table = gather(mine, bytes);
    if (table.bytes() != 0) std::memcpy(all, table.data(), table.bytes());
  }
  Table gather(const void* mine, std::size_t bytes) override {
    return to_table(link_.collective(wire::Type::kGather, 0, mine, bytes), bytes * size_);
  }
  std::string broadcast(Rank root, const std::string& text) override {
    ControlLink::Reply reply = link_.collective(wire::Type::kBroadcast, static_cast<int>(root), text.data(),
                                                rank_ == root ? text.size() : 0);
    const std::size_t total = reply.total;
    const Table table = to_table(std::move(reply), total);
    return {static_cast<const char*>(table.data()), table.bytes()};
  }
  void barrier() override { link_.collective(wire::Type::kBarrier, 0, nullptr, 0); }
  void polling_barrier(const std::function<void()>& poll) override {
    link_.begin_collective(wire::Type::kBarrier, 0, nullptr, 0);
    while (!link_.has_replied()) poll();
  }
  void finalize() override { link_.collective(wire::Type::kFinalize, 0, nullptr, 0); }
  [[noreturn]] void global_exit(int status) override { link_.global_exit(status); }
  [[noreturn]] void leave(int status, unsigned grace_ms) override { link_.leave(status, grace_ms); }
  [[noreturn]] void abort(int status) override { link_.abort(status); }
  void await_death_report(Rank peer) override { link_.await_death_report(peer); }

  bool report_stall(std::int64_t seconds) override {
    link_.send(wire::Type::kStalled, static_cast<int>(seconds));
    return true;
  }

  void send_file(const TemporaryFile& file, bool remove) {
    link_.send(wire::Type::kRemoveAtEnd, remove ? 1 : 0,
               wire::format_file(file.device, file.inode, file.path));
  }

  void job_ended(int status) {
    if (auto hook = exit_hook_.load(std::memory_order_acquire)) hook(status);
  }
  std::string describe_threads() {
    const auto hook = describe_threads_.load(std::memory_order_acquire);
    return hook != nullptr ? hook() : std::string();
  }

 private:
  static Table to_table(ControlLink::Reply reply, std::size_t expected) {
    if (reply.total != expected)
      fatal("upcrun replied with %zu bytes instead of %zu; is it of another version?", reply.total, expected);
    if (!reply.file) return Table(std::move(reply.bytes));
    void* const at = ::mmap(nullptr, expected, PROT_READ, MAP_SHARED, reply.file.get(), 0);
    if (at == MAP_FAILED)
      fatal_errno("cannot map %zu bytes that upcrun has gathered (check ulimit -v)", expected);
    return {at, expected};
  }

  ControlLink& link_;
};

void job_ended(int status) {
  if (ForkBootstrap* bootstrap = joined.load(std::memory_order_acquire)) bootstrap->job_ended(status);
}

std::string describe_threads() {
  ForkBootstrap* const bootstrap = joined.load(std::memory_order_acquire);
  return bootstrap != nullptr ? bootstrap->describe_threads() : std::string();
}

void send_file(const TemporaryFile& file, bool remove) {
  if (ForkBootstrap* bootstrap = joined.load(std::memory_order_acquire)) bootstrap->send_file(file, remove);
}

bool is_launcher_socket(int fd) {
  int domain = 0, type = 0;
  socklen_t length = sizeof domain;
  return ::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_UNIX &&
         ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_SEQPACKET;
}

// upcrun reads the output through pipes, to which the C library would write whole blocks only.
void line_buffer_stdout() {
  struct stat st;
  if (::fstat(STDOUT_FILENO, &st) == 0 && !S_ISREG(st.st_mode))
    (void)std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
}

}  // namespace

void remove_at_job_end(const TemporaryFile& file) { send_file(file, true); }
void forget_at_job_end(const TemporaryFile& file) { send_file(file, false); }

std::unique_ptr<Bootstrap> make_fork_bootstrap(const wire::JobVariable& variable) {
  if (!is_launcher_socket(variable.fd))
    fatal(
        "rank %u cannot reach upcrun: descriptor %d is closed or something else; a script between upcrun "
        "and the program must leave its descriptors open (best: `exec \"$@\"`)",
        variable.rank, variable.fd);
  (void)::fcntl(variable.fd, F_SETFD, FD_CLOEXEC);
  line_buffer_stdout();
  auto* link = new ControlLink(variable.fd);
  link->start({&job_ended, &describe_threads});
  // From here the control thread ends this process when upcrun ends: unlike the signal that upcrun has asked
  // for, it flushes the program's files.
  (void)::prctl(PR_SET_PDEATHSIG, 0);
  link->send(wire::Type::kHello, wire::kVersion, client_api().launcher_client);
  return std::make_unique<ForkBootstrap>(variable, *link);
}

}  // namespace upcr
