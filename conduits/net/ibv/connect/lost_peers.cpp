// SPDX-License-Identifier: BSD-3-Clause
// Peers that are lost: what the data path and the connector say of them, the launcher's word, and the job's
// end. Service thread, but for report_broken().
#include <algorithm>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/connect/service.hpp"
#include "conduits/net/ibv/xrc/domain.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

// The launcher reports a process that has died, too, and knows more about it: after this time it is asked.
constexpr Millis kGrace = 2'000;
constexpr Millis kLongestQuestion = 10'000;  // for that, of all processes of a host

}  // namespace

void Connections::Service::report_broken(Rank peer, std::string why, bool waited) {
  {
    const std::lock_guard guard(mutex_);
    broken_.push_back({peer, now_ms() + (waited ? 0 : kGrace), std::move(why)});
  }
  wake();
}

void Connections::Service::process_broken() {
  std::vector<Lost> broken;
  {
    const std::lock_guard guard(mutex_);
    broken.swap(broken_);
  }
  for (Lost& lost : broken) record_lost(lost.peer, std::move(lost.why), lost.due);
}

// Keeps the time of the first report and the text of the last one: the data path reports once for each peer,
// and tells more than the end of the connection.
void Connections::Service::record_lost(Rank peer, std::string why, Millis due) {
  UPCR_LOG(log_ibv, kInfo, "lost rank %u: %s", peer, why.c_str());
  const auto known =
      std::find_if(lost_.begin(), lost_.end(), [peer](const Lost& l) { return l.peer == peer; });
  if (known == lost_.end()) return lost_.push_back({peer, due, std::move(why)});
  known->due = std::min(known->due, due);
  known->why = std::move(why);
}

// The peer has closed its connection.
void Connections::Service::on_peer_closed(Rank peer) {
  if (std::any_of(lost_.begin(), lost_.end(), [peer](const Lost& l) { return l.peer == peer; })) return;
  record_lost(peer,
              "the connection to " + directory_.name_of(peer) +
                  " was closed by the peer: its process has ended, or its host has",
              now_ms() + kGrace);
}

void Connections::Service::report_lost(Millis now) {
  if (closing_) return;
  for (const Lost& lost : lost_) {
    if (now < lost.due) continue;
    await_death_report(lost.peer);
    fatal("%s%s", lost.why.c_str(), watch_.down_ports().c_str());
  }
}

// With XRC the process that has died may be another one of that host, which had made the queue pair there. A
// launcher that does not answer is not asked about each.
void Connections::Service::await_death_report(Rank peer) {
  const Millis start = now_ms();
  bootstrap_->await_death_report(peer);
  if (xrc_ == nullptr) return;
  const Rank host = xrc_->host_of(peer);
  for (Rank rank = host; rank < directory_.size() && xrc_->host_of(rank) == host; ++rank)
    if (rank != rank_ && rank != peer && now_ms() - start < kLongestQuestion)
      bootstrap_->await_death_report(rank);
}

}  // namespace upcr::ibv
