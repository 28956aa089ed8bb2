// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/job/agents.hpp"

#include <algorithm>

#include "tools/upcrun/base/packet_socket.hpp"

namespace upcrun {
namespace {

constexpr std::size_t kSparePending = 64;  // beside one connection for each process
constexpr std::size_t kMaxFrameBytes = kMaxPacketBytes + 4096;

// Why an agent that says this cannot take part, or nothing.
std::string misplaced(const Hello& hello, unsigned processes) {
  const std::string size = std::to_string(processes);
  if (hello.version != kLinkVersion)
    return "it is an upcrun of another version (" + std::to_string(hello.version) + ", here " +
           std::to_string(kLinkVersion) + "); install the same one on every host";
  if (hello.rank == Hello::kUnreachable)
    return "it cannot be reached: the command that should (ssh, or that of --rsh) ended with status " +
           std::to_string(hello.size);
  if (hello.rank < 0)
    return "nothing tells which one it is (OMPI_COMM_WORLD_RANK, PMI_RANK, PMIX_RANK and SLURM_PROCID are "
           "not "
           "set); is UPCR_MPIRUN the mpirun of an MPI library?";
  if (hello.size >= 0 && hello.size != static_cast<int>(processes))
    return "it was started as one of " + std::to_string(hello.size) + " processes, not of " + size +
           "; the mpirun of one MPI library does not know the other's variables: unset UPCR_MPIRUN";
  if (hello.rank >= static_cast<int>(processes))
    return "it was started as rank " + std::to_string(hello.rank) + ", the job has " + size + " processes";
  return {};
}

}  // namespace

Remotes::Remotes(Credentials credentials, bool loopback_only, const std::vector<unsigned>& shares,
                 AgentListener& listener)
    : listener_events_(listener),
      listener_(std::move(credentials), loopback_only, shares.size() + kSparePending) {
  for (const unsigned count : shares) {
    agents_.push_back({static_cast<unsigned>(agent_of_.size()), count, nullptr, {}});
    agent_of_.resize(agent_of_.size() + count, static_cast<unsigned>(agents_.size() - 1));
  }
  listener_.on_agent = [this](const Hello& hello, Link link) { add_agent(hello, std::move(link)); };
  listener_.on_rejected = [this](const std::string& what) { listener_events_.on_rejected_connection(what); };
}

void Remotes::add_agent(const Hello& hello, Link link) {
  if (const std::string why = misplaced(hello, static_cast<unsigned>(agent_of_.size())); !why.empty())
    return listener_events_.on_rejected_agent(hello, why);
  const unsigned rank = static_cast<unsigned>(hello.rank);
  Agent& here = agent(rank);
  if (here.first != rank || !here.host.empty())
    return listener_events_.on_rejected_agent(hello, "there are two of rank " + std::to_string(rank));
  link.set_max_frame(kMaxFrameBytes);
  link.set_processes(here.count);
  here.link = std::make_unique<Link>(std::move(link));
  here.host = hello.host.empty() ? "unknown" : hello.host;
  ++connected_;
  listener_events_.on_agent(here.first, here.count);
  hear(here);
}

bool Remotes::all_have_connected() const {
  return std::none_of(agents_.begin(), agents_.end(), [](const Agent& a) { return a.host.empty(); });
}

void Remotes::tell(unsigned rank, MessageType word, int value, std::string_view text) {
  if (Link* const to = link(rank)) to->send(word, value, text, {}, number(rank));
}

void Remotes::send_to_all(MessageType word) {
  for (const Agent& agent : agents_)
    if (agent.link) agent.link->send(word);
}

void Remotes::close_all() {
  for (Agent& agent : agents_) agent.link.reset();
  connected_ = 0;
}

void Remotes::collect(std::vector<pollfd>& fds) const {
  polled_.clear();
  for (std::size_t i = 0; i < agents_.size(); ++i) {
    const Link* const link = agents_[i].link.get();
    if (link == nullptr) continue;
    polled_.push_back(i);
    fds.push_back({link->fd(), static_cast<short>(link->unsent() != 0 ? POLLIN | POLLOUT : POLLIN), 0});
  }
  listener_.collect(fds);
}

void Remotes::handle(const pollfd* fds, std::size_t count) {
  const std::vector<std::size_t> polled = polled_;
  for (std::size_t i = 0; i < polled.size(); ++i) {
    Agent& agent = agents_[polled[i]];
    if (fds[i].revents == 0 || !agent.link) continue;
    agent.link->flush();
    hear(agent);
  }
  listener_.handle(fds + polled.size(), count - polled.size());
}

void Remotes::hear(Agent& agent) {
  if (!agent.link) return;
  const bool open = agent.link->fill();
  while (agent.link) {
    const auto message = agent.link->next();
    if (!message) break;
    listener_events_.on_word(agent.first + message->process, *message);
  }
  if (!agent.link || (open && !agent.link->broken())) return;
  agent.link.reset();
  --connected_;
  for (unsigned rank = agent.first; rank < agent.first + agent.count; ++rank)
    listener_events_.on_agent_lost(rank);
}

}  // namespace upcrun
