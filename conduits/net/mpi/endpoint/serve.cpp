// SPDX-License-Identifier: BSD-3-Clause
// The receiving half of the mpi conduit: poll() and what it does with packets. On the polling thread, under
// the lock except while a handler runs.
//
// A request is served when its answer is sure of a buffer; else it is held, in its receive buffer, and so are
// the requests behind it, while answers go on being taken. That cannot use up the receives: there is one for
// each request that the peers' credits allow, and spare ones.
#include <cstring>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/mpi/endpoint/conduit.hpp"

namespace upcr::mpi {

unsigned MpiConduit::poll(unsigned budget, AmSink& sink) {
  sink_ = &sink;
  const bool requests_too = sink.accepts_requests();
  OptionalGuard guard(*lock_, multithreaded_);
  unsigned taken = 0;
  if (!held_.empty()) taken = serve_held(budget, requests_too, guard);
  // One packet at first: a thread that waits for it wants to know, not look for a second one. When packets
  // come faster than polls, as many as there are.
  const unsigned most = busy_ ? budget : taken + 1;
  const unsigned before = taken;
  while (taken < most && take_one(requests_too, guard)) {
    ++taken;
    if (taken == 1 && !pending_acks_.empty())
      tell();  // its sender may be waiting; later ones are told together
  }
  busy_ = taken != before;
  if (!transfers_.empty()) taken += advance_transfers();
  taken += window_.poll();
  if (!done_puts_.empty()) report_done_puts();
  if (!pending_acks_.empty()) tell();
  if (!sends_.all_sent_out()) sends_.reap();
  return taken;
}

bool MpiConduit::pending() const noexcept {
  const OptionalGuard guard(*lock_, multithreaded_);
  return !idle() || receives_.look();
}

// False: nothing has arrived.
bool MpiConduit::take_one(bool requests_too, OptionalGuard& guard) {
  Arrived a;
  if (!receives_.take(&a)) return false;
  if (__builtin_expect(sums_ != nullptr, 0))
    a.bytes = sums_->open(a.source, a.packet, a.bytes, "mpi", claim_of);
  if (a.source >= peers_.size() || !well_formed(a.packet, a.bytes))
    fatal("a malformed packet of %zu bytes arrived from rank %u of %zu; are all processes the same upcr?",
          a.bytes, a.source, peers_.size());
  const auto head = read_as<Header>(a.packet);
  ++peers_[a.source].packets_received;
  if (head.kind == Kind::kGetReply) take_get_reply(a, head);
  take_counts(a, head);
  if (needs_credit(head.kind) && (!held_.empty() || !can_serve(head, requests_too))) {
    if (held_.full())
      fatal("rank %u sends more requests than its credits allow; are all processes the same upcr?", a.source);
    held_.push(a);
    return true;
  }
  serve(a, guard);
  return true;
}

bool MpiConduit::can_serve(const Header& head, bool requests_too) const noexcept {
  switch (head.kind) {
    case Kind::kRequest:
      return requests_too && sends_.available() >= kAmPackets;
    case Kind::kGet:
      return sends_.available() != 0;
    case Kind::kRendezvousPut:
    case Kind::kRendezvousGet:
      return !transfers_.full();
    default:
      return true;
  }
}

unsigned MpiConduit::serve_held(unsigned budget, bool requests_too, OptionalGuard& guard) {
  unsigned taken = 0;
  while (taken < budget && !held_.empty()) {
    if (!can_serve(read_as<Header>(held_.front().packet), requests_too)) break;
    serve(held_.pop(), guard);
    ++taken;
  }
  return taken;
}

void MpiConduit::serve(const Arrived& a, OptionalGuard& guard) {
  const auto head = read_as<Header>(a.packet);
  switch (head.kind) {
    case Kind::kRequest:
    case Kind::kReply:
    case Kind::kUnsolicitedReply:
      deliver(a, head.kind, guard);
      break;
    case Kind::kRequestFirstFragment:
    case Kind::kReplyFirstFragment:
      return keep_part(a, head.kind);
    case Kind::kPut:
    case Kind::kPutFragment:
      serve_put(a, head);
      break;
    case Kind::kGet:
      serve_get(a, head);
      break;
    case Kind::kRendezvousPut:
    case Kind::kRendezvousGet:
      serve_rendezvous(a, head);
      break;
    case Kind::kFin:
      if (!peers_[a.source].big.put_arrived(head.value))
        fatal("rank %u answers a put (slot %u) that is not under way", a.source, head.value);
      break;
    case Kind::kGetReply:  // taken before its counts
    case Kind::kCreditUpdate:
      break;
  }
  receives_.give_back(a.buffer);
}

// The part stays in its buffer until its message is here. (Its credit too: it is served with the message.)
void MpiConduit::keep_part(const Arrived& a, Kind kind) {
  Peer& peer = peers_[a.source];
  Arrived& part = kind == Kind::kRequestFirstFragment ? peer.request_part : peer.reply_part;
  if (part.packet != nullptr)
    fatal("two first parts of messages arrived from rank %u; are all processes the same upcr?", a.source);
  part = a;
}

// Where the payload is: in its packet, or put together from two.
void* MpiConduit::whole_payload(const Arrived& a, const AmArrival& arrival, Arrived& part) {
  const AmHeader& am = arrival.head;
  const std::size_t ahead = first_fragment_bytes(am.nargs, am.length);
  if ((ahead != 0) != (part.packet != nullptr))
    fatal("a message of %u bytes and its first part, from rank %u, do not fit together", am.length, a.source);
  if (ahead == 0) return arrival.payload;
  std::memcpy(whole_, part.packet + sizeof(Header), ahead);
  std::memcpy(whole_ + ahead, arrival.payload, am.length - ahead);
  part.packet = nullptr;
  receives_.give_back(part.buffer);
  return whole_;
}

void MpiConduit::deliver(const Arrived& a, Kind kind, OptionalGuard& guard) {
  Peer& peer = peers_[a.source];
  PeerFlowControl& flow = peer.flow;
  AmArrival arrival = unpack_message(a.source, a.packet + sizeof(Header));
  Arrived& part = kind == Kind::kRequest ? peer.request_part : peer.reply_part;
  if (kind == Kind::kRequest && part.packet != nullptr) flow.serve(false);
  arrival.payload = whole_payload(a, arrival, part);
  if (kind == Kind::kRequest) {
    flow.serve(false);  // now, so that the reply carries the credit
    serving_ = a.source;
  } else if (kind == Kind::kUnsolicitedReply) {
    flow.unsolicited_processed();
  }
  guard.give();
  sink_->deliver(arrival);
  guard.take();
  serving_ = kNobody;
  if (flow.ack_due()) pending_acks_.note(a.source);
}

char* MpiConduit::reachable(Rank source, std::uint64_t address, std::uint64_t bytes, const char* what) const {
  if (!everything_ && !segments_->mine(*topology_, address, bytes))
    fatal("rank %u wants to %s %llu bytes at %#llx%s", source, what, static_cast<unsigned long long>(bytes),
          static_cast<unsigned long long>(address), segments_->why_refused(*topology_, address).c_str());
  return reinterpret_cast<char*>(address);
}

void MpiConduit::serve_put(const Arrived& a, const Header& head) {
  const auto access = read_as<AccessHeader>(a.packet);
  atomic_copy(reachable(a.source, access.address, head.value, "write"), a.packet + sizeof access, head.value);
  PeerFlowControl& flow = peers_[a.source].flow;
  flow.serve(head.kind == Kind::kPut);
  if (flow.ack_due()) pending_acks_.note(a.source);
}

void MpiConduit::serve_get(const Arrived& a, const Header& head) {
  const auto access = read_as<AccessHeader>(a.packet);
  const char* from = reachable(a.source, access.address, head.value, "read");
  Peer& peer = peers_[a.source];
  const std::uint16_t number = peer.flow.processed();  // requests are served in the order of their numbers
  peer.flow.serve(false);
  char* at = sends_.front();
  const Header h = this->head(peer, Kind::kGetReply, number);
  std::memcpy(at, &h, sizeof h);
  atomic_copy(at + sizeof h, from, head.value);
  send(a.source, peer, sizeof h + head.value);
}

void MpiConduit::take_get_reply(const Arrived& a, const Header& head) {
  const Outstanding* get = peers_[a.source].flow.outstanding_get(head.value);
  if (get == nullptr || get->bytes != a.bytes - sizeof head)
    fatal("rank %u answers a get (number %u, %zu bytes) that is not under way", a.source, head.value,
          a.bytes - sizeof head);
  atomic_copy(get->destination, a.packet + sizeof head, get->bytes);
  get->pending->complete();
}

void MpiConduit::serve_rendezvous(const Arrived& a, const Header& head) {
  const auto big = read_as<RendezvousHeader>(a.packet);
  const bool put = head.kind == Kind::kRendezvousPut;
  const std::uint32_t slot = head.value & ~kInShortPieces;
  if (slot >= kMaxRendezvous || big.bytes == 0)
    fatal("a malformed request for a large %s arrived from rank %u: slot %u, %llu bytes", put ? "put" : "get",
          a.source, head.value, static_cast<unsigned long long>(big.bytes));
  char* at = reachable(a.source, big.access.address, big.bytes, put ? "write" : "read");
  transfers_.start({put ? Role::kPutIn : Role::kGetOut, static_cast<std::uint8_t>(slot), a.source, at,
                    static_cast<std::size_t>(big.bytes), slot != head.value ? kShortPiece : long_piece_});
  PeerFlowControl& flow = peers_[a.source].flow;
  flow.serve(false);
  if (flow.ack_due()) pending_acks_.note(a.source);
}

unsigned MpiConduit::advance_transfers() {
  return transfers_.advance([this](const Transfer& t) {
    switch (t.role) {
      case Role::kPutOut:
        peers_[t.peer].big.put_sent(t.slot);
        break;
      case Role::kGetIn:
        peers_[t.peer].big.get_arrived(t.slot);
        break;
      case Role::kPutIn:
        done_puts_.push_back({t.peer, t.slot});
        break;
      case Role::kGetOut:
        break;
    }
  });
}

void MpiConduit::report_done_puts() {
  while (!done_puts_.empty() && sends_.available() != 0) {
    const DonePut done = done_puts_.back();
    done_puts_.pop_back();
    send_header(done.source, Kind::kFin, done.slot);
  }
}

void MpiConduit::take_counts(const Arrived& a, const Header& head) {
  PeerFlowControl& flow = peers_[a.source].flow;
  if (!flow.on_ack(head.served) || !flow.on_unsolicited_ack(head.extras))
    fatal("rank %u says that it has served more than it was sent; are all processes the same upcr?",
          a.source);
}

// Sends the counts to those who have not had them with something else.
void MpiConduit::tell() {
  pending_acks_.flush([this](Rank rank) {
    if (silent_ || !peers_[rank].flow.ack_due()) return true;
    if (sends_.available() == 0) return false;
    send_header(rank, Kind::kCreditUpdate, 0);
    return true;
  });
}

}  // namespace upcr::mpi
