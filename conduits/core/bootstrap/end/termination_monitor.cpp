// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/bootstrap/end/termination_monitor.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/process_end.hpp"
#include "conduits/core/bootstrap/control_thread.hpp"

namespace upcr {
namespace {

constexpr int kFlushMs = 1000;  // for a process to flush when the job ends
constexpr int kPollMs = 1000;
constexpr int kResendMs = 50;      // until a datagram that may have been lost is sent again
constexpr int kReadMs = 200;       // for the launcher to read the output
constexpr long kKillSeconds = 10;  // until a process that the launcher does not kill ends by itself
constexpr long kHangUpMs =
    1000;  // for a launcher that has hung up to kill this process, as some do in this order
constexpr int kLostStatus = 255;  // of an error of the runtime

// For the signal's handler: the process that it was installed in, the descriptor that wakes the control
// thread, and whether the signal has come.
volatile pid_t watched_pid = 0;
volatile int signal_fd = -1;
volatile sig_atomic_t term_received = 0;

void on_term(int) {
  const int error = errno;
  if (::getpid() == watched_pid) {
    term_received = 1;
    const std::uint64_t one = 1;
    (void)!::write(signal_fd, &one, sizeof one);
  } else {  // in a child that the program forked
    ::signal(SIGTERM, SIG_DFL);
    (void)::raise(SIGTERM);
  }
  errno = error;
}

void catch_term(int fd) {
  struct sigaction now {};
  if (::sigaction(SIGTERM, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 ||
      now.sa_handler != SIG_DFL)
    return;  // the program handles or ignores it
  watched_pid = ::getpid();
  signal_fd = fd;
  struct sigaction action {};
  action.sa_handler = on_term;
  action.sa_flags = SA_RESTART;
  (void)::sigaction(SIGTERM, &action, nullptr);
}

// Waits until the launcher has read the output of this process: a launcher that ends the job may leave the
// rest in the pipes.
void wait_until_read() {
  const timespec moment{0, 1000000};
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat st;
    int unread = 0;
    if (::fstat(fd, &st) != 0 || !S_ISFIFO(st.st_mode)) continue;
    for (int ms = 0; ms < kReadMs && ::ioctl(fd, FIONREAD, &unread) == 0 && unread != 0; ++ms)
      ::nanosleep(&moment, nullptr);
  }
}

// srun's exit status is the worst of all processes', and that of a killed process would be the worst.
bool started_by_srun() {
  return std::getenv("SLURM_STEP_NUM_TASKS") != nullptr && std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr &&
         std::getenv("HYDI_CONTROL_FD") == nullptr && std::getenv("MPI_LOCALNRANKS") == nullptr;
}

[[noreturn]] void report_closed(int fd) {
  fatal(
      "descriptor %d, by which this process is notified of the job's end, is closed: "
      "the program must leave the runtime's descriptors open",
      fd);
}

long now_ms() {
  timespec t;
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

}  // namespace

TerminationMonitor::TerminationMonitor(Bootstrap& bootstrap, const Callbacks& callbacks,
                                       const Launcher& launcher)
    : rank_(bootstrap.rank()),
      size_(bootstrap.size()),
      callbacks_(callbacks),
      processes_end_themselves_(started_by_srun()),
      channel_(bootstrap),
      launcher_(launcher),
      replied_(size_),
      leaving_(size_),
      informed_(size_) {
  wake_ = ::eventfd(0, EFD_CLOEXEC);
  if (wake_ < 0) fatal_errno("cannot make an event descriptor");
  const int watched[] = {wake_, channel_.own().near, channel_.own().far, launcher_.fd};
  for (int i = 0; i < kWatched; ++i) watched_[i] = OpenFile(watched[i]);
  catch_term(wake_);
  start_control_thread(&TerminationMonitor::run, this);
}

void* TerminationMonitor::run(void* self) {
  auto& monitor = *static_cast<TerminationMonitor*>(self);
  for (;;) {
    // The launcher's messages are for the main thread; only its hang-up is handled here.
    pollfd fds[kWatched] = {{monitor.wake_, POLLIN, 0},
                            {monitor.channel_.own().near, POLLIN, 0},
                            {monitor.channel_.own().far, POLLIN, 0},
                            {monitor.launcher_.fd, POLLRDHUP, 0}};
    const int events = ::poll(fds, kWatched, monitor.poll_timeout_ms());
    if (term_received != 0) monitor.end_by_sigterm();
    monitor.check_descriptors();
    if (events <= 0) continue;
    if (fds[0].revents != 0)
      report_closed(fds[0].fd);  // only the signal handler writes there, and it sets term_received
    if (fds[3].revents != 0) monitor.handle_hang_up();
    for (const pollfd& p : {fds[1], fds[2]})
      if (p.revents != 0) monitor.handle_datagram(p.fd);
  }
}

// The control thread polls all the same, because closed descriptors do not wake it.
int TerminationMonitor::poll_timeout_ms() {
  if (lost_at_ == 0) return kPollMs;
  const long rest = lost_at_ - now_ms();
  if (rest <= 0) end_after_lost_launcher();
  return static_cast<int>(std::clamp<long>(rest, 0, kPollMs));
}

// A program that closes all descriptors may have opened files of its own by these numbers since.
void TerminationMonitor::check_descriptors() const {
  for (const OpenFile& file : watched_)
    if (!file.is_same()) report_closed(file.descriptor());
}

void TerminationMonitor::handle_datagram(int fd) {
  TerminationChannel::Datagram datagram;
  TerminationChannel::Sender sender;
  if (!channel_.receive(fd, &datagram, &sender)) return;
  switch (datagram.type) {
    case MessageType::kEnd:
      if (!retired_.load()) flush_for_end(datagram.status);
      channel_.reply(fd, sender, MessageType::kEndAck, datagram.status);
      if (processes_end_themselves_ && !retired_.load()) disconnect_and_exit(datagram.status);
      break;
    case MessageType::kLeaving:
      note_leaving(datagram.from);
      break;
    case MessageType::kAllLeft:
      channel_.reply(fd, sender, MessageType::kAllLeftAck, 0);
      all_left_.store(true);
      break;
    case MessageType::kAllLeftAck:
      if (!informed_[datagram.from]) informed_[datagram.from] = true, informed_count_.fetch_add(1);
      break;
    case MessageType::kEndAck:
      break;
  }
}

// On rank 0. A process that repeats it has not received the reply.
void TerminationMonitor::note_leaving(Rank rank) {
  const bool again = leaving_[rank];
  leaving_[rank] = true;
  leaving_count_ += !again;
  if (leaving_count_ < size_) return;
  for (Rank r = 0; r < size_; ++r)
    if (!again || r == rank || (rank == rank_ && !informed_[r]))
      (void)channel_.send(channel_.own(), r, MessageType::kAllLeft, 0);
}

void TerminationMonitor::flush_for_end(int status) {
  if (ending_.test_and_set()) return;
  // The launcher's next signal kills at once; without one the process ends by itself.
  if (signal_fd >= 0 && ::getpid() == watched_pid) ::signal(SIGTERM, SIG_DFL);
  kill_self_after(kKillSeconds);
  std::fflush(nullptr);
  if (callbacks_.ended != nullptr) callbacks_.ended(status);
  wait_until_read();
}

// The launcher ends this process, which dies of that signal, as it would without the handler.
void TerminationMonitor::end_by_sigterm() {
  kill_self_after(kFlushMs / 1000);
  std::fflush(nullptr);
  if (!retired_.load() && !ending_.test_and_set() && callbacks_.ended != nullptr)
    callbacks_.ended(128 + SIGTERM);
  ::signal(SIGTERM, SIG_DFL);
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  (void)::raise(SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &term, nullptr);
  ::_exit(128 + SIGTERM);
}

void TerminationMonitor::handle_hang_up() {
  ::close(launcher_.fd);
  launcher_.fd = -1;
  watched_[kWatched - 1] = OpenFile();
  if (!retired_.load()) lost_at_ = now_ms() + kHangUpMs;
}

// Without its launcher no process would be ended when another fails. The first process on the host reports
// it, and the job ends.
void TerminationMonitor::end_after_lost_launcher() {
  lost_at_ = 0;
  if (retired_.load() || launcher_.has_left()) return;
  if (ending_.test_and_set()) return;  // the job ends, and this process within kKillSeconds
  kill_self_after(kKillSeconds);
  std::fflush(nullptr);
  Rank first = 0;
  while (first < rank_ && !channel_.is_near(first)) ++first;
  if (first == rank_)
    fatal("%s, the launcher's process on this host, is gone (was it killed?); the job ends", launcher_.name);
  if (callbacks_.ended != nullptr) callbacks_.ended(kLostStatus);
  wait_until_read();
  ::_exit(kLostStatus);
}

bool TerminationMonitor::broadcast_end(int status) {
  (void)ending_.test_and_set();  // this process needs no notification
  wait_until_read();
  const TerminationChannel::Sockets sockets = channel_.open();
  unsigned reached = 0, missing = 0;
  for (Rank r = 0; r < size_; ++r) {
    replied_[r] = r == rank_ || !channel_.send(sockets, r, MessageType::kEnd, status);
    if (replied_[r]) continue;
    ++missing;
    reached += channel_.is_near(r);  // it has received the datagram, whether or not it can reply
  }
  const long deadline = now_ms() + kFlushMs;
  for (long again = now_ms() + kResendMs; missing != 0 && now_ms() < deadline;) {
    pollfd fds[2] = {{sockets.near, POLLIN, 0}, {sockets.far, POLLIN, 0}};
    (void)::poll(fds, 2, kResendMs);
    for (const pollfd& p : fds) {
      TerminationChannel::Datagram datagram;
      TerminationChannel::Sender sender;
      if (p.revents == 0 || !channel_.receive(p.fd, &datagram, &sender) ||
          datagram.type != MessageType::kEndAck || replied_[datagram.from])
        continue;
      replied_[datagram.from] = true;
      --missing;
      reached += !channel_.is_near(datagram.from);
    }
    if (now_ms() < again) continue;
    for (Rank r = 0; r < size_; ++r)
      if (!replied_[r] && !channel_.is_near(r)) (void)channel_.send(sockets, r, MessageType::kEnd, status);
    again = now_ms() + kResendMs;
  }
  TerminationChannel::close(sockets);
  return reached == size_ - 1;
}

void TerminationMonitor::disconnect_and_exit(int status) {
  claim_process_end();
  if (callbacks_.disconnect != nullptr) (void)callbacks_.disconnect();
  ::_exit(status);
}

bool TerminationMonitor::exit_together(unsigned grace_ms) {
  const timespec moment{0, 1000000};
  const auto send_until = [&](long deadline, auto&& is_done) {
    for (long again = 0; !is_done();) {
      const long now = now_ms();
      if (now >= deadline) return false;
      if (now >= again) {
        (void)channel_.send(channel_.own(), 0, MessageType::kLeaving, 0);
        again = now + kResendMs;
      }
      ::nanosleep(&moment, nullptr);
    }
    return true;
  };
  if (!send_until(now_ms() + static_cast<long>(grace_ms), [&] { return all_left_.load(); })) return false;
  // Rank 0 stays until all processes know.
  if (rank_ == 0) (void)send_until(now_ms() + kFlushMs, [&] { return informed_count_.load() == size_; });
  return true;
}

}  // namespace upcr
