// SPDX-License-Identifier: BSD-3-Clause
// Moves packets between this process and its peers: the Wire of the credited channel
// (core/transport/credited/channel.hpp). A request that is held is copied, so the receive buffers are free
// for the packets that follow it, however few they are.
//
// Threads: under the conduit's lock, which the channel gives up while a handler runs; open() and close() on
// the main thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/credited/channel.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/ofi/messages/peer.hpp"
#include "conduits/net/ofi/messages/receives.hpp"
#include "conduits/net/ofi/messages/sends.hpp"

namespace upcr::ofi {

// Send buffers that requests leave for replies, credit updates and the end of the job.
inline constexpr std::size_t kSendReserve = 8;

class PacketWire {
 public:
  using Kind = PacketKind;
  using Peer = ofi::Peer;
  using Packet = ofi::Packet;

  // `check` null: the release library.
  explicit PacketWire(PacketCheck* check) noexcept
      : check_(check),
        sums_(check != nullptr && check->sums() ? check : nullptr),
        extra_bytes_(sums_ != nullptr ? sums_->extra_bytes() : 0) {}
  struct Setup {
    const Topology& topology;
    const Doorbells& doorbells;
    Bootstrap& bootstrap;
    Network& network;
    unsigned credits;
    std::size_t sends, receives;  // buffers
  };
  void open(const Setup& setup);
  void close();

  // As Conduit::am_send().
  Status send(Rank to, const AmPacket& p) { return channel_.send(peers_[to], p); }
  void send_header(Peer& peer, Kind kind, std::uint32_t = 0);
  bool has_room_for_header() const noexcept { return sends_.available() != 0; }
  // A packet of so many bytes has arrived: processes or holds it.
  void received(std::uint32_t buffer, std::size_t bytes, std::unique_lock<SpinLock>& guard);
  // Leftovers: packets that the provider had no room for, and answers to kFlush and kPing that are due.
  bool has_leftovers() const noexcept {
    return sends_.has_deferred() || receives_.has_unposted() || !to_answer_.empty();
  }
  void send_leftovers();
  // Nothing of this process is in progress, as far as it knows.
  bool idle() const noexcept { return channel_.idle() && !has_leftovers() && sends_.idle(); }

  CreditedChannel<PacketWire>& channel() noexcept { return channel_; }
  const CreditedChannel<PacketWire>& channel() const noexcept { return channel_; }
  Sends& sends() noexcept { return sends_; }
  std::vector<Peer>& peers() noexcept { return peers_; }
  bool has_sums() const noexcept { return sums_ != nullptr; }
  std::size_t max_medium() const noexcept { return sums_ != nullptr ? kMaxMediumWithSum : kMaxMedium; }

  // -- a put, get or atomic operation of the conduit, which travels beside the packets
  void access_started(Rank rank) noexcept { ++peers_[rank].accesses; }
  void access_completed(Rank rank) noexcept {
    --peers_[rank].accesses;
    peers_[rank].heard = true;
  }
  // Is anything under way with this peer that only it can complete?
  bool is_outstanding(const Peer& peer) const noexcept {
    return !peer.flow.all_acknowledged() || peer.deferred != 0 || peer.accesses != 0 || peer.awaited;
  }

  // -- packets of the end of the job, counted
  unsigned flushed() const noexcept { return flushed_; }

  // -- for the channel
  static bool needs_credit(Kind kind) noexcept { return kind == Kind::kRequest; }
  static unsigned credits_of(const Peer&, const AmPacket&) noexcept { return 1; }
  bool has_room(const Peer& peer, const AmPacket&) const noexcept {
    return peer.deferred == 0 && sends_.available() > kSendReserve;
  }
  bool has_room_for_reply(const Peer&) const noexcept { return has_room_for_header(); }
  bool has_room_for_update(const Peer&) const noexcept { return has_room_for_header(); }
  void send_message(Peer& peer, Kind kind, const AmPacket& p);
  Peer* find(Rank rank) noexcept { return &peers_[rank]; }
  Packet hold(const Packet& packet);
  void release(const Packet& packet);
  AmArrival message(const Packet& packet, Kind) const noexcept {
    return unpack_message(packet.peer->rank, packet.data + sizeof(Header));
  }
  void before_acks(const Packet& packet, const Header&) const noexcept { packet.peer->heard = true; }
  bool can_process(const Packet&, const Header&) const noexcept { return true; }
  bool process(const Packet& packet, const Header& header);

 private:
  struct alignas(64) Copy {
    char bytes[kPacketBytes];
  };

  void send_packet(Peer& peer, std::uint32_t buffer, std::size_t bytes);

  PacketCheck* const check_;
  PacketCheck* const sums_;
  const std::size_t extra_bytes_;  // of a packet: its checksum
  const Topology* topology_ = nullptr;
  const Doorbells* doorbells_ = nullptr;
  Sends sends_;
  Receives receives_;
  std::vector<Peer> peers_;                    // of each rank
  std::vector<std::unique_ptr<Copy>> copies_;  // of packets that are or were held
  std::vector<std::uint32_t> free_copies_;
  struct Answer {
    Peer* peer;
    Kind kind;
  };
  std::vector<Answer> to_answer_;  // that are due
  unsigned flushed_ = 0;           // kFlushed that have arrived
  CreditedChannel<PacketWire> channel_{*this};
};

}  // namespace upcr::ofi
