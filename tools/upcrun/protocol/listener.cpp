// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/protocol/listener.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "tools/upcrun/base/failure.hpp"

namespace upcrun {
namespace {

constexpr int kAcceptsAtOnce = 64;  // per call, so that a flood of connections does not stop the job

// The socket accepts IPv4 and IPv6 connections where the system has IPv6.
UniqueFd open_socket(bool loopback_only) {
  const auto make = [](int family) {
    return UniqueFd(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  };
  std::string tried;
  for (const char* address : {"::", "0.0.0.0", "127.0.0.1"}) {
    if (loopback_only != (std::strcmp(address, "127.0.0.1") == 0)) continue;
    const SocketAddress where = *to_socket_address(address, 0);
    UniqueFd socket = make(where.storage.ss_family);
    const int off = 0;
    if (where.storage.ss_family == AF_INET6)
      (void)::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (socket &&
        ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&where.storage), where.length) == 0 &&
        ::listen(socket.get(), SOMAXCONN) == 0)
      return socket;
    tried = std::string(address) + ": " + std::strerror(errno);
  }
  throw Failure{1, "cannot listen for the processes of the job on " + tried};
}

unsigned port_of(int fd) {
  SocketAddress own;
  own.length = sizeof own.storage;
  (void)::getsockname(fd, reinterpret_cast<sockaddr*>(&own.storage), &own.length);
  // The port has the same offset in both address families.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&own.storage)->sin_port);
}

}  // namespace

Listener::Listener(Credentials credentials, bool loopback_only, std::size_t max_pending)
    : credentials_(std::move(credentials)), most_(max_pending), socket_(open_socket(loopback_only)) {
  port_ = port_of(socket_.get());
}

void Listener::collect(std::vector<pollfd>& fds) const {
  fds.push_back({socket_.get(), POLLIN, 0});
  for (const PendingConnection& stranger : strangers_) fds.push_back({stranger.link.fd(), POLLIN, 0});
}

void Listener::handle(const pollfd* fds, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i)
    if (fds[i].revents != 0) hear(strangers_[i - 1]);
  forget();
  if (fds[0].revents != 0) accept_connections();
}

void Listener::forget() {
  std::erase_if(strangers_, [](const PendingConnection& stranger) { return stranger.over; });
}

void Listener::accept_connections() {
  for (int i = 0; i < kAcceptsAtOnce; ++i) {
    SocketAddress from;
    from.length = sizeof from.storage;
    UniqueFd fd(
        ::accept4(socket_.get(), reinterpret_cast<sockaddr*>(&from.storage), &from.length, SOCK_CLOEXEC));
    if (!fd)
      return;  // no more connections; or no more descriptors: then those in the backlog are accepted later
    set_up_socket(fd.get());
    PendingConnection stranger{Link(std::move(fd), kMaxHelloBytes), in_words(from),
                               now_ms() + kAuthBeginTimeout};
    hear(stranger);  // an agent's knock is there already, as a rule
    if (stranger.over) continue;
    if (make_room())
      strangers_.push_back(std::move(stranger));
    else
      refuse(stranger, "too many agents come at once");
  }
}

// Closes the oldest connection that has not begun to authenticate, as the least likely to be an agent.
// Returns false when all have begun.
bool Listener::make_room() {
  if (strangers_.size() < most_) return true;
  const auto silent =
      std::find_if(strangers_.begin(), strangers_.end(), [](const PendingConnection& s) { return !s.known; });
  if (silent == strangers_.end()) return false;
  refuse(*silent, "too many connections that say nothing");
  strangers_.erase(silent);
  return true;
}

void Listener::hear(PendingConnection& stranger) {
  const bool open = stranger.link.fill();
  while (const std::optional<Message> message = stranger.link.next()) {
    take(stranger, *message);
    if (stranger.over) return;
  }
  if (stranger.link.broken())
    refuse(stranger, "it is no part of a job");
  else if (!open)
    refuse(stranger, "it went away without a word");
}

void Listener::take(PendingConnection& stranger, const Message& message) {
  if (!stranger.known) {
    if (message.word != MessageType::kAuthBegin || !same_secret(credentials_.knock(), message.payload))
      return refuse(stranger, "it is no part of a job");
    stranger.known = true;
    stranger.until = now_ms() + kPatience;
    return stranger.link.send(MessageType::kAuthReply, kLinkVersion, credentials_.greeting);
  }
  const std::optional<Hello> hello = Hello::parse(message.payload);
  if (message.word != MessageType::kHello || !hello) return refuse(stranger, "it is no part of a job");
  if (!same_secret(credentials_.secret, hello->secret))
    return refuse(stranger, "it does not know the secret of this job");
  stranger.over = true;
  on_agent(*hello, std::move(stranger.link));
}

void Listener::refuse(PendingConnection& stranger, const std::string& why) {
  stranger.over = true;
  stranger.link.close();
  on_rejected("refused a connection from " + stranger.from + ": " + why);
}

Milliseconds Listener::next_deadline() const noexcept {
  Milliseconds next = 0;
  for (const PendingConnection& stranger : strangers_)
    if (next == 0 || stranger.until < next) next = stranger.until;
  return next;
}

void Listener::check_deadlines() {
  const Milliseconds now = now_ms();
  for (PendingConnection& stranger : strangers_)
    if (now >= stranger.until) refuse(stranger, "it has said nothing for some seconds");
  forget();
}

}  // namespace upcrun
