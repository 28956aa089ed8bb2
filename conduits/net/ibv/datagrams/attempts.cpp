// SPDX-License-Identifier: BSD-3-Clause
// What the service thread does with attempts, and what is sent again.
#include "conduits/net/ibv/datagrams/attempts.hpp"

#include <algorithm>

namespace upcr::ibv {

DatagramAttempts::Attempt& DatagramAttempts::add(Rank peer, bool active, std::uint32_t number, unsigned port,
                                                 unsigned remote_port) {
  auto made = std::make_unique<Attempt>();
  made->peer = peer;
  made->active = active;
  made->number = number;
  made->port = port;
  made->remote_port = remote_port;
  made->hello = self_;
  made->hello.port = static_cast<std::uint8_t>(port);
  Attempt& attempt = *made;
  attempts_[key_of(peer, active, number)] = std::move(made);
  return attempt;
}

void DatagramAttempts::forget(Attempt& attempt) {
  set_due(attempt, kNever);
  std::erase(started_, &attempt);
  if (attempt.link != nullptr) attempt.link->attempt = nullptr;
  attempts_.erase(key_of(attempt.peer, attempt.active, attempt.number));
}

void DatagramAttempts::set_due(Attempt& attempt, Millis due) {
  if (attempt.due != kNever) timed_.erase({attempt.due, &attempt});
  attempt.due = due;
  if (due != kNever) timed_.insert({due, &attempt});
}

void DatagramAttempts::enter(Attempt& attempt, State state) {
  attempt.state = state;
  attempt.sent = 0;
  set_due(attempt, kNever);
}

bool DatagramAttempts::send(Attempt& attempt, DatagramKind kind, RejectReason why) {
  // An attempt that ends asks for nothing: others would wait for the answer.
  const bool goes_on =
      kind == DatagramKind::kRequest || kind == DatagramKind::kReply || kind == DatagramKind::kReady;
  if (goes_on && attempt.link != nullptr) (void)host_.can_send(*attempt.link, &attempt.own);
  Datagram datagram;
  datagram.hello = attempt.hello;
  datagram.kind = kind;
  datagram.active = attempt.active ? 1 : 0;
  datagram.reads = attempt.own.reads;
  datagram.reason = static_cast<std::uint8_t>(why);
  datagram.attempt = attempt.number;
  datagram.queue_pair = attempt.own.number;
  datagram.first_packet = attempt.own.first_packet;
  datagram.to_queue_pair = attempt.remote.number;
  datagram.srq = attempt.own.srq;
  datagram.target = attempt.own.target;
  datagram.uses = attempt.own.uses;
  return host_.send(attempt.port, attempt.peer, attempt.remote_port, datagram);
}

void DatagramAttempts::send_and_wait(Attempt& attempt, DatagramKind kind, Millis now) {
  if (!send(attempt, kind)) return set_due(attempt, now + kWaitForRoom);
  constexpr unsigned kDoublings = 10;
  const Millis wait = std::min(kFirstWait << std::min(attempt.sent, kDoublings), kLongestWait);
  ++attempt.sent;
  set_due(attempt, now + wait);
}

void DatagramAttempts::start(ConnectLink& link, PortPair ports) {
  Attempt& attempt = add(link.connection.peer, true, next_number_++, ports.own, ports.remote);
  attempt.link = &link;
  link.attempt = &attempt;
  started_.push_back(&attempt);
}

void DatagramAttempts::request(ConnectLink& link, const Hello& hello, const QueuePairEnd& own, Millis now) {
  Attempt& attempt = attempt_of(link);
  attempt.hello = hello;
  attempt.own = own;
  enter(attempt, State::kRequested);
  send_and_wait(attempt, DatagramKind::kRequest, now);
}

std::string DatagramAttempts::accept(ConnectLink& link, const PeerRequest& request, const Hello& hello,
                                     const QueuePairEnd& own, Millis now) {
  Attempt& attempt = *static_cast<Attempt*>(request.attempt);
  link.attempt = &attempt;
  attempt.link = &link;
  attempt.hello = hello;
  attempt.own = own;
  enter(attempt, State::kReplied);
  std::string error = host_.connect_queue_pair(link, attempt.remote_port, &attempt.own, attempt.remote);
  if (error.empty())
    send_and_wait(attempt, DatagramKind::kReply, now);
  else
    (void)send(attempt, DatagramKind::kReject);
  return error;
}

void DatagramAttempts::reject(const PeerRequest& request, RejectReason why) {
  if (request.attempt == nullptr) return;  // its sender is not of the job
  Attempt& attempt = *static_cast<Attempt*>(request.attempt);
  (void)send(attempt, DatagramKind::kReject, why);
  forget(attempt);
}

void DatagramAttempts::disconnect(ConnectLink& link, Millis now) {
  Attempt& attempt = attempt_of(link);
  if (attempt.state != State::kEstablished && attempt.state != State::kReplied) return;
  enter(attempt, State::kDisconnecting);
  send_and_wait(attempt, DatagramKind::kDisconnect, now);
}

// A request that was given up is forgotten: the reply to it will be rejected.
void DatagramAttempts::release(ConnectLink& link, Millis now) {
  Attempt& attempt = attempt_of(link);
  const State state = attempt.state;
  if (state == State::kEstablished || state == State::kDisconnecting) {
    attempt.link = nullptr;
    link.attempt = nullptr;
    if (state == State::kDisconnecting) {
      attempt.state = State::kClosing;
      return;
    }
    enter(attempt, State::kClosing);
    return send_and_wait(attempt, DatagramKind::kDisconnect, now);
  }
  if (state == State::kReplied) {  // the peer waits for the reply, or has it
    (void)send(attempt, DatagramKind::kReject, RejectReason::kGone);
    (void)send(attempt, DatagramKind::kDisconnect);
  }
  forget(attempt);
}

// The service thread releases the link.
void DatagramAttempts::fail(Attempt& attempt, const ConnectFailure& failure) {
  enter(attempt, State::kOver);
  events_.failed(*attempt.link, failure);
}

// The connection has ended.
void DatagramAttempts::end(Attempt& attempt) {
  if (attempt.link == nullptr) return forget(attempt);
  enter(attempt, State::kOver);
  events_.disconnected(*attempt.link);
}

bool DatagramAttempts::update(Attempt& attempt, const QueuePairEnd& remote, bool may_fail) {
  if (!attempt.own.is_shared()) return true;
  const bool could_send = host_.can_send(*attempt.link, &attempt.own);
  attempt.remote = remote;
  const std::string error =
      host_.connect_queue_pair(*attempt.link, attempt.remote_port, &attempt.own, attempt.remote);
  if (!error.empty()) {
    if (!may_fail) return false;
    (void)send(attempt, DatagramKind::kReject);
    fail(attempt, {error});
    return false;
  }
  if (!could_send && host_.can_send(*attempt.link, &attempt.own)) repeat_for_host(attempt.link->host);
  return true;
}

// The connection with this host can be used: attempts that have waited for that go on.
void DatagramAttempts::repeat_for_host(const HostConnection* host) {
  for (const auto& [key, attempt] : attempts_)
    if (attempt->link != nullptr && attempt->link->host == host &&
        (attempt->state == State::kRequested || attempt->state == State::kReplied))
      set_due(*attempt, now_);
}

void DatagramAttempts::tick(Millis now) {
  now_ = now;
  while (!started_.empty()) {
    Attempt* attempt = started_.back();
    started_.pop_back();
    events_.route_found(*attempt->link);
  }
  while (!timed_.empty() && timed_.begin()->first <= now) repeat(*timed_.begin()->second, now);
}

void DatagramAttempts::repeat(Attempt& attempt, Millis now) {
  switch (attempt.state) {
    case State::kRequested:
      if (attempt.sent < kMaxRequests) return send_and_wait(attempt, DatagramKind::kRequest, now);
      return fail(attempt, {"no reply to " + std::to_string(attempt.sent) + " requests"});
    case State::kReplied:
      return send_and_wait(attempt, DatagramKind::kReply, now);
    case State::kDisconnecting:
    case State::kClosing:
      if (attempt.sent < kMaxDisconnects) return send_and_wait(attempt, DatagramKind::kDisconnect, now);
      return end(attempt);
    default:
      return set_due(attempt, kNever);
  }
}

Millis DatagramAttempts::due() const noexcept {
  if (!started_.empty()) return 0;
  return timed_.empty() ? kNever : timed_.begin()->first;
}

}  // namespace upcr::ibv
