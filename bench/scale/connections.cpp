// SPDX-License-Identifier: BSD-3-Clause
#include "bench/scale/connections.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace upcr::scale {
namespace {

using Action = ibv::ConnectStateMachine::Action;

constexpr std::uint32_t kMaxAttempts = 64;  // as conduits/net/ibv/connect/service.cpp
constexpr ibv::ConnectStateMachine::TimeLimits kLimits{~ibv::Millis{0} / 4, ~ibv::Millis{0} / 4};

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

// The time at which the rank's service thread has handled what arrives at `now`.
Nanos ConnectionTable::occupy(Rank rank, Nanos now) {
  Host& h = hosts_[rank];
  h.free_at = std::max(h.free_at, now) + model_.connecting;
  return h.free_at;
}

void ConnectionTable::send_event(Rank to, const Event& event, Nanos at) {
  std::uint32_t number;
  if (free_events_.empty()) {
    number = static_cast<std::uint32_t>(events_in_flight_.size());
    events_in_flight_.push_back(event);
  } else {
    number = free_events_.back();
    free_events_.pop_back();
    events_in_flight_[number] = event;
  }
  net_.after(at, to, number);
}

void ConnectionTable::on_event(Rank rank, std::uint32_t token, Nanos now) {
  const Event event = events_in_flight_[token];
  free_events_.push_back(token);
  handle(rank, event, now);
}

void ConnectionTable::connect(Rank rank, Rank peer, Nanos now) {
  Host& h = hosts_[rank];
  Peer& p = h.peers[peer];
  if (p.attempts.requested_locally()) return;
  if (h.attempts_in_progress >= kMaxAttempts) {
    if (!p.queued) h.queue.push_back(peer);
    p.queued = true;
    return;
  }
  if (p.attempts.connect(ms(now), kLimits) == Action::kStart) start(rank, peer, now);
}

// Resolves the address and the route: two round trips.
void ConnectionTable::start(Rank rank, Rank peer, Nanos now) {
  Peer& p = hosts_[rank].peers[peer];
  p.link = ++links_;
  ++hosts_[rank].attempts_in_progress;
  send_event(rank, {EventType::kRouteResolved, peer, p.link}, occupy(rank, now) + 2 * model_.latency);
}

// The rank's attempt has succeeded or failed.
void ConnectionTable::attempt_ended(Rank rank, Nanos now) {
  Host& h = hosts_[rank];
  --h.attempts_in_progress;
  while (!h.queue.empty() && h.attempts_in_progress < kMaxAttempts) {
    const Rank next = h.queue.front();
    h.queue.pop_front();
    h.peers[next].queued = false;
    if (h.peers[next].attempts.connect(ms(now), kLimits) == Action::kStart) start(rank, next, now);
  }
}

void ConnectionTable::on_request(Rank rank, const Event& event, Nanos now) {
  Peer& p = hosts_[rank].peers[event.peer];
  const Nanos reply_time = occupy(rank, now) + model_.latency;
  switch (p.attempts.request_received(rank < event.peer, ms(now), kLimits)) {
    case Action::kRejectRace:
    case Action::kRejectConnected:
      return send_event(event.peer, {EventType::kReject, rank, event.link}, reply_time);
    case Action::kDropAndAccept:
      attempt_ended(rank, now);  // the own attempt: its later events name another link
      [[fallthrough]];
    default:
      break;
  }
  hosts_[rank].peers[event.peer].link = event.link;
  send_event(event.peer, {EventType::kAccept, rank, event.link}, reply_time);
}

void ConnectionTable::handle(Rank rank, const Event& event, Nanos now) {
  if (event.type == EventType::kRequest) return on_request(rank, event, now);
  Peer& p = hosts_[rank].peers[event.peer];
  if (p.link != event.link) return;  // of a link that was dropped
  switch (event.type) {
    case EventType::kRouteResolved:
      p.attempts.request_sent();
      return send_event(event.peer, {EventType::kRequest, rank, event.link},
                        occupy(rank, now) + model_.latency);
    case EventType::kAccept: {
      const Nanos done = occupy(rank, now);
      (void)p.attempts.established();
      ++hosts_[rank].connected;
      send_event(event.peer, {EventType::kEstablished, rank, event.link}, done + model_.latency);
      net_.established(rank, done);
      return attempt_ended(rank, done);
    }
    case EventType::kEstablished:
      (void)p.attempts.established();
      ++hosts_[rank].connected;
      return net_.established(rank, occupy(rank, now));
    case EventType::kReject: {
      (void)p.attempts.failed(false, ms(now), kLimits);
      send_event(rank, {EventType::kTick, event.peer, event.link}, p.attempts.due() * 1'000'000);
      return attempt_ended(rank, now);
    }
    case EventType::kTick:
      if (p.attempts.tick(ms(now)) == Action::kStart) start(rank, event.peer, now);
      return;
    case EventType::kRequest:
      return;
  }
}

}  // namespace upcr::scale
