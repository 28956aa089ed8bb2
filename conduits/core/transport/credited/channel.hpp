// SPDX-License-Identifier: BSD-3-Clause
// The credited channel: active messages over a network whose receive buffers are posted in advance, so that
// nothing may be sent for which the peer has no buffer. conduits/net/mpi, ibv and ofi use it. It
// decides which packets may leave, counts credits and acknowledgements, and holds requests that cannot be
// processed yet. It knows no network: packets are moved by the conduit's Wire.
//
//   request            needs a credit (credits.hpp). Held while there may be no room for its reply, or the
//                      engine accepts no requests; later ones of the same peer wait behind it
//                      (held_requests.hpp), so those of one peer are processed in the order of arrival.
//   reply              sent by the handler of a request; never refused, needs no credit.
//   unsolicited reply  any other one; refused beyond kUnsolicitedLimit that are not acknowledged.
//   credit update      a header alone: acknowledgements that no other packet has carried in time.
//   other kinds        the Wire's own. Those that need a credit are requests in all of the above.
//
// No deadlock: a thread that waits polls. poll() processes replies and acknowledgements whatever is held, and
// that needs no room. Replies leave room at their receiver, and so the requests that it holds are processed
// in the end, and acknowledged. Held requests use up no buffer that anything else needs: the peer has a
// buffer for each of its credits beside those for replies, or Wire::hold() copies the packet.
//
// The Wire, a class:
//   enum class Kind : std::uint8_t   kRequest, kReply, kUnsolicitedReply, kCreditUpdate, and its own
//   Peer      derived from CreditedPeer, with a member `flow`: Credits, or a class derived from it
//   Packet    one that has arrived, copyable: { Peer* peer; char* data; ... }, data starts with a
//   PacketHeader
// clang-format off
//   static bool needs_credit(Kind)
//   static unsigned credits_of(const Peer&, const AmPacket&)   that a request takes
//   bool has_room(const Peer&, const AmPacket&)    to send it now, and a reply as well
//   bool has_room_for_reply(const Peer&)           to send a reply of any size
//   bool has_room_for_update(const Peer&)          to send a header
//   void send_message(Peer&, Kind, const AmPacket&)
//   void send_header(Peer&, Kind, std::uint32_t value)   value: 0 from here
//   Peer* find(Rank)                               null: not connected
//   Packet hold(const Packet&)                     the packet as it is to be held
//   void release(const Packet&)                    its buffer can be used again
//   AmArrival message(const Packet&, Kind)         of a kind that carries one
//   void before_acks(const Packet&, header)        the header's counts are applied next
//   bool can_process(const Packet&, header)        a request of its own kinds
//   bool process(const Packet&, header)            a packet of its own kinds; true: release it
// clang-format on
//
// Threads: under the conduit's lock, which process() gives up while a handler runs: `guard` holds it, where
// it is needed. send() on any thread, the rest on the one that polls. A conduit whose peers have locks of
// their own under the conduit's has a guard of its own, and an enter_peer() for it. It calls send() under the
// peer's lock alone, but for replies on the polling thread only, and arrived() and deliver_request() under
// both.
#pragma once
#include <cstdint>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/core/transport/credited/credits.hpp"
#include "conduits/core/transport/credited/held_requests.hpp"
#include "conduits/core/transport/credited/packet_header.hpp"
#include "conduits/core/transport/credited/pending_ack_list.hpp"

namespace upcr {

struct RankOfPeer {
  Rank rank = 0;
};
struct CreditedPeer : RankOfPeer, HeldCount {};

// What concerns this peer follows: a guard that holds locks of peers takes that one.
inline void enter_peer(std::unique_lock<SpinLock>&, const CreditedPeer&) noexcept {}

template <typename Wire>
class CreditedChannel {
 public:
  using Kind = typename Wire::Kind;
  using Peer = typename Wire::Peer;
  using Packet = typename Wire::Packet;
  using Header = PacketHeader<Kind>;

  explicit CreditedChannel(Wire& wire) noexcept : wire_(wire) {}
  void open(Rank processes) { pending_acks_.open(processes); }

  // As Conduit::am_send().
  Status send(Peer& peer, const AmPacket& p) {
    if ((p.head.flags & kAmReply) == 0) {
      const unsigned credits = Wire::credits_of(peer, p);
      if (peer.flow.available() < credits || !wire_.has_room(peer, p)) return Status::kNoResource;
      for (unsigned i = 0; i < credits; ++i) (void)peer.flow.use();
      wire_.send_message(peer, Kind::kRequest, p);
    } else if (&peer == replying_to_) {
      replying_to_ = nullptr;  // one reply a request: its room was checked before the request was processed
      wire_.send_message(peer, Kind::kReply, p);
    } else {
      if (!peer.flow.may_send_unsolicited() || !wire_.has_room(peer, p)) return Status::kNoResource;
      peer.flow.unsolicited_sent();
      wire_.send_message(peer, Kind::kUnsolicitedReply, p);
    }
    return Status::kOk;
  }

