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
    : credentials_(std::move(credentials)), max_pending_(max_pending), socket_(open_socket(loopback_only)) {
  port_ = port_of(socket_.get());
}

void Listener::collect(std::vector<pollfd>& fds) const {
  fds.push_back({socket_.get(), POLLIN, 0});
  for (const PendingConnection& connection : pending_) fds.push_back({connection.link.fd(), POLLIN, 0});
}

void Listener::handle(const pollfd* fds, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i)
    if (fds[i].revents != 0) receive(pending_[i - 1]);
  remove_closed();
  if (fds[0].revents != 0) accept_connections();
}

void Listener::remove_closed() {
  std::erase_if(pending_, [](const PendingConnection& connection) { return connection.closed; });
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
    PendingConnection connection{Link(std::move(fd), kMaxHelloBytes), describe(from),
                                 now_ms() + kAuthBeginTimeout};
    receive(connection);  // the agent's first frame has usually arrived already
    if (connection.closed) continue;
    if (make_room())
      pending_.push_back(std::move(connection));
    else
      reject(connection, "too many agents connect at once");
  }
}

// Closes the oldest connection that has not begun to authenticate, as the least likely to be an agent.
// Returns false when all have begun.
bool Listener::make_room() {
  if (pending_.size() < max_pending_) return true;
  const auto unauthenticated = std::find_if(pending_.begin(), pending_.end(),
                                            [](const PendingConnection& s) { return !s.authenticating; });
  if (unauthenticated == pending_.end()) return false;
  reject(*unauthenticated, "too many connections that do not authenticate");
  pending_.erase(unauthenticated);
  return true;
}

void Listener::receive(PendingConnection& connection) {
  const bool open = connection.link.fill();
  while (const std::optional<Message> message = connection.link.next()) {
    handle_message(connection, *message);
    if (connection.closed) return;
  }
  if (connection.link.broken())
    reject(connection, "it is no part of a job");
  else if (!open)
    reject(connection, "it was closed before it authenticated");
}

void Listener::handle_message(PendingConnection& connection, const Message& message) {
  if (!connection.authenticating) {
    if (message.type != MessageType::kAuthBegin || !same_secret(credentials_.token_prefix(), message.payload))
      return reject(connection, "it is no part of a job");
    connection.authenticating = true;
    connection.deadline = now_ms() + kHelloTimeout;
    return connection.link.send(MessageType::kAuthReply, kLinkVersion, credentials_.job_token);
  }
  const std::optional<Hello> hello = Hello::parse(message.payload);
  if (message.type != MessageType::kHello || !hello) return reject(connection, "it is no part of a job");
  if (!same_secret(credentials_.secret, hello->secret))
    return reject(connection, "it does not know the secret of this job");
  connection.closed = true;
  on_agent(*hello, std::move(connection.link));
}

void Listener::reject(PendingConnection& connection, const std::string& why) {
  connection.closed = true;
  connection.link.close();
  on_rejected("refused a connection from " + connection.from + ": " + why);
}

Milliseconds Listener::next_deadline() const noexcept {
  Milliseconds next = 0;
  for (const PendingConnection& connection : pending_)
    if (next == 0 || connection.deadline < next) next = connection.deadline;
  return next;
}

void Listener::check_deadlines() {
  const Milliseconds now = now_ms();
  for (PendingConnection& connection : pending_)
    if (now >= connection.deadline) reject(connection, "it has not authenticated within some seconds");
  remove_closed();
}

}  // namespace upcrun
