// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/listener.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "tools/upcrun/failure.hpp"

namespace upcrun {
namespace {

// Takes IPv4 connections too, where the system has IPv6 at all.
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
  // The port is at the same place in both families.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&own.storage)->sin_port);
}

}  // namespace

Listener::Listener(Credentials credentials, bool loopback_only, std::size_t most_strangers)
    : credentials_(std::move(credentials)), most_(most_strangers), socket_(open_socket(loopback_only)) {
  port_ = port_of(socket_.get());
}

void Listener::collect(std::vector<pollfd>& fds) const {
  fds.push_back({socket_.get(), POLLIN, 0});
  for (const Stranger& stranger : strangers_) fds.push_back({stranger.link.fd(), POLLIN, 0});
}

void Listener::handle(const pollfd* fds, std::size_t count) {
  for (std::size_t i = 1; i < count; ++i)
    if (fds[i].revents != 0) hear(strangers_[i - 1]);
  std::erase_if(strangers_, [](const Stranger& stranger) { return stranger.over; });
  if (fds[0].revents != 0) accept_all();
}

void Listener::accept_all() {
  for (;;) {
    SocketAddress from;
    from.length = sizeof from.storage;
    UniqueFd fd(
        ::accept4(socket_.get(), reinterpret_cast<sockaddr*>(&from.storage), &from.length, SOCK_CLOEXEC));
    if (!fd) return;  // nobody left; or no descriptors, and whoever waits will be taken when there are
    set_up_socket(fd.get());
    if (strangers_.size() >= most_) {  // an agent speaks at once, so the oldest one is the least likely
      refuse(strangers_.front(), "too many connections that say nothing");
      strangers_.pop_front();
    }
    strangers_.push_back({Link(std::move(fd), kLongestHello), in_words(from), now_ms() + kPatience});
    strangers_.back().link.send(Word::kGreeting, kLinkVersion, credentials_.greeting);
  }
}

void Listener::hear(Stranger& stranger) {
  const bool open = stranger.link.fill();
  const std::optional<Message> message = stranger.link.next();
  if (!message) {
    if (stranger.link.broken())
      refuse(stranger, "it is no part of a job");
    else if (!open)
      refuse(stranger, "it went away without a word");
    return;
  }
  const std::optional<Hello> hello = Hello::parse(message->payload);
  if (message->word != Word::kHello || !hello) return refuse(stranger, "it is no part of a job");
  if (!same_secret(credentials_.secret, hello->secret))
    return refuse(stranger, "it does not know the secret of this job");
  stranger.over = true;
  on_agent(*hello, std::move(stranger.link));
}

void Listener::refuse(Stranger& stranger, const std::string& why) {
  stranger.over = true;
  stranger.link.close();
  on_refused("refused a connection from " + stranger.from + ": " + why);
}

Milliseconds Listener::next_deadline() const noexcept {
  return strangers_.empty() ? 0 : strangers_.front().until;
}

void Listener::check_deadlines() {
  while (!strangers_.empty() && now_ms() >= strangers_.front().until) {
    refuse(strangers_.front(), "it has said nothing for " + std::to_string(kPatience / 1000) + " s");
    strangers_.pop_front();
  }
}

}  // namespace upcrun
