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

constexpr int kFlushMs = 1000;  // what a process may take to flush when the job ends
constexpr int kLookAgainMs = 1000;
constexpr int kAgainMs = 50;        // until a word that may have been lost is said again
constexpr int kReadMs = 200;        // what the launcher may take to read it
constexpr long kKilledWithin = 10;  // seconds until a process that nobody kills ends by itself
constexpr long kHangUpMs =
    1000;  // for a launcher that has hung up to kill this process, as some do in this order
constexpr int kLostStatus = 255;  // of an error of the runtime

// For the signal's handler: the process that it was installed in, the descriptor that wakes the control
// thread, and whether the signal has come.
volatile pid_t watched_pid = 0;
volatile int signal_fd = -1;
volatile sig_atomic_t term_came = 0;

void on_term(int) {
  const int error = errno;
  if (::getpid() == watched_pid) {
    term_came = 1;
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
      "descriptor %d, by which this process hears of the job's end, is closed: "
      "the program must leave the runtime's descriptors open",
      fd);
}

long now_ms() {
  timespec t;
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

}  // namespace

TerminationMonitor::TerminationMonitor(Bootstrap& bootstrap, const Ends& ends, const Launcher& launcher)
    : rank_(bootstrap.rank()),
      size_(bootstrap.size()),
      ends_(ends),
      each_by_itself_(started_by_srun()),
      post_(bootstrap),
      launcher_(launcher),
      replied_(size_),
      left_(size_),
      gone_(size_) {
  wake_ = ::eventfd(0, EFD_CLOEXEC);
  if (wake_ < 0) fatal_errno("cannot make an event descriptor");
  const int watched[] = {wake_, post_.own().near, post_.own().far, launcher_.fd};
  for (int i = 0; i < kWatched; ++i) watched_[i] = OpenFile(watched[i]);
  catch_term(wake_);
  start_control_thread(&TerminationMonitor::run, this);
}

void* TerminationMonitor::run(void* self) {
  auto& watch = *static_cast<TerminationMonitor*>(self);
  for (;;) {
    // What the launcher says is for the main thread; here only that it says no more.
    pollfd fds[kWatched] = {{watch.wake_, POLLIN, 0},
                            {watch.post_.own().near, POLLIN, 0},
                            {watch.post_.own().far, POLLIN, 0},
                            {watch.launcher_.fd, POLLRDHUP, 0}};
    const int events = ::poll(fds, kWatched, watch.patience());
    if (term_came != 0) watch.take_signal();
    watch.check_descriptors();
    if (events <= 0) continue;
    if (fds[0].revents != 0) report_closed(fds[0].fd);  // nobody but the handler writes there
    if (fds[3].revents != 0) watch.take_hang_up();
    for (const pollfd& p : {fds[1], fds[2]})
      if (p.revents != 0) watch.take_word(p.fd);
  }
}

// Milliseconds until the control thread has something to do if nothing arrives. Closed descriptors do not
// wake it.
int TerminationMonitor::patience() {
  if (lost_at_ == 0) return kLookAgainMs;
  const long rest = lost_at_ - now_ms();
  if (rest <= 0) lose_launcher();
  return static_cast<int>(std::clamp<long>(rest, 0, kLookAgainMs));
}

// A program that closes all descriptors may have opened files of its own by these numbers since.
void TerminationMonitor::check_descriptors() const {
  for (const OpenFile& file : watched_)
    if (!file.is_same()) report_closed(file.descriptor());
}

void TerminationMonitor::take_word(int fd) {
  TerminationChannel::Datagram datagram;
  TerminationChannel::Sender sender;
  if (!post_.receive(fd, &datagram, &sender)) return;
  switch (datagram.type) {
    case MessageType::kEnd:
      if (!retired_.load()) end_by(datagram.status);
      post_.answer(fd, sender, MessageType::kEndAck, datagram.status);
      if (each_by_itself_ && !retired_.load()) disconnect_and_exit(datagram.status);
      break;
    case MessageType::kLeaving:
      note_leaving(datagram.from);
      break;
    case MessageType::kAllLeft:
      post_.answer(fd, sender, MessageType::kGone, 0);
      all_left_.store(true);
      break;
    case MessageType::kGone:
      if (!gone_[datagram.from]) gone_[datagram.from] = true, gone_count_.fetch_add(1);
      break;
    case MessageType::kEndAck:
      break;
  }
}

// On rank 0. Whoever repeats it has not heard the answer.
void TerminationMonitor::note_leaving(Rank who) {
  const bool again = left_[who];
  left_[who] = true;
  left_count_ += !again;
  if (left_count_ < size_) return;
  for (Rank r = 0; r < size_; ++r)
    if (!again || r == who || (who == rank_ && !gone_[r]))
      (void)post_.send(post_.own(), r, MessageType::kAllLeft, 0);
}

