// SPDX-License-Identifier: BSD-3-Clause
// A simulated network under credited channels: each process has few credits, little room to send, and a
// receive buffer for no packet more than the channel promises to need.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "conduits/core/transport/credited/channel.hpp"

namespace upcr::test::credited {

enum class Kind : std::uint8_t { kRequest = 1, kOwnRequest, kReply, kUnsolicitedReply, kOwn, kCreditUpdate };
using Header = PacketHeader<Kind>;

inline constexpr std::size_t kPacketBytes = 128;

struct Bytes {
  alignas(8) char data[kPacketBytes];
  std::size_t bytes = 0;
};

class Wire;

// Packets in flight from one process to another, oldest first, and the buffers that the receiver has for
// them.
struct Link {
  std::deque<Bytes> on_wire;
};

struct Peer : CreditedPeer {
  Credits flow;
  unsigned buffers = 0;  // receive buffers of this process that are free for packets of the peer
};

struct Packet {
  Peer* peer;
  Bytes* buffer;
  char* data;
};

struct Network {
  Network(Rank n, unsigned credit_limit) : size(n), limit(credit_limit), links(n * n) {}
  Link& link(Rank from, Rank to) { return links[from * size + to]; }
  std::size_t on_wire() const {
    std::size_t all = 0;
    for (const Link& l : links) all += l.on_wire.size();
    return all;
  }
  Rank size;
  unsigned limit;
  std::vector<Link> links;
};

// The most packets that a peer may have sent before this process has received any of them: its credits, as
// many replies, the unsolicited replies, updates, packets of the wire's own that need no credit.
constexpr unsigned buffers_for(unsigned limit) { return 2 * (limit + 1) + (kUnsolicitedLimit + 1) + 8; }

class Wire {
 public:
  using Kind = credited::Kind;
  using Peer = credited::Peer;
  using Packet = credited::Packet;

  Wire(Network& network, Rank rank, unsigned room)
      : room(room), network_(network), rank_(rank), peers_(network.size) {
    for (Rank r = 0; r < network.size; ++r) {
      peers_[r].rank = r;
      peers_[r].flow.open(network.limit);
      peers_[r].buffers = buffers_for(network.limit);
    }
  }

  static bool needs_credit(Kind kind) { return kind == Kind::kRequest || kind == Kind::kOwnRequest; }
  static unsigned credits_of(const Peer&, const AmPacket&) { return 1; }
  bool has_room(const Peer&, const AmPacket&) const { return room > 1; }
  bool has_room_for_reply(const Peer& peer) const { return room != 0 && &peer != blocked; }
  bool has_room_for_update(const Peer&) const { return room != 0; }
  void send_message(Peer& peer, Kind kind, const AmPacket& p) {
    Bytes out;
    const Header header = make_header(peer.flow, kind, 0);
    std::memcpy(out.data, &header, sizeof header);
    out.bytes = sizeof header + pack_message(out.data + sizeof header, p);
    ASSERT_LE(out.bytes, kPacketBytes);
    put_on_wire(peer, out);
  }
  void send_header(Peer& peer, Kind kind, std::uint32_t value) {
    Bytes out;
    const Header header = make_header(peer.flow, kind, value);
    std::memcpy(out.data, &header, sizeof header);
    out.bytes = sizeof header;
    updates += kind == Kind::kCreditUpdate ? 1 : 0;
    put_on_wire(peer, out);
  }
  Peer* find(Rank rank) { return &peers_[rank]; }
  Packet hold(const Packet& packet) {
    ++held;
    return packet;
  }
  void release(const Packet& packet) {
    ++packet.peer->buffers;
    delete packet.buffer;
  }
  AmArrival message(const Packet& packet, Kind) {
    return unpack_message(packet.peer->rank, packet.data + sizeof(Header));
  }
  void before_acks(const Packet&, const Header& header) {
    if (header.kind == Kind::kOwn) ++own_seen_before_acks;
  }
  bool can_process(const Packet&, const Header&) const { return accepts_own; }
  bool process(const Packet& packet, const Header& header) {
    if (header.kind == Kind::kOwnRequest) {
      on_own_request(*packet.peer, header.value);
    } else {
      EXPECT_EQ(header.kind, Kind::kOwn);
      ++own_processed;
    }
    return true;
  }

  // The oldest packet of `from` arrives in a buffer.
  bool receive(Rank from, Packet* packet) {
    Link& link = network_.link(from, rank_);
    if (link.on_wire.empty()) return false;
    Peer& peer = peers_[from];
    EXPECT_NE(peer.buffers, 0u) << "rank " << rank_ << " has no buffer for what rank " << from << " sends";
    --peer.buffers;
    auto* buffer = new Bytes(link.on_wire.front());
    link.on_wire.pop_front();
    *packet = {&peer, buffer, buffer->data};
    return true;
  }

  unsigned room;  // packets that may be sent; comes back by reap()
  unsigned in_flight = 0;
  const Peer* blocked = nullptr;  // to which no reply has room
  void reap() { room += std::exchange(in_flight, 0); }
  bool accepts_own = true;
  std::function<void(Peer&, std::uint32_t)> on_own_request;
  std::uint64_t own_processed = 0, own_seen_before_acks = 0, updates = 0, held = 0;

 private:
  void put_on_wire(Peer& peer, const Bytes& out) {
    ASSERT_NE(room, 0u);
    --room;
    ++in_flight;
    network_.link(rank_, peer.rank).on_wire.push_back(out);
  }

