// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/remotes.hpp"

#include <algorithm>

#include "tools/upcrun/packet_socket.hpp"

namespace upcrun {
namespace {

constexpr std::size_t kSpareStrangers = 64;  // beside one connection for each process
constexpr std::size_t kLongestFrame = kLongestPacket + 4096;

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

Remotes::Remotes(Credentials credentials, bool loopback_only, unsigned processes, RemoteListener& listener)
    : heard_by_(listener),
      listener_(std::move(credentials), loopback_only, processes + kSpareStrangers),
      links_(processes),
      hosts_(processes) {
  listener_.on_agent = [this](const Hello& hello, Link link) { let_in(hello, std::move(link)); };
  listener_.on_refused = [this](const std::string& what) { heard_by_.on_stranger(what); };
}

void Remotes::let_in(const Hello& hello, Link link) {
  if (const std::string why = misplaced(hello, static_cast<unsigned>(links_.size())); !why.empty())
    return heard_by_.on_misplaced(hello, why);
  const unsigned rank = static_cast<unsigned>(hello.rank);
  if (!hosts_[rank].empty())
    return heard_by_.on_misplaced(hello, "there are two of rank " + std::to_string(rank));
  link.set_longest(kLongestFrame);
  links_[rank] = std::make_unique<Link>(std::move(link));
  hosts_[rank] = hello.host.empty() ? "unknown" : hello.host;
  ++connected_;
  heard_by_.on_agent(rank, hello);
  hear(rank);
}

bool Remotes::all_have_come() const {
  return std::none_of(hosts_.begin(), hosts_.end(), [](const std::string& host) { return host.empty(); });
}

void Remotes::tell(unsigned rank, Word word, int value, std::string_view text) {
  if (links_[rank]) links_[rank]->send(word, value, text);
}

void Remotes::tell_all(Word word) {
  for (unsigned rank = 0; rank < links_.size(); ++rank) tell(rank, word);
}

void Remotes::drop_all() {
  for (auto& link : links_) link.reset();
  connected_ = 0;
}

void Remotes::collect(std::vector<pollfd>& fds) const {
  polled_.clear();
  for (unsigned rank = 0; rank < links_.size(); ++rank) {
    if (!links_[rank]) continue;
    polled_.push_back(rank);
    fds.push_back(
        {links_[rank]->fd(), static_cast<short>(links_[rank]->unsent() != 0 ? POLLIN | POLLOUT : POLLIN), 0});
  }
  listener_.collect(fds);
}

void Remotes::handle(const pollfd* fds, std::size_t count) {
  const std::vector<unsigned> polled = polled_;
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (fds[i].revents == 0 || !links_[polled[i]]) continue;
    links_[polled[i]]->flush();
    hear(polled[i]);
  }
  listener_.handle(fds + polled.size(), count - polled.size());
}

void Remotes::hear(unsigned rank) {
  const bool open = links_[rank]->fill();
  while (links_[rank]) {
    const auto message = links_[rank]->next();
    if (!message) break;
    heard_by_.on_word(rank, *message);
  }
  if (!links_[rank] || (open && !links_[rank]->broken())) return;
  links_[rank].reset();
  --connected_;
  heard_by_.on_lost(rank);
}

}  // namespace upcrun
