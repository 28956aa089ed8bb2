// SPDX-License-Identifier: BSD-3-Clause
// The agents of a job, as upcrun sees them: accepts their links, receives their messages and sends to them.
// An agent serves one process, or several with consecutive ranks. Knows nothing of the rules of jobs: events
// go to an AgentListener. Single-threaded, never blocks.
#pragma once
#include <poll.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/upcrun/protocol/listener.hpp"

namespace upcrun {

class AgentListener {
 public:
  // The agent of `count` ranks from `first` on has connected; it waits for a launch specification.
  virtual void on_agent(unsigned first, unsigned count) = 0;
  // An agent has connected that cannot belong to this job, for the reason `why`.
  virtual void on_rejected_agent(const Hello& hello, const std::string& why) = 0;
  virtual void on_rejected_connection(const std::string& what) = 0;
  // A message of the agent about this rank.
  virtual void on_message(unsigned rank, const Message& message) = 0;
  // The link to the agent of this rank is closed, by the agent or because its host is gone.
  virtual void on_agent_lost(unsigned rank) = 0;

 protected:
  ~AgentListener() = default;
};

class Agents {
 public:
  // `shares`: the number of processes of each agent, in the order of their ranks, the first of which is
  // `first`.
  Agents(Credentials credentials, bool loopback_only, unsigned first, const std::vector<unsigned>& shares,
         AgentListener& listener);

  unsigned port() const noexcept { return listener_.port(); }
  Link* link(unsigned rank) { return agent(rank).link.get(); }  // null: not connected, or lost
  // The number of this process in the frames of its agent.
  unsigned number(unsigned rank) const { return rank - agents_[agent_of_[rank - first_]].first; }
  const std::string& host(unsigned rank) const { return agents_[agent_of_[rank - first_]].host; }
  bool has_connected(unsigned rank) const { return !host(rank).empty(); }  // it may have been lost since
  bool all_have_connected() const;
  unsigned connected() const noexcept { return connected_; }  // number of open links

  // Sends to the agent a message about this rank.
  void send(unsigned rank, MessageType type, int value = 0, std::string_view text = {});
  // Sends one message to each agent.
  void send_to_all(MessageType type);
  // The same, with bytes that are not copied.
  void send_to_all(MessageType type, const std::shared_ptr<const std::string>& bytes);
  void close_all();

  void collect(std::vector<pollfd>& fds) const;
  // Takes the entries of collect() after poll().
  void handle(const pollfd* fds, std::size_t count);
  Milliseconds next_deadline() const noexcept { return listener_.next_deadline(); }
  void check_deadlines() { listener_.check_deadlines(); }

 private:
  struct Agent {
    unsigned first, count;
    std::unique_ptr<Link> link;
    std::string host;  // as it named itself; empty: has not connected
  };
  Agent& agent(unsigned rank) { return agents_[agent_of_[rank - first_]]; }
  void add_agent(const Hello& hello, Link link);
  void receive(Agent& agent);

  AgentListener& listener_events_;
  Listener listener_;
  std::vector<Agent> agents_;
  const unsigned first_;
  std::vector<unsigned> agent_of_;           // by rank, from first_ on
  mutable std::vector<std::size_t> polled_;  // agents, in the order of collect()'s entries
  unsigned connected_ = 0;
};

}  // namespace upcrun
