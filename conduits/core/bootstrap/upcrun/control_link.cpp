// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/bootstrap/upcrun/control_link.hpp"

#include <sched.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <utility>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_filter.hpp"
#include "conduits/core/base/report/process_end.hpp"
#include "conduits/core/base/report/signal_report.hpp"
#include "conduits/core/base/system/ticks.hpp"
#include "conduits/core/bootstrap/control_thread.hpp"

namespace upcr {
namespace {

using wire::Header;
using wire::Type;

constexpr int kLauncherLost = 255;  // exit status when upcrun died
// How long a process spins for a reply before it sleeps. Start-up has a dozen collectives in a row, and a
// sleeping thread wakes up after milliseconds at times, above all on virtual machines. A spinning thread
// yields its CPU each time: the launcher and the control threads may need it.
constexpr std::uint64_t kSpinNs = 200'000;
constexpr long kReadSeconds = 1;
constexpr std::chrono::seconds kDeathReportLimit{20};  // the end of a large process takes seconds
constexpr long kGraceSeconds = wire::kExitGrace / 1000, kReportSeconds = wire::kReportGrace / 1000;

ssize_t send_packet(int fd, const Header& header, const void* payload, std::size_t bytes) noexcept {
  iovec parts[2] = {{const_cast<Header*>(&header), sizeof header}, {const_cast<void*>(payload), bytes}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = bytes != 0 ? 2 : 1;
  ssize_t sent;
  do sent = ::sendmsg(fd, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent;
}

// Waits until another thread ends the process.
[[noreturn]] void wait_for_exit() {
  for (;;) ::pause();
}

// For the signal handlers' notice, which has no argument of its own.
constinit std::atomic<const ControlLink*> link_of_process{nullptr};

}  // namespace

ControlLink::ControlLink(int fd) noexcept : fd_(fd), socket_(fd), errors_(STDERR_FILENO), pid_(::getpid()) {}

bool ControlLink::in_forked_child() const noexcept { return ::getpid() != pid_; }

void ControlLink::start(const Callbacks& callbacks) {
  callbacks_ = callbacks;
  link_of_process.store(this);
  set_crash_notice(&ControlLink::send_crashed);
  // Closing a descriptor does not wake the thread that reads from it, so the read is repeated every second.
  const timeval again{kReadSeconds, 0};
  (void)::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &again, sizeof again);
  start_control_thread(&ControlLink::run, this);
}

void ControlLink::send_chunk(const Header& header, const void* payload, std::size_t bytes) {
  if (send_packet(fd_, header, payload, bytes) >= 0) return;
  // The launcher is gone or ends the job: the control thread ends the process.
  if (errno == EPIPE || errno == ECONNRESET) wait_for_exit();
  fatal_errno("cannot write %zu bytes to upcrun (descriptor %d)", sizeof header + bytes, fd_);
}

void ControlLink::send(Type type, int value, std::uint64_t total) {
  send_chunk({type, value, total}, nullptr, 0);
}

void ControlLink::send(Type type, int value, const std::string& payload) {
  if (in_forked_child()) return;
  std::size_t done = 0;
  do {
    const std::size_t chunk = std::min(payload.size() - done, wire::kChunk);
    send_chunk({type, value, payload.size()}, payload.data() + done, chunk);
    done += chunk;
  } while (done < payload.size());
}

void ControlLink::begin_collective(Type type, int value, const void* mine, std::size_t bytes) {
  if (in_forked_child()) fatal("a forked child (pid %d) of pid %d takes part in the job", getpid(), pid_);
  {
    std::lock_guard<std::mutex> guard(mutex_);
    awaited_ = type;
    reply_ = {};
    reply_got_ = 0;
    replied_.store(false, std::memory_order_relaxed);
  }
  std::size_t done = 0;
  do {
    const std::size_t chunk = std::min(bytes - done, wire::kChunk);
    send_chunk({type, value, bytes}, static_cast<const char*>(mine) + done, chunk);
    done += chunk;
  } while (done < bytes);
}

ControlLink::Reply ControlLink::collective(Type type, int value, const void* mine, std::size_t bytes) {
  begin_collective(type, value, mine, bytes);
  wait_for_reply();
  return std::move(reply_);
}

void ControlLink::wait_for_reply() {
  const std::uint64_t start = ticks_now();
  do {
    if (has_replied()) return;
    sched_yield();
  } while (ticks_now() - start < kSpinNs);
  std::unique_lock<std::mutex> lock(mutex_);
  arrived_.wait(lock, [this] { return replied_.load(std::memory_order_relaxed); });
}

void ControlLink::await_death_report(Rank peer) {
  if (in_forked_child()) return;
  send(Type::kPeerLost, static_cast<int>(peer));
  std::unique_lock<std::mutex> lock(alive_mutex_);
  alive_changed_.wait_for(lock, kDeathReportLimit, [&] { return alive_.count(peer) != 0; });
}

void* ControlLink::run(void* self) {
  for (;;) static_cast<ControlLink*>(self)->receive();
}

// Receives one packet.
void ControlLink::receive() {
  Header header{};
  // Peeks first: the buffer for the payload depends on the type.
  ssize_t got = ::recv(fd_, &header, sizeof header, MSG_PEEK);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got < 0 && (errno == EBADF || errno == ENOTSOCK))
    fatal_errno("cannot read from upcrun (descriptor %d)", fd_);
  if (!socket_.is_same())
    fatal("cannot read from upcrun: descriptor %d is another file's; the program must leave it open", fd_);
  if (got < static_cast<ssize_t>(sizeof header)) end_process(kLauncherLost);
  if (header.type == Type::kWaits) {
    (void)::recv(fd_, &header, sizeof header, 0);
    return answer(header.value);
  }
  if (header.type != Type::kExit && header.type != Type::kPeerLost) return receive_reply(header);
  if (::recv(fd_, &header, sizeof header, 0) < static_cast<ssize_t>(sizeof header))
    end_process(kLauncherLost);
  if (header.type == Type::kExit) end_process(header.value);
  note_alive(static_cast<Rank>(header.value));
}

void ControlLink::note_alive(Rank peer) {
  const std::lock_guard<std::mutex> guard(alive_mutex_);
  alive_.insert(peer);
  alive_changed_.notify_all();
}

void ControlLink::answer(int question) { send(Type::kWaits, question, callbacks_.describe_threads()); }

// Receives the packet with this header, which is the reply that the main thread waits for, or a part of it.
void ControlLink::receive_reply(Header header) {
  const std::lock_guard<std::mutex> guard(mutex_);
  if (header.type != awaited_ || replied_.load(std::memory_order_relaxed))
    fatal("upcrun replied with a message of type %u instead of %u; is it of another version?",
          static_cast<unsigned>(header.type), static_cast<unsigned>(awaited_));
  const bool in_file = header.value == wire::kInFile;
  reply_.total = header.total;
  reply_.bytes.resize(in_file ? 0 : header.total);
  iovec parts[2] = {{&header, sizeof header},
                    {reply_.bytes.data() + reply_got_, reply_.bytes.size() - reply_got_}};
  alignas(cmsghdr) char ancillary[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  message.msg_control = ancillary;
  message.msg_controllen = sizeof ancillary;
  const ssize_t got = ::recvmsg(fd_, &message, MSG_CMSG_CLOEXEC);
  if (got < static_cast<ssize_t>(sizeof header)) end_process(kLauncherLost);
  if (in_file) {
    const cmsghdr* const c = CMSG_FIRSTHDR(&message);
    if (c == nullptr || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
      fatal("cannot receive a descriptor from upcrun: this process has as many open as `ulimit -n` allows");
    int file = -1;
    std::memcpy(&file, CMSG_DATA(c), sizeof file);
    reply_.file.reset(file);
  } else {
    reply_got_ += static_cast<std::size_t>(got) - sizeof header;
    if (reply_got_ != reply_.total) return;
  }
  replied_.store(true, std::memory_order_release);
  arrived_.notify_one();
}

// On the control thread: the job ends with `status`, by the launcher's message or its death. A thread that
// reports an error ends the process instead, and the launcher is asked to wait for it.
[[noreturn]] void ControlLink::end_process(int status) {
  if (ending_.test_and_set()) wait_for_exit();
  if (!try_claim_process_end()) {
    (void)send_packet(fd_, {Type::kReporting, 0, 0}, nullptr, 0);
    kill_self_after(kReportSeconds);
    wait_for_exit();
  }
  kill_self_after(kGraceSeconds);
  std::fflush(nullptr);
  callbacks_.ended(status);
  _exit(status);
}

// Has upcrun end the job, and ends this process.
[[noreturn]] void ControlLink::send_and_exit(const Header& header) {
  if (in_forked_child()) {
    std::fflush(nullptr);
    _exit(header.value);
  }
  if (ending_.test_and_set()) wait_for_exit();
  claim_process_end();
  (void)send_packet(fd_, header, nullptr, 0);
  kill_self_after(kGraceSeconds);
  std::fflush(nullptr);
  _exit(header.value);
}

[[noreturn]] void ControlLink::global_exit(int status) { send_and_exit({Type::kExit, status, 0}); }

[[noreturn]] void ControlLink::leave(int status, unsigned grace_ms) {
  send_and_exit({Type::kLeave, status, grace_ms});
}

void ControlLink::send_crashed(int signal) noexcept {
  const ControlLink& link = *link_of_process.load();
  // A report that went elsewhere is none to whoever started the job.
  if (!link.in_forked_child() && link.errors_.is_same())
    (void)send_packet(link.fd_, {Type::kCrashed, signal, 0}, nullptr, 0);
}

[[noreturn]] void ControlLink::abort(int status) noexcept {
  if (!in_forked_child()) {
    (void)send_packet(fd_, {Type::kAbort, status, 0}, nullptr, 0);
    linger_after_fatal();
  }
  _exit(status);
}

}  // namespace upcr