  Network& network_;
  Rank rank_;
  std::vector<Peer> peers_;
};

inline constexpr std::uint8_t kEchoRequest = 1, kEchoReply = 2, kOneWay = 3, kLate = 4;

// One process: a channel, handlers that count, and a model of what has to arrive.
class Process final : public AmSink {
 public:
  Process(Network& network, Rank rank, unsigned room)
      : wire(network, rank, room),
        channel(wire),
        next_to(network.size),
        next_from(network.size),
        replies_due(network.size),
        late_to(network.size),
        late_from(network.size) {
    channel.open(network.size);
    wire.on_own_request = [this](Peer& peer, std::uint32_t) {
      ++own_requests;
      channel.request_processed(peer, true);
    };
  }

  bool request(Rank to, bool wants_reply) {
    const std::uint32_t number = next_to[to];
    if (!send(to, wants_reply ? kEchoRequest : kOneWay, 0, number)) return false;
    ++next_to[to];
    if (wants_reply) ++replies_due[to];
    return true;
  }
  bool late_reply(Rank to) {
    if (!send(to, kLate, kAmReply, late_to[to])) return false;
    ++late_to[to];
    return true;
  }
  bool own_request(Rank to) {
    Peer& peer = *wire.find(to);
    if (peer.flow.available() == 0 || wire.room < 2) return false;
    (void)peer.flow.use();
    wire.send_header(peer, Kind::kOwnRequest, 0);
    return true;
  }
  void poll(std::mt19937& random) {
    SpinLock none;
    auto guard = lock_if(none, false);
    wire.reap();
    accepts_ = random() % 3 != 0;
    wire.accepts_own = random() % 3 != 0;
    channel.begin_poll(*this);
    (void)channel.process_held(random() % 4, guard);
    Packet packet;
    for (Rank from = 0; from < next_to.size(); ++from)
      for (unsigned n = random() % 4; n > 0 && wire.receive(from, &packet); --n)
        channel.arrived(packet, guard);
    const unsigned room = random() % 4 == 0 ? std::exchange(wire.room, 0) : 0;  // others use it meanwhile
    channel.send_acks();
    wire.room += room;
  }

  void deliver(const AmArrival& a) override {
    ++delivered;
    ASSERT_EQ(a.head.nargs, 1);
    const std::uint32_t number = a.args[0];
    if (a.head.handler == kEchoReply) {
      ASSERT_NE(replies_due[a.source], 0u);
      --replies_due[a.source];
    } else if (a.head.handler == kLate) {
      ASSERT_EQ(number, late_from[a.source]++);
    } else {
      ASSERT_TRUE(accepts_) << "a request although none are accepted";
      ASSERT_EQ(number, next_from[a.source]++);
      if (a.head.handler == kEchoRequest) {
        ASSERT_TRUE(send(a.source, kEchoReply, kAmReply, number)) << "a reply was refused";
        if (number % 5 == 0) (void)late_reply(a.source);  // a second one is not the handler's: may be refused
      }
    }
  }
  bool accepts_requests() const override { return accepts_; }

  bool idle() const {
    for (const unsigned due : replies_due)
      if (due != 0) return false;
    return channel.idle();
  }

  Wire wire;
  CreditedChannel<Wire> channel;
  std::vector<std::uint32_t> next_to, next_from, replies_due, late_to, late_from;
  std::uint64_t delivered = 0, own_requests = 0;

 private:
  bool send(Rank to, std::uint8_t handler, std::uint8_t flags, std::uint32_t number) {
    AmPacket p;
    p.head = {handler, 1, flags, 0, 0};
    p.args = &number;
    return channel.send(*wire.find(to), p) == Status::kOk;
  }

  bool accepts_ = true;
};

struct Job {
  Job(Rank n, unsigned limit, unsigned room) : network(n, limit) {
    for (Rank r = 0; r < n; ++r) processes.push_back(std::make_unique<Process>(network, r, room));
  }
  bool idle() const {
    if (network.on_wire() != 0) return false;
    for (const auto& p : processes)
      if (!p->idle()) return false;
    return true;
  }
  // All processes poll until no packet is in flight.
  void drain(std::mt19937& random) {
    for (int round = 0; !idle(); ++round) {
      ASSERT_LT(round, 10000) << "deadlock: packets in flight: " << network.on_wire();
      for (const auto& p : processes) p->poll(random);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  void expect_all_arrived() const {
    for (Rank a = 0; a < processes.size(); ++a)
      for (Rank b = 0; b < processes.size(); ++b) {
        EXPECT_EQ(processes[a]->next_to[b], processes[b]->next_from[a]);
        EXPECT_EQ(processes[a]->late_to[b], processes[b]->late_from[a]);
        EXPECT_EQ(processes[a]->wire.find(b)->held, 0u);
        // All but the last few are acknowledged.
        const Credits& flow = processes[a]->wire.find(b)->flow;
        EXPECT_LT(network.limit - flow.available(), std::max(1u, network.limit / 2));
        EXPECT_TRUE(flow.may_send_unsolicited());
        EXPECT_EQ(processes[a]->wire.find(b)->buffers, buffers_for(network.limit));
      }
  }

  Network network;
  std::vector<std::unique_ptr<Process>> processes;
};

}  // namespace upcr::test::credited
