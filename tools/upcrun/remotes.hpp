// SPDX-License-Identifier: BSD-3-Clause
// upcrun's ends of the links to the agents of a job: lets them in, hears them, tells them. Knows no rules of
// jobs; what arrives goes to a RemoteListener. Single-threaded, never blocks.
#pragma once
#include <poll.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/listener.hpp"

namespace upcrun {

class RemoteListener {
 public:
  // The agent of this rank is there; it waits for its order.
  virtual void on_agent(unsigned rank, const Hello& hello) = 0;
  // An agent that cannot belong to this job, for the reason given.
  virtual void on_misplaced(const Hello& hello, const std::string& why) = 0;
  virtual void on_stranger(const std::string& what) = 0;
  // A word of the agent's.
  virtual void on_word(unsigned rank, const Message& message) = 0;
  // The link is closed, by the agent or because its host is gone.
  virtual void on_lost(unsigned rank) = 0;

 protected:
  ~RemoteListener() = default;
};

class Remotes {
 public:
  Remotes(Credentials credentials, bool loopback_only, unsigned processes, RemoteListener& listener);

  unsigned port() const noexcept { return listener_.port(); }
  Link* link(unsigned rank) { return links_[rank].get(); }  // null: not there, or no more
  const std::string& host(unsigned rank) const { return hosts_[rank]; }
  bool has_come(unsigned rank) const { return !hosts_[rank].empty(); }  // and may be gone again
  bool all_have_come() const;
  unsigned connected() const noexcept { return connected_; }  // links that are open

  void tell(unsigned rank, Word word, int value = 0, std::string_view text = {});
  void tell_all(Word word);
  void drop_all();

  void collect(std::vector<pollfd>& fds) const;
  // Afterwards, with the same entries.
  void handle(const pollfd* fds, std::size_t count);
  Milliseconds next_deadline() const noexcept { return listener_.next_deadline(); }
  void check_deadlines() { listener_.check_deadlines(); }

 private:
  void let_in(const Hello& hello, Link link);
  void hear(unsigned rank);

  RemoteListener& heard_by_;
  Listener listener_;
  std::vector<std::unique_ptr<Link>> links_;
  std::vector<std::string> hosts_;
  mutable std::vector<unsigned> polled_;  // ranks, in the order of collect()'s entries
  unsigned connected_ = 0;
};

}  // namespace upcrun
