// SPDX-License-Identifier: BSD-3-Clause
// What follows a datagram that has arrived.
#include <cstring>

#include "conduits/net/ibv/datagrams/attempts.hpp"

namespace upcr::ibv {
namespace {

const char* to_string(RejectReason why) {
  switch (why) {
    case RejectReason::kRace:
      return "rejected: its own request is under way";
    case RejectReason::kConnected:
      return "rejected: it is connected already";
    case RejectReason::kUnauthenticated:
      return "rejected: it does not know this process";
    case RejectReason::kClosing:
      return "rejected: it ends";
    case RejectReason::kGone:
      return "it has given this attempt up";
    case RejectReason::kUnknown:
      break;
  }
  return "rejected: it could not prepare its queue pair";
}

QueuePairEnd end_of(const Datagram& datagram) {
  return {datagram.queue_pair, datagram.first_packet, datagram.reads,
          datagram.srq,        datagram.target,       datagram.uses};
}

}  // namespace

void DatagramAttempts::received(const void* data, std::size_t bytes, unsigned port, const std::string& from,
                                Millis now) {
  now_ = now;
  Hello hello;
  HelloStatus status = check_hello(data, bytes, self_.secret, self_.rank, size_, &hello);
  if (status == HelloStatus::kValid && (bytes != sizeof(Datagram) || hello.port >= kMaxPorts))
    status = HelloStatus::kOtherVersion;
  if (status != HelloStatus::kValid) {  // the service thread checks it as well, and warns
    PeerRequest unknown{nullptr, port, data, status == HelloStatus::kOtherVersion ? 0 : bytes, from};
    return events_.requested(unknown);
  }
  Datagram datagram;
  std::memcpy(&datagram, data, sizeof datagram);
  switch (datagram.kind) {
    case DatagramKind::kRequest:
      return on_request(datagram, port, from);
    case DatagramKind::kReply:
      return on_reply(datagram, port);
    case DatagramKind::kReady:
      return on_ready(datagram, port);
    case DatagramKind::kReject:
      return on_reject(datagram);
    case DatagramKind::kDisconnect:
      return on_disconnect(datagram, port);
    case DatagramKind::kDisconnected:
      return on_disconnected(datagram);
  }
}

// The attempt of a datagram from the peer.
DatagramAttempts::Attempt* DatagramAttempts::find(const Datagram& datagram) {
  const auto at = attempts_.find(key_of(datagram.hello.rank, datagram.active == 0, datagram.attempt));
  return at != attempts_.end() ? at->second.get() : nullptr;
}

// Once: its sender repeats what it has sent if this gets lost.
void DatagramAttempts::answer_unknown(const Datagram& datagram, unsigned port, DatagramKind kind) {
  Attempt unknown;
  unknown.peer = datagram.hello.rank;
  unknown.active = datagram.active == 0;
  unknown.number = datagram.attempt;
  unknown.port = port;
  unknown.remote_port = datagram.hello.port;
  unknown.hello = self_;
  unknown.hello.port = static_cast<std::uint8_t>(port);
  (void)send(unknown, kind, RejectReason::kGone);
}

void DatagramAttempts::on_request(const Datagram& datagram, unsigned port, const std::string& from) {
  if (datagram.active == 0) return;
  const Rank peer = datagram.hello.rank;
  if (Attempt* known = find(datagram); known != nullptr) {
    if (known->state == State::kReplied && update(*known, end_of(datagram), true))
      (void)send(*known, DatagramKind::kReply);
    return;
  }
  const std::uint64_t sender = std::uint64_t{peer} << 8 | datagram.hello.rail;
  const auto [last, first] = last_requests_.try_emplace(sender, datagram.attempt);
  const auto newer = static_cast<std::int32_t>(datagram.attempt - last->second);
  if (!first && newer < 0) return;
  // A copy of the last one, which was given up. Its sender may still wait for the answer.
  if (!first && newer == 0) return answer_unknown(datagram, port, DatagramKind::kReject);
  last->second = datagram.attempt;
  Attempt& attempt = add(peer, false, datagram.attempt, port, datagram.hello.port);
  attempt.remote = end_of(datagram);
  enter(attempt, State::kAsked);
  PeerRequest request{&attempt, port, &datagram.hello, sizeof datagram.hello, from};
  events_.requested(request);
}

void DatagramAttempts::on_reply(const Datagram& datagram, unsigned port) {
  Attempt* attempt = datagram.active == 0 ? find(datagram) : nullptr;
  if (attempt == nullptr) return answer_unknown(datagram, port, DatagramKind::kReject);
  if (attempt->state == State::kEstablished && attempt->remote.number == datagram.queue_pair) {
    if (update(*attempt, end_of(datagram), false)) (void)send(*attempt, DatagramKind::kReady);
    return;
  }
  if (attempt->state != State::kRequested) return;
  ConnectLink& link = *attempt->link;
  if (attempt->own.is_shared()) return on_shared_reply(*attempt, datagram);
  attempt->remote = end_of(datagram);
  const std::string error =
      host_.connect_queue_pair(link, attempt->remote_port, &attempt->own, attempt->remote);
  if (!error.empty()) {
    (void)send(*attempt, DatagramKind::kReject);
    return fail(*attempt, {error});
  }
  enter(*attempt, State::kEstablished);
  (void)send(*attempt, DatagramKind::kReady);
  events_.established(link, &datagram.hello, sizeof datagram.hello);
}

// kReady comes last: the peer sends as soon as it has it.
void DatagramAttempts::on_shared_reply(Attempt& attempt, const Datagram& datagram) {
  if (!update(attempt, end_of(datagram), true) || !host_.can_send(*attempt.link, &attempt.own)) return;
  enter(attempt, State::kEstablished);
  events_.established(*attempt.link, &datagram.hello, sizeof datagram.hello);
  Attempt* const known = find(datagram);
  if (known != nullptr && known->state == State::kEstablished) (void)send(*known, DatagramKind::kReady);
}

void DatagramAttempts::on_ready(const Datagram& datagram, unsigned port) {
  Attempt* attempt = datagram.active != 0 ? find(datagram) : nullptr;
  if (attempt == nullptr) return answer_unknown(datagram, port, DatagramKind::kDisconnect);
  if (attempt->state != State::kReplied) return;
  if (attempt->own.number != datagram.to_queue_pair)  // that of an earlier reply, which was given up
    return answer_unknown(datagram, port, DatagramKind::kDisconnect);
  if (!update(*attempt, end_of(datagram), false) || !host_.can_send(*attempt->link, &attempt->own)) return;
  enter(*attempt, State::kEstablished);
  events_.established(*attempt->link, &datagram.hello, sizeof datagram.hello);
}

void DatagramAttempts::on_reject(const Datagram& datagram) {
  Attempt* attempt = find(datagram);
  if (attempt == nullptr || attempt->state != (attempt->active ? State::kRequested : State::kReplied)) return;
  const auto why = static_cast<RejectReason>(datagram.reason);
  fail(*attempt, {to_string(why), why});
}

void DatagramAttempts::on_disconnect(const Datagram& datagram, unsigned port) {
  answer_unknown(datagram, port, DatagramKind::kDisconnected);
  Attempt* attempt = find(datagram);
  if (attempt == nullptr) return;
  if (attempt->state == State::kEstablished || attempt->state == State::kReplied ||
      attempt->state == State::kDisconnecting || attempt->state == State::kClosing)
    end(*attempt);
}

void DatagramAttempts::on_disconnected(const Datagram& datagram) {
  Attempt* attempt = find(datagram);
  if (attempt != nullptr && (attempt->state == State::kDisconnecting || attempt->state == State::kClosing))
    end(*attempt);
}

}  // namespace upcr::ibv
