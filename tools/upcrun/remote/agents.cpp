// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/remote/agents.hpp"

#include <algorithm>

#include "tools/upcrun/exchange/collection.hpp"

namespace upcrun {
namespace {

constexpr std::size_t kSparePending = 64;  // beside one connection for each process
constexpr std::size_t kMaxFrameBytes = kMaxCollectiveBytes + 4096;

// Why an agent with this hello cannot take part in the job; empty if it can.
std::string reason_to_reject(const Hello& hello, unsigned first, unsigned processes) {
  const std::string size = std::to_string(processes);
  if (hello.version != kLinkVersion)
    return "it is an upcrun of another version (" + std::to_string(hello.version) + ", here " +
           std::to_string(kLinkVersion) + "); install the same version on every host";
  if (hello.rank == Hello::kHostUnreachable)
    return "it cannot be reached: the remote shell (ssh, or the command of --rsh) ended with status " +
           std::to_string(hello.size);
  if (hello.rank < 0)
    return "its rank is unknown (OMPI_COMM_WORLD_RANK, PMI_RANK, PMIX_RANK and SLURM_PROCID are not "
           "set); is UPCR_MPIRUN the mpirun of an MPI library?";
  if (hello.size >= 0 && hello.size != static_cast<int>(processes))
    return "it was started as one of " + std::to_string(hello.size) + " processes, not of " + size +
           "; the mpirun of one MPI library does not know the other's variables: unset UPCR_MPIRUN";
  if (hello.rank < static_cast<int>(first))
    return "it was started as rank " + std::to_string(hello.rank) + ", which this host does not start";
  if (hello.rank >= static_cast<int>(first + processes))
    return "it was started as rank " + std::to_string(hello.rank) + ", the job has " + size + " processes";
  return {};
}

}  // namespace

Agents::Agents(Credentials credentials, bool loopback_only, unsigned first,
               const std::vector<unsigned>& shares, AgentListener& listener)
    : listener_events_(listener),
      listener_(std::move(credentials), loopback_only, shares.size() + kSparePending),
      first_(first) {
  for (const unsigned count : shares) {
    agents_.push_back({first + static_cast<unsigned>(agent_of_.size()), count, nullptr, {}});
    agent_of_.resize(agent_of_.size() + count, static_cast<unsigned>(agents_.size() - 1));
  }
  listener_.on_agent = [this](const Hello& hello, Link link) { add_agent(hello, std::move(link)); };
  listener_.on_rejected = [this](const std::string& what) { listener_events_.on_rejected_connection(what); };
}

void Agents::add_agent(const Hello& hello, Link link) {
  if (const std::string why = reason_to_reject(hello, first_, static_cast<unsigned>(agent_of_.size()));
      !why.empty())
    return listener_events_.on_rejected_agent(hello, why);
  const unsigned rank = static_cast<unsigned>(hello.rank);
  Agent& here = agent(rank);
  if (here.first != rank || !here.host.empty())
    return listener_events_.on_rejected_agent(hello,
                                              "there is another one with rank " + std::to_string(rank));
  link.set_max_frame(kMaxFrameBytes);
  link.set_processes(here.count);
  here.link = std::make_unique<Link>(std::move(link));
  here.host = hello.host.empty() ? "unknown" : hello.host;
  ++connected_;
  listener_events_.on_agent(here.first, here.count);
  receive(here);
}

bool Agents::all_have_connected() const {
  return std::none_of(agents_.begin(), agents_.end(), [](const Agent& a) { return a.host.empty(); });
}

void Agents::send(unsigned rank, MessageType type, int value, std::string_view text) {
  if (Link* const to = link(rank)) to->send(type, value, text, {}, number(rank));
}

void Agents::send_to_all(MessageType type) {
  for (const Agent& agent : agents_)
    if (agent.link) agent.link->send(type);
}

void Agents::send_to_all(MessageType type, const std::shared_ptr<const std::string>& bytes) {
  for (const Agent& agent : agents_)
    if (agent.link) agent.link->send_shared(type, 0, {}, bytes);
}

void Agents::close_all() {
  for (Agent& agent : agents_) agent.link.reset();
  connected_ = 0;
}

void Agents::collect(std::vector<pollfd>& fds) const {
  polled_.clear();
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    const Link* const link = agents_[i].link.get();
    if (link == nullptr) continue;
    polled_.push_back(i);
    fds.push_back({link->fd(), static_cast<short>(link->unsent() != 0 ? POLLIN | POLLOUT : POLLIN), 0});
  }
  listener_.collect(fds);
}

void Agents::handle(const pollfd* fds, std::size_t count) {
  const std::vector<std::size_t> polled = polled_;
  for (std::size_t i = 0; i < polled.size(); ++i) {
    Agent& agent = agents_[polled[i]];
    if (fds[i].revents == 0 || !agent.link) continue;
    agent.link->flush();
    receive(agent);
  }
  listener_.handle(fds + polled.size(), count - polled.size());
}

void Agents::receive(Agent& agent) {
  if (!agent.link) return;
  const bool open = agent.link->fill();
  while (agent.link) {
    const auto message = agent.link->next();
    if (!message) break;
    listener_events_.on_message(agent.first + message->process, *message);
  }
  if (!agent.link || (open && !agent.link->broken())) return;
  agent.link.reset();
  --connected_;
  for (unsigned rank = agent.first; rank < agent.first + agent.count; ++rank)
    listener_events_.on_agent_lost(rank);
}

}  // namespace upcrun
