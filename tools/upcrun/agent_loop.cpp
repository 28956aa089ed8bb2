// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/agent_loop.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tools/upcrun/agent_place.hpp"
#include "tools/upcrun/packet_socket.hpp"
#include "tools/upcrun/sweep.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kGrace = 1000;       // as upcrun gives its children
constexpr Milliseconds kOrphanGrace = 250;  // likewise
constexpr Milliseconds kLastWords = 5000;   // for upcrun to take what is left of the output

}  // namespace

AgentLoop::AgentLoop(Link& link, const Plan& plan, const Order& order, const Inherited& inherited,
                     unsigned rank)
    : link_(link), spawner_(plan, inherited, order.merged_output), signals_(watch_starter_and_children()) {
  if (rank == 0) input_ = make_standard_input();
  upcr::wire::JobVariable job;
  job.rank = rank;
  job.size = plan.processes;
  job.threads = plan.options.threads;
  job.pthreads = plan.pthreads;
  job.id = order.job_id;
  child_ = spawner_.spawn(job);
  if (rank == 0) close_standard_input();
  for (const int fd : {child_.output.get(), child_.error.get()})
    if (fd >= 0) (void)::fcntl(fd, F_SETFL, O_NONBLOCK);
  const std::string place = plan.binding.describe(plan.binding_slot(rank));
  link_.send(Word::kStarted, child_.pid, place);
}

void AgentLoop::run() {
  hear();  // what came together with the order
  while (!(over() && (ending_ || released_))) loop_once();
  finish();
}

int AgentLoop::timeout() const {
  if (kill_at_ == 0) return -1;
  return static_cast<int>(std::clamp<Milliseconds>(kill_at_ - now_ms(), 0, 60'000));
}

void AgentLoop::loop_once() {
  const bool may_speak = window_ > 0 || ending_;
  const bool more_input = !waiting_input_.empty();
  pollfd fds[] = {
      {link_.fd(), static_cast<short>(link_.unsent() != 0 ? POLLIN | POLLOUT : POLLIN), 0},
      {signals_.get(), POLLIN, 0},
      {spawner_.exec_failures(), POLLIN, 0},
      {child_.control.get(), static_cast<short>(packets_.empty() ? POLLIN : POLLIN | POLLOUT), 0},
      {worker_watch_.get(), POLLIN, 0},
      {may_speak ? child_.output.get() : -1, POLLIN, 0},
      {may_speak ? child_.error.get() : -1, POLLIN, 0},
      {more_input ? input_.get() : -1, POLLOUT, 0},
  };
  if (::poll(fds, std::size(fds), timeout()) > 0) {
    // Signals first: mpirun's word that everything ends comes before the deaths that follow from it.
    if (fds[1].revents != 0) handle_signals();
    if (fds[5].revents != 0) read_output(child_.output, 1, kOutputWindow);
    if (fds[6].revents != 0) read_output(child_.error, 2, kOutputWindow);
    if (fds[3].revents != 0) send_packets(), receive_packets();
    if (fds[2].revents != 0) handle_exec_failure();
    if (fds[4].revents != 0) handle_worker_end();
    if (fds[7].revents != 0) write_input();
    if (fds[0].revents != 0) handle_link();
  }
  if (kill_at_ == 0 || now_ms() < kill_at_) return;
  signal_descendants(SIGKILL);
  kill_at_ = now_ms() + 20;  // again, for what was being forked
}

void AgentLoop::handle_link() {
  link_.flush();
  const bool open = link_.fill();
  hear();
  if (open && !link_.broken()) return;
  // upcrun, or its host, is gone. The closed socket tells the program, which flushes its files and ends.
  link_.close();
  child_.control.reset();
  end_program();
}

void AgentLoop::hear() {
  while (const auto message = link_.next()) take(*message);
}

void AgentLoop::take(const Message& message) {
  switch (message.word) {
    case Word::kPacket:
      packets_.emplace_back(message.payload);
      return send_packets();
    case Word::kTaken:
      window_ += message.value;
      return;
    case Word::kInput:
      if (message.payload.empty()) input_over_ = true;
      waiting_input_ += message.payload;
      return write_input();
    case Word::kEnd:
      return end_program();
    case Word::kRelease:
      released_ = true;
      return;
    default:
      return;  // of a later version
  }
}

void AgentLoop::handle_signals() {
  signalfd_siginfo info;
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGCHLD) continue;
    link_.send(Word::kTold, static_cast<int>(info.ssi_signo));
    end_program();
  }
  reap();
}

void AgentLoop::reap() {
  int status = 0;
  for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (pid != child_.pid || exited_) continue;  // an orphan that we had adopted
    exited_ = true;
    receive_packets();  // it may have said something before
    read_what_is_there();
    link_.send(Word::kEnded, status);
  }
}

