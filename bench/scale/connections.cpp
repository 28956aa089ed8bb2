// SPDX-License-Identifier: BSD-3-Clause
#include "bench/scale/connections.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace upcr::scale {
namespace {

using Action = ibv::ConnectStateMachine::Action;

constexpr std::uint32_t kMaxAttempts = 64;  // as conduits/net/ibv/connect/service.cpp
constexpr ibv::ConnectStateMachine::TimeLimits kPatience{~ibv::Millis{0} / 4, ~ibv::Millis{0} / 4};

ibv::Millis ms(Nanos t) { return t / 1'000'000; }

}  // namespace

ConnectionTable::ConnectionTable(Rank ranks, const Model& model, ConnectionNet& net)
    : hosts_(ranks), model_(model), net_(net) {}

bool ConnectionTable::is_connected(Rank rank, Rank peer) const {
  const auto& peers = hosts_[rank].peers;
  const auto at = peers.find(peer);
  return at != peers.end() && at->second.attempts.state() == ibv::ConnectStateMachine::State::kConnected;
}

std::uint64_t ConnectionTable::max_connections() const {
  std::uint64_t most = 0;
  for (const Host& h : hosts_) most = std::max<std::uint64_t>(most, h.connected);
  return most;
}

// When the rank's service has time for what comes at `now`: when it has done with that.
Nanos ConnectionTable::busy(Rank rank, Nanos now) {
  Host& h = hosts_[rank];
  h.free_at = std::max(h.free_at, now) + model_.connecting;
  return h.free_at;
}

void ConnectionTable::say(Rank to, const Word& word, Nanos at) {
  std::uint32_t number;
  if (free_events_.empty()) {
    number = static_cast<std::uint32_t>(words_.size());
    words_.push_back(word);
  } else {
    number = free_events_.back();
    free_events_.pop_back();
    words_[number] = word;
  }
  net_.after(at, to, number);
}

void ConnectionTable::on_event(Rank rank, std::uint32_t number, Nanos now) {
  const Word word = words_[number];
  free_events_.push_back(number);
  take(rank, word, now);
}

void ConnectionTable::connect(Rank rank, Rank peer, Nanos now) {
  Host& h = hosts_[rank];
  Peer& p = h.peers[peer];
  if (p.attempts.wanted()) return;
  if (h.under_way >= kMaxAttempts) {
    if (!p.queued) h.queue.push_back(peer);
    p.queued = true;
    return;
  }
  if (p.attempts.want(ms(now), kPatience) == Action::kStart) start(rank, peer, now);
}

// Resolves the address and the route: two round trips.
void ConnectionTable::start(Rank rank, Rank peer, Nanos now) {
  Peer& p = hosts_[rank].peers[peer];
  p.link = ++links_;
  ++hosts_[rank].under_way;
  say(rank, {What::kRoute, peer, p.link}, busy(rank, now) + 2 * model_.latency);
}

// The rank's attempt is over, in one way or another.
void ConnectionTable::settled(Rank rank, Nanos now) {
  Host& h = hosts_[rank];
  --h.under_way;
  while (!h.queue.empty() && h.under_way < kMaxAttempts) {
    const Rank next = h.queue.front();
    h.queue.pop_front();
    h.peers[next].queued = false;
    if (h.peers[next].attempts.want(ms(now), kPatience) == Action::kStart) start(rank, next, now);
  }
}

void ConnectionTable::requested(Rank rank, const Word& word, Nanos now) {
  Peer& p = hosts_[rank].peers[word.peer];
  const Nanos answered = busy(rank, now) + model_.latency;
  switch (p.attempts.requested(rank < word.peer, ms(now), kPatience)) {
    case Action::kRejectRace:
    case Action::kRejectConnected:
      return say(word.peer, {What::kReject, rank, word.link}, answered);
    case Action::kDropAndAccept:
      settled(rank, now);  // ours: what comes of it names another link
      [[fallthrough]];
    default:
      break;
  }
  hosts_[rank].peers[word.peer].link = word.link;
  say(word.peer, {What::kAccept, rank, word.link}, answered);
}

void ConnectionTable::take(Rank rank, const Word& word, Nanos now) {
  if (word.what == What::kRequest) return requested(rank, word, now);
  Peer& p = hosts_[rank].peers[word.peer];
  if (p.link != word.link) return;  // of a link that was dropped
  switch (word.what) {
    case What::kRoute:
      p.attempts.asked();
      return say(word.peer, {What::kRequest, rank, word.link}, busy(rank, now) + model_.latency);
    case What::kAccept: {
      const Nanos done = busy(rank, now);
      (void)p.attempts.established();
      ++hosts_[rank].connected;
      say(word.peer, {What::kReady, rank, word.link}, done + model_.latency);
      net_.established(rank, done);
      return settled(rank, done);
    }
    case What::kReady:
      (void)p.attempts.established();
      ++hosts_[rank].connected;
      return net_.established(rank, busy(rank, now));
    case What::kReject: {
      (void)p.attempts.failed(false, ms(now), kPatience);
      say(rank, {What::kTick, word.peer, word.link}, p.attempts.due() * 1'000'000);
      return settled(rank, now);
    }
    case What::kTick:
      if (p.attempts.tick(ms(now)) == Action::kStart) start(rank, word.peer, now);
      return;
    case What::kRequest:
      return;
  }
}

}  // namespace upcr::scale
