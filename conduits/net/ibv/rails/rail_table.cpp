// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/rails/rail_table.hpp"

#include <algorithm>

#include "conduits/core/base/report/log.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

}  // namespace

// Those of peers take queue pairs here, too.
void RailTable::request(Link& first, unsigned connections) {
  if (first.rails == nullptr) {
    std::unique_ptr<RailSet>& of_peer = sets_[first.rank];
    if (of_peer == nullptr) of_peer = std::make_unique<RailSet>(first.rank);
    first.rails = of_peer.get();
  }
  const unsigned all = connections + count_ + connections_->rails_of_peers();
  if (first.rails->requested || all >= limits_.own) return;
  first.rails->requested = true;
  connections_->connect_rails(first.connection, limits_.own - all);
}

void RailTable::established(Link& rail, Link* first) {
  const auto at = sets_.find(rail.rank);
  rail.ready = true;
  rail.rails = at->second.get();
  const bool is_wanted = first != nullptr && first->leaving == Leaving::kNo && !rail.rails->is_full();
  if (!is_wanted) return close(rail);
  rail.rails->add(rail);
  ++count_;
}

void RailTable::discarded(Link& rail) noexcept {
  if (rail.rails != nullptr && rail.rails->remove(rail)) --count_;
}

// The peer posts nothing on it, and nothing is in progress here.
void RailTable::close(Link& rail) {
  discarded(rail);
  rail.rails->requested = false;
  rail.leaving = Leaving::kClosed;
  connections_->close_rail(rail.connection);
}

bool RailTable::close_quiet(std::uint32_t now, std::uint32_t quiet) {
  Link* oldest = nullptr;
  for (const auto& [peer, rails] : sets_)
    for (Link* rail : rails->links()) {
      if (const std::uint64_t activity = rail->activity();
          activity != rail->seen || rail->used_at == 0 || !rail->queue.empty()) {
        rail->seen = activity;
        rail->used_at = now;
      } else if (now - rail->used_at >= quiet &&
                 (oldest == nullptr || rail->used_at - oldest->used_at > UINT32_MAX / 2)) {
        oldest = rail;
      }
    }
  if (oldest == nullptr) return false;
  close(*oldest);
  return true;
}

bool RailTable::close_beside(const Link& first) {
  if (first.rails == nullptr) return true;
  const auto rails = first.rails->links();
  if (!std::all_of(rails.begin(), rails.end(), [](const Link* rail) { return rail->queue.empty(); }))
    return false;
  while (!first.rails->links().empty()) close(*first.rails->links().front());
  return true;
}

void RailTable::report_one(Rank peer, const std::string& port, const RailSet::Moved& moved) {
  UPCR_LOG(log_ibv, kInfo, "large transfers with rank %u: %llu parts of %llu bytes by port %s", peer,
           static_cast<unsigned long long>(moved.parts), static_cast<unsigned long long>(moved.bytes),
           port.c_str());
}

}  // namespace upcr::ibv