void AgentLoop::handle_worker_end() {
  pollfd now{worker_watch_.get(), POLLIN, 0};
  if (::poll(&now, 1, 0) <= 0) return;  // another program has joined meanwhile
  worker_watch_.reset();
  worker_over_ = true;
  receive_packets();
  read_what_is_there();
  link_.send(Word::kWorkerOver);
}

void AgentLoop::handle_exec_failure() {
  ExecFailure failure;
  if (::read(spawner_.exec_failures(), &failure, sizeof failure) != sizeof failure) return;
  link_.send(Word::kFailed, failure.error == ENOENT ? 127 : 126,
             std::string("cannot run the program: ") + std::strerror(failure.error) +
                 (failure.error == ENOENT ? " (the interpreter that it names is missing)" : ""));
}

void AgentLoop::receive_packets() {
  while (child_.control && receive_one()) {
  }
}

// False when nothing more is there.
bool AgentLoop::receive_one() {
  static char packet[kLongestPacket];
  pid_t sender = 0;
  const ssize_t got = receive_packet(child_.control.get(), packet, sizeof packet, &sender);
  if (got < 0 && errno == EINTR) return true;
  if (got < 0 && errno == EAGAIN) return false;
  if (got <= 0) {
    child_.control.reset();
    packets_.clear();
    link_.send(Word::kHungUp);
    return false;
  }
  upcr::wire::Header header{};
  std::memcpy(&header, packet, std::min(static_cast<std::size_t>(got), sizeof header));
  if (header.type == upcr::wire::Type::kHello) note_joined(sender);
  link_.send(Word::kPacket, sender, {packet, static_cast<std::size_t>(got)});
  return true;
}

void AgentLoop::note_joined(pid_t pid) {
  worker_ = pid;
  worker_over_ = false;
  worker_watch_.reset();
  if (pid == child_.pid) return;  // otherwise a script is between
  worker_watch_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  worker_over_ = !worker_watch_;  // gone already
  if (worker_over_) link_.send(Word::kWorkerOver);
}

void AgentLoop::send_packets() {
  while (child_.control && !packets_.empty()) {
    const std::string& packet = packets_.front();
    const ssize_t sent =
        ::send(child_.control.get(), packet.data(), packet.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return;
    if (sent < 0) return packets_.clear();  // gone, which receive_one() finds out
    packets_.pop_front();
  }
}

// Reads once, `most` bytes or less.
void AgentLoop::read_output(UniqueFd& pipe, int stream, std::size_t most) {
  static char buffer[64 * 1024];
  if (!pipe || most == 0) return;
  const ssize_t got = ::read(pipe.get(), buffer, std::min(most, sizeof buffer));
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return pipe.reset();
  window_ -= static_cast<int>(got);
  link_.send(Word::kOutput, stream, {buffer, static_cast<std::size_t>(got)});
}

// The program's last words, before the news of its end. What a pipe holds is bounded, so no window.
void AgentLoop::read_what_is_there() {
  for (const auto& [pipe, stream] : {std::pair(&child_.output, 1), std::pair(&child_.error, 2)}) {
    int bytes = 0;
    if (!*pipe || ::ioctl(pipe->get(), FIONREAD, &bytes) != 0) continue;
    for (int done = 0; done < bytes && *pipe; done += 64 * 1024)
      read_output(*pipe, stream, static_cast<std::size_t>(bytes - done));
  }
}

void AgentLoop::write_input() {
  while (input_ && !waiting_input_.empty()) {
    const ssize_t done = ::write(input_.get(), waiting_input_.data(), waiting_input_.size());
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (done < 0) input_.reset();  // nobody reads any more; what comes is dropped
    if (done < 0) break;
    waiting_input_.erase(0, static_cast<std::size_t>(done));
    link_.send(Word::kTaken, static_cast<int>(done));
  }
  if (!input_) waiting_input_.clear();
  if (input_over_ && waiting_input_.empty()) input_.reset();
}

void AgentLoop::end_program() {
  if (ending_) return;
  ending_ = true;
  kill_at_ = now_ms() + kGrace;
  // Whoever has not joined cannot be told in words; nor scripts between us and those who have.
  if (exited_ || worker_ == child_.pid) return;
  (void)::kill(child_.pid, SIGTERM);
  (void)::kill(child_.pid, SIGCONT);
}

// Nothing of the program's is left when this returns.
void AgentLoop::finish() {
  sweep(kOrphanGrace, SIGTERM);
  while (child_.output || child_.error) {  // nobody writes any more, so this ends
    read_output(child_.output, 1, kOutputWindow);
    read_output(child_.error, 2, kOutputWindow);
  }
  const Milliseconds until = now_ms() + kLastWords;
  while (link_.unsent() != 0 && now_ms() < until) {
    pollfd wait{link_.fd(), POLLOUT, 0};
    (void)::poll(&wait, 1, 100);
    link_.flush();
  }
}

}  // namespace upcrun
