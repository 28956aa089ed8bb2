// SPDX-License-Identifier: BSD-3-Clause
// Where agents come in. A connection is a stranger's until it has said the secret: it costs a small buffer,
// at most so many are kept, each for a few seconds, and whoever is refused changes nothing for the job. Who
// has knocked as agents do is not sent away for others, so connections that say nothing, or anything else,
// however many there are, cannot keep an agent out: they only push each other away.
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
  static constexpr Milliseconds kAuthBeginTimeout = 3'000;  // an agent knocks as soon as it is connected
  static constexpr Milliseconds kPatience = 10'000;         // then for a hello

  // Listens on a free port: of 127.0.0.1 only, or of all addresses. Throws Failure.
  Listener(Credentials credentials, bool loopback_only, std::size_t max_pending);

  unsigned port() const noexcept { return port_; }
  // An agent has said the secret; the link is its own now.
  std::function<void(const Hello&, Link)> on_agent;
  // Somebody was turned away: who and why.
  std::function<void(const std::string&)> on_rejected;

  // What to poll for; and what to do afterwards with the same entries.
  void collect(std::vector<pollfd>& fds) const;
  void handle(const pollfd* fds, std::size_t count);
  // When somebody's time is over; 0: never.
  Milliseconds next_deadline() const noexcept;
  void check_deadlines();
  std::size_t strangers() const noexcept { return strangers_.size(); }

 private:
  struct PendingConnection {
    Link link;
    std::string from;
    Milliseconds until;
    bool known = false;  // has knocked
    bool over = false;
  };
  void accept_connections();
  bool make_room();
  void forget();
  void take(PendingConnection& stranger, const Message& message);
  void hear(PendingConnection& stranger);
  void refuse(PendingConnection& stranger, const std::string& why);

  const Credentials credentials_;
  const std::size_t most_;
  unsigned port_ = 0;
  UniqueFd socket_;
  std::vector<PendingConnection> strangers_;  // oldest first
};

}  // namespace upcrun
