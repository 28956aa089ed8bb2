// SPDX-License-Identifier: BSD-3-Clause
// Accepts the connections of agents. A connection is pending until it has sent the secret: it costs a small
// buffer, a limited number is kept, each for a few seconds, and a rejected one has no effect on the job. When
// there are too many, one that has not sent the token prefix is closed first. So connections that send
// nothing, or something else, can only displace each other, and cannot keep an agent out.
#pragma once
#include <poll.h>

#include <functional>
#include <string>
#include <vector>

#include "tools/upcrun/base/addresses.hpp"
#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/protocol/hello.hpp"
#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

class Listener {
 public:
  static constexpr Milliseconds kAuthBeginTimeout =
      3'000;  // an agent sends the token prefix as soon as it is connected
  static constexpr Milliseconds kHelloTimeout = 10'000;  // then, for the hello

  // Listens on a free port, of 127.0.0.1 only or of all addresses. Throws Failure.
  Listener(Credentials credentials, bool loopback_only, std::size_t max_pending);

  unsigned port() const noexcept { return port_; }
  // Called when an agent has authenticated; the receiver owns the link.
  std::function<void(const Hello&, Link)> on_agent;
  // Called with a message when a connection has been rejected.
  std::function<void(const std::string&)> on_rejected;

  // Appends the descriptors to poll; handle() takes the same entries after poll().
  void collect(std::vector<pollfd>& fds) const;
  void handle(const pollfd* fds, std::size_t count);
  // The earliest time limit of a pending connection; 0: there is none.
  Milliseconds next_deadline() const noexcept;
  void check_deadlines();
  std::size_t pending() const noexcept { return pending_.size(); }

 private:
  struct PendingConnection {
    Link link;
    std::string from;
    Milliseconds deadline;
    bool authenticating = false;  // has sent the token prefix
    bool closed = false;
  };
  void accept_connections();
  bool make_room();
  void remove_closed();
  void handle_message(PendingConnection& connection, const Message& message);
  void receive(PendingConnection& connection);
  void reject(PendingConnection& connection, const std::string& why);

  const Credentials credentials_;
  const std::size_t max_pending_;
  unsigned port_ = 0;
  UniqueFd socket_;
  std::vector<PendingConnection> pending_;  // oldest first
};

}  // namespace upcrun