void TerminationMonitor::end_by(int status) {
  if (ending_.test_and_set()) return;
  // The launcher's next signal kills at once; without one the process ends by itself.
  if (signal_fd >= 0 && ::getpid() == watched_pid) ::signal(SIGTERM, SIG_DFL);
  kill_self_after(kKilledWithin);
  std::fflush(nullptr);
  if (ends_.ended != nullptr) ends_.ended(status);
  wait_until_read();
}

// The launcher ends this process. It dies of that signal, as it would have done without us.
void TerminationMonitor::take_signal() {
  kill_self_after(kFlushMs / 1000);
  std::fflush(nullptr);
  if (!retired_.load() && !ending_.test_and_set() && ends_.ended != nullptr) ends_.ended(128 + SIGTERM);
  ::signal(SIGTERM, SIG_DFL);
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  (void)::raise(SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &term, nullptr);
  ::_exit(128 + SIGTERM);
}

void TerminationMonitor::take_hang_up() {
  ::close(launcher_.fd);
  launcher_.fd = -1;
  watched_[kWatched - 1] = OpenFile();
  if (!retired_.load()) lost_at_ = now_ms() + kHangUpMs;
}

// Nobody would end this process when others fail, nor the others when this one does. The first process on the
// host says so, and the job ends.
void TerminationMonitor::lose_launcher() {
  lost_at_ = 0;
  if (retired_.load() || launcher_.has_left()) return;
  if (ending_.test_and_set()) return;  // the job ends, and this process within kKilledWithin
  kill_self_after(kKilledWithin);
  std::fflush(nullptr);
  Rank first = 0;
  while (first < rank_ && !post_.is_near(first)) ++first;
  if (first == rank_)
    fatal("%s, the launcher's process on this host, is gone (was it killed?); the job ends", launcher_.name);
  if (ends_.ended != nullptr) ends_.ended(kLostStatus);
  wait_until_read();
  ::_exit(kLostStatus);
}

bool TerminationMonitor::tell(int status) {
  (void)ending_.test_and_set();  // nobody need tell this process
  wait_until_read();
  const TerminationChannel::Sockets sockets = post_.open();
  unsigned reached = 0, missing = 0;
  for (Rank r = 0; r < size_; ++r) {
    replied_[r] = r == rank_ || !post_.send(sockets, r, MessageType::kEnd, status);
    if (replied_[r]) continue;
    ++missing;
    reached += post_.is_near(r);  // it has got the word, whether or not it can answer
  }
  const long deadline = now_ms() + kFlushMs;
  for (long again = now_ms() + kAgainMs; missing != 0 && now_ms() < deadline;) {
    pollfd fds[2] = {{sockets.near, POLLIN, 0}, {sockets.far, POLLIN, 0}};
    (void)::poll(fds, 2, kAgainMs);
    for (const pollfd& p : fds) {
      TerminationChannel::Datagram datagram;
      TerminationChannel::Sender sender;
      if (p.revents == 0 || !post_.receive(p.fd, &datagram, &sender) ||
          datagram.type != MessageType::kEndAck || replied_[datagram.from])
        continue;
      replied_[datagram.from] = true;
      --missing;
      reached += !post_.is_near(datagram.from);
    }
    if (now_ms() < again) continue;
    for (Rank r = 0; r < size_; ++r)
      if (!replied_[r] && !post_.is_near(r)) (void)post_.send(sockets, r, MessageType::kEnd, status);
    again = now_ms() + kAgainMs;
  }
  TerminationChannel::close(sockets);
  return reached == size_ - 1;
}

void TerminationMonitor::disconnect_and_exit(int status) {
  claim_process_end();
  if (ends_.goodbye != nullptr) (void)ends_.goodbye();
  ::_exit(status);
}

bool TerminationMonitor::exit_together(unsigned grace_ms) {
  const timespec moment{0, 1000000};
  const auto say_until = [&](long deadline, auto&& heard) {
    for (long again = 0; !heard();) {
      const long now = now_ms();
      if (now >= deadline) return false;
      if (now >= again) {
        (void)post_.send(post_.own(), 0, MessageType::kLeaving, 0);
        again = now + kAgainMs;
      }
      ::nanosleep(&moment, nullptr);
    }
    return true;
  };
  if (!say_until(now_ms() + static_cast<long>(grace_ms), [&] { return all_left_.load(); })) return false;
  // Rank 0 stays until everybody knows.
  if (rank_ == 0) (void)say_until(now_ms() + kFlushMs, [&] { return gone_count_.load() == size_; });
  return true;
}

}  // namespace upcr
