// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/agent/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/packet_socket.hpp"
#include "tools/upcrun/base/process_table.hpp"

namespace upcrun {
namespace {

// Makes this process's standard input a pipe, which the next child inherits. Returns the writing end,
// non-blocking.
UniqueFd make_standard_input() {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0)
    throw Failure{1, std::string("cannot make a pipe: ") + std::strerror(errno)};
  const UniqueFd reading(fds[0]);
  UniqueFd writing(fds[1]);
  (void)::fcntl(writing.get(), F_SETFL, O_NONBLOCK);
  (void)::dup2(reading.get(), STDIN_FILENO);
  return writing;
}

// Replaces the pipe in this process by /dev/null.
void close_standard_input() {
  const UniqueFd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  (void)::dup2(nothing.get(), STDIN_FILENO);
}

bool is_collective(upcr::wire::Type type) {
  using upcr::wire::Type;
  return type == Type::kGather || type == Type::kBroadcast || type == Type::kBarrier ||
         type == Type::kFinalize;
}

}  // namespace

AgentProcess::AgentProcess(Link& link, Spawner& spawner, const upcr::wire::JobVariable& job, unsigned number,
                           Contribute contribute)
    : link_(link), number_(number), contribute_(std::move(contribute)) {
  if (job.rank == 0) input_ = make_standard_input();
  child_ = spawner.spawn(job);
  if (job.rank == 0) close_standard_input();
  for (const int fd : {child_.output.get(), child_.error.get()})
    if (fd >= 0) (void)::fcntl(fd, F_SETFL, O_NONBLOCK);
}

bool AgentProcess::is_alive() const { return !over() && !is_exiting(member_ != 0 ? member_ : child_.pid); }

void AgentProcess::collect(std::vector<pollfd>& fds, bool ending) const {
  const bool may_read = credit_ > 0 || ending;
  fds.push_back({child_.control.get(), static_cast<short>(packets_.empty() ? POLLIN : POLLIN | POLLOUT), 0});
  fds.push_back({member_pidfd_.get(), POLLIN, 0});
  fds.push_back({may_read ? child_.output.get() : -1, POLLIN, 0});
  fds.push_back({may_read ? child_.error.get() : -1, POLLIN, 0});
  fds.push_back({waiting_input_.empty() ? -1 : input_.get(), POLLOUT, 0});
}

void AgentProcess::handle(const pollfd* fds) {
  if (fds[2].revents != 0) read_output(child_.output, 1, kOutputCredit);
  if (fds[3].revents != 0) read_output(child_.error, 2, kOutputCredit);
  if (fds[0].revents != 0) send_packets(), receive_packets();
  if (fds[1].revents != 0) on_member_exit();
  if (fds[4].revents != 0) write_input();
}

void AgentProcess::queue_packet(std::string_view packet) {
  packets_.push(packet);
  send_packets();
}

void AgentProcess::queue_reply(const Reply& reply) {
  packets_.push(reply);
  send_packets();
}

void AgentProcess::queue_input(std::string_view bytes) {
  if (bytes.empty()) input_over_ = true;
  waiting_input_ += bytes;
  write_input();
}

void AgentProcess::terminate_unjoined() {
  if (exited_ || member_ == child_.pid) return;
  (void)::kill(child_.pid, SIGTERM);
  (void)::kill(child_.pid, SIGCONT);
}

void AgentProcess::forward_signal(int number) const {
  if (!exited_) (void)::kill(child_.pid, number);
  if (member_ > 0 && member_ != child_.pid && !member_exited_) (void)::kill(member_, number);
}

void AgentProcess::on_exit(int wait_status) {
  if (exited_) return;  // the pid has been given to another process
  exited_ = true;
  receive_packets();  // packets that it sent before its end
  read_available_output();
  if (over()) temporary_files_.remove_all();  // mpirun may kill this agent as soon as upcrun knows of the end
  send(MessageType::kExited, wait_status);
}