  // -- in poll()
  // First of all: where messages go.
  void begin_poll(AmSink& sink) {
    sink_ = &sink;
    accepts_requests_ = sink.accepts_requests();
  }
  // Requests that were held, at most `budget`. Returns how many it has processed. Before arrived().
  template <typename Guard>
  unsigned process_held(unsigned budget, Guard& guard) {
    return held_.process(
        budget,
        [&](const Packet& packet) {
          enter_peer(guard, *packet.peer);
          return can_process(packet, read_as<Header>(packet.data));
        },
        [&](const Packet& packet) { process(packet, read_as<Header>(packet.data), guard); });
  }
  // A packet has arrived, well formed. Its memory is the channel's until Wire::release().
  template <typename Guard>
  void arrived(const Packet& packet, Guard& guard) {
    const auto header = read_as<Header>(packet.data);
    Peer& peer = *packet.peer;
    wire_.before_acks(packet, header);
    if (!peer.flow.on_ack(header.processed) || !peer.flow.on_unsolicited_ack(header.unsolicited))
      fatal("rank %u acknowledges more messages than it was sent; are all processes the same upcr?",
            peer.rank);
    if (Wire::needs_credit(header.kind) && (peer.held != 0 || !can_process(packet, header)))
      return hold(packet);
    process(packet, header, guard);
  }
  // A request of one of the Wire's own kinds has been processed. `urgent`: the peer waits for the
  // acknowledgement.
  void request_processed(Peer& peer, bool urgent) noexcept {
    peer.flow.request_processed(urgent);
    note_ack(peer);
  }
  // Requests that a Wire assembles from more than a packet, whose packet has been processed: is there room
  // for the reply, and the delivery.
  bool can_deliver(const Peer& peer) const noexcept {
    return accepts_requests_ && wire_.has_room_for_reply(peer);
  }
  template <typename Guard>
  void deliver_request(Peer& peer, const AmArrival& arrival, Guard& guard) {
    replying_to_ = &peer;
    deliver(peer, arrival, guard);
  }
  // Acknowledges what no other packet has acknowledged in time. After arrived(), so that replies come first.
  void send_acks() {
    std::unique_lock<SpinLock> no_locks_of_peers;
    send_acks(no_locks_of_peers);
  }
  template <typename Guard>
  void send_acks(Guard& guard) {
    pending_acks_.flush([&](Rank rank) {
      Peer* peer = wire_.find(rank);
      if (silent_ || peer == nullptr) return true;
      enter_peer(guard, *peer);
      if (!peer->flow.ack_due()) return true;
      if (!wire_.has_room_for_update(*peer)) return false;
      wire_.send_header(*peer, Kind::kCreditUpdate, 0);
      return true;
    });
  }

  // Does a handler of a request of this peer run, which has not replied yet?
  bool is_replying_to(const Peer& peer) const noexcept { return replying_to_ == &peer; }
  bool has_held() const noexcept { return !held_.empty(); }
  bool has_pending_acks() const noexcept { return !pending_acks_.empty(); }
  // No request is held and no acknowledgement is to be sent.
  bool idle() const noexcept { return held_.empty() && pending_acks_.empty(); }
  // No peer needs credits any more: credit updates are not sent from now on.
  void stop_acks() noexcept { silent_ = true; }

 private:
  bool can_process(const Packet& packet, const Header& header) const noexcept {
    if (header.kind == Kind::kRequest) return can_deliver(*packet.peer);
    return wire_.can_process(packet, header);
  }

  [[gnu::noinline]] void hold(const Packet& packet) {
    Peer& peer = *packet.peer;
    if (peer.held >= peer.flow.granted())
      fatal("rank %u sends more requests than its credits allow; are all processes the same upcr?",
            peer.rank);
    held_.push(wire_.hold(packet));
  }

  template <typename Guard>
  void process(const Packet& packet, const Header& header, Guard& guard) {
    switch (header.kind) {
      case Kind::kRequest:
      case Kind::kReply:
      case Kind::kUnsolicitedReply:
        deliver(packet, header.kind, guard);
        break;
      case Kind::kCreditUpdate:
        break;
      default:
        if (!wire_.process(packet, header)) return;
    }
    wire_.release(packet);
  }

  template <typename Guard>
  void deliver(const Packet& packet, Kind kind, Guard& guard) {
    Peer& peer = *packet.peer;
    const AmArrival arrival = wire_.message(packet, kind);
    if (kind == Kind::kRequest) {
      peer.flow.request_processed(false);  // now, so that the reply acknowledges it
      replying_to_ = &peer;
    } else if (kind == Kind::kUnsolicitedReply) {
      peer.flow.unsolicited_processed();
    }
    deliver(peer, arrival, guard);
  }

  template <typename Guard>
  void deliver(const Peer& peer, const AmArrival& arrival, Guard& guard) {
    const bool locked = guard.owns_lock();
    if (locked) guard.unlock();
    sink_->deliver(arrival);
    if (locked) guard.lock();
    replying_to_ = nullptr;
    note_ack(peer);
  }

  void note_ack(const Peer& peer) noexcept {
    if (peer.flow.ack_due()) pending_acks_.add(peer.rank);
  }

  Wire& wire_;
  AmSink* sink_ = nullptr;         // during poll()
  Peer* replying_to_ = nullptr;    // whose request's handler runs, until it has replied
  bool accepts_requests_ = false;  // during poll()
  bool silent_ = false;
  HeldRequests<Packet> held_;
  PendingAckList pending_acks_;
};

}  // namespace upcr