void AgentProcess::on_member_exit() {
  pollfd now{member_pidfd_.get(), POLLIN, 0};
  if (::poll(&now, 1, 0) <= 0) return;  // another program has joined since, and this pidfd is its own
  member_pidfd_.reset();
  member_exited_ = true;
  receive_packets();
  read_available_output();
  temporary_files_.remove_all();
  send(MessageType::kMemberExited);
}

void AgentProcess::receive_packets() {
  while (child_.control && receive_one()) {
  }
}

// Returns false when no more packets have arrived.
bool AgentProcess::receive_one() {
  static char packet[kMaxPacketBytes];
  pid_t sender = 0;
  const ssize_t got = receive_packet(child_.control.get(), packet, sizeof packet, &sender);
  if (got < 0 && errno == EINTR) return true;
  if (got < 0 && errno == EAGAIN) return false;
  if (got <= 0) {
    child_.control.reset();
    packets_.clear();
    send(MessageType::kSocketClosed);
    return false;
  }
  upcr::wire::Header header{};
  std::memcpy(&header, packet, std::min(static_cast<std::size_t>(got), sizeof header));
  if (header.type == upcr::wire::Type::kHello) on_joined(sender);
  if (header.type == upcr::wire::Type::kRemoveAtEnd && static_cast<std::size_t>(got) > sizeof header) {
    temporary_files_.note({packet + sizeof header, static_cast<std::size_t>(got) - sizeof header},
                          header.value != 0);
    return true;  // this host's files are the agent's to remove
  }
  if (is_collective(header.type) && static_cast<std::size_t>(got) >= sizeof header) {
    contribute_(number_, header, {packet + sizeof header, static_cast<std::size_t>(got) - sizeof header});
    return true;
  }
  if (header.type == upcr::wire::Type::kReporting) reporting_ = true;
  send(MessageType::kPacket, sender, {packet, static_cast<std::size_t>(got)});
  return true;
}

void AgentProcess::on_joined(pid_t pid) {
  member_ = pid;
  member_exited_ = false;
  member_pidfd_.reset();
  if (pid == child_.pid) return;  // otherwise a script stands between them
  member_pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  member_exited_ = !member_pidfd_;  // it has already ended
  if (member_exited_) send(MessageType::kMemberExited);
}

void AgentProcess::send_packets() { packets_.flush(child_.control.get()); }

// Reads once, at most `most` bytes.
void AgentProcess::read_output(UniqueFd& pipe, int stream, std::size_t most) {
  static char buffer[64 * 1024];
  if (!pipe || most == 0) return;
  const ssize_t got = ::read(pipe.get(), buffer, std::min(most, sizeof buffer));
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return pipe.reset();
  credit_ -= static_cast<int>(got);
  send(MessageType::kOutput, stream, {buffer, static_cast<std::size_t>(got)});
}

// Forwards the program's last output before its end is reported. Needs no credit, because a pipe's content is
// bounded.
void AgentProcess::read_available_output() {
  for (const auto& [pipe, stream] : {std::pair(&child_.output, 1), std::pair(&child_.error, 2)}) {
    int bytes = 0;
    if (!*pipe || ::ioctl(pipe->get(), FIONREAD, &bytes) != 0) continue;
    for (int done = 0; done < bytes && *pipe; done += 64 * 1024)
      read_output(*pipe, stream, static_cast<std::size_t>(bytes - done));
  }
}

void AgentProcess::read_remaining_output() {
  read_available_output();
  child_.output.reset();
  child_.error.reset();
}

void AgentProcess::write_input() {
  while (input_ && !waiting_input_.empty()) {
    const ssize_t done = ::write(input_.get(), waiting_input_.data(), waiting_input_.size());
    if (done < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (done < 0) input_.reset();  // the program has closed its input; the rest is dropped
    if (done < 0) break;
    waiting_input_.erase(0, static_cast<std::size_t>(done));
    send(MessageType::kCredit, static_cast<int>(done));
  }
  if (!input_) waiting_input_.clear();
  if (input_over_ && waiting_input_.empty()) input_.reset();
}

}  // namespace upcrun
