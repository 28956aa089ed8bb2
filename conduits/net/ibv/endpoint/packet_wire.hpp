// SPDX-License-Identifier: BSD-3-Clause
// Moves packets between this process and its peers, over the queue pairs of the link table: the Wire of the
// credited channel (core/transport/credited/channel.hpp). A packet that a queue pair sends inline takes no
// buffer of this process; others take one of kSendBuffers until their sends complete.
//
// Threads: send() under the lock of the peer's send path, what is for the channel alone as that says; the
// rest under the conduit's lock, which the channel gives up while a handler runs. Functions with a `guard`
// take the locks of send paths that they need by it; the others are called under that of the link's. open()
// and close() on the main thread.
#pragma once
#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/transport/credited/channel.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/ibv/endpoint/link_table.hpp"
#include "conduits/net/ibv/memory/buffer_pool.hpp"
#include "conduits/net/ibv/queues/packet_copies.hpp"
#include "conduits/net/ibv/queues/wire.hpp"
#include "conduits/net/ibv/sending/conduit_guard.hpp"
#include "conduits/net/ibv/sending/send_path.hpp"

namespace upcr::ibv {

// Packets that are too long to be sent inline, in progress at once; and of each of several send paths: more
// than credits of a peer, with those for replies.
inline constexpr unsigned kSendBuffers = 128, kSendBuffersOfPath = 40;

class Eviction;

class PacketWire {
 public:
  using Kind = PacketKind;
  using Peer = Link;
  struct Packet {
    Link* peer;
    char* data;
    ReceiveBuffer* buffer;
  };

  // `check` null: the release library.
  PacketWire(LinkTable& links, PacketCheck* check) noexcept
      : links_(links),
        check_(check),
        sums_(check != nullptr && check->sums() ? check : nullptr),
        extra_bytes_(sums_ != nullptr ? sums_->extra_bytes() : 0) {}
  // `paths`: how many send paths there are.
  void open(const Topology& topology, const Doorbells& doorbells, std::span<Device* const> devices,
            unsigned paths);
  void close() noexcept { buffers_.close(); }

  // As Conduit::am_send().
  Status send(Rank to, const AmPacket& p) {
    Link* link = links_.find(to);
    if (link == nullptr) return links_.connect(to);
    const bool is_reply = (p.head.flags & kAmReply) != 0;
    if (__builtin_expect(link->leaving != Leaving::kNo, 0) &&
        !(is_reply && channel_.is_replying_to(*link)))  // which only the polling thread may ask
      return Status::kNoResource;                       // until it is closed, or the peer has refused that
    if (__builtin_expect(link->rails != nullptr, 0) && !is_reply) return send_behind_puts(*link, p);
    return channel_.send(*link, p);
  }
  // send() has been refused: would ask_for_credits() do something about that?
  bool lacks_credits(Rank to) const noexcept;
  // Asks for more credits for requests to this peer, unless there are some. Under the locks of all send
  // paths.
  void ask_for_credits(Rank to);
  // A packet that is a header alone. Not without room.
  bool has_room_for_header(const Link& link) const noexcept {
    return has_room_for(link, sizeof(Header) + extra_bytes_);
  }
  // The same for a packet about closing the connection (eviction.hpp).
  bool has_room_to_leave(const Link& link) const noexcept {
    return has_space_for(link, sizeof(Header) + extra_bytes_);
  }
  void send_header(Link& link, Kind kind, std::uint32_t = 0);
  // The send of a packet is complete: its buffer, null if it had none.
  void sent(const Link& link, char* buffer) noexcept {
    if (buffer != nullptr) buffers_.release(buffer, link.path->index());
  }
  // A packet has arrived. Processes or holds it, or drops one of a queue pair that is not in use any more.
  void received(ReceiveBuffer* buffer, const ibv_wc& completion, DeviceQueues& queues, ConduitGuard& guard);

  // Messages about shares of receive buffers (queues/window.hpp) are to be sent; `locked`: the locks of send
  // paths are to be taken, none of which is held.
  bool has_share_messages(bool locked) const noexcept;
  // Sends those for which there is room. After the channel's acknowledgements.
  void send_share_messages(ConduitGuard& guard);
  // The job ends: no share changes any more. Under the locks of all send paths.
  void stop_share_changes();
  // Who closes quiet connections: gets the packets about that. Before the first packet.
  void set_eviction(Eviction& eviction) noexcept { eviction_ = &eviction; }
  // No peer needs credits any more.
  void stop_acks() noexcept {
    channel_.stop_acks();
    silent_ = true;
  }
  // No request is held, and nothing is to be sent. `locked`: as above.
  bool idle(bool locked) const noexcept { return channel_.idle() && !has_share_messages(locked); }

  CreditedChannel<PacketWire>& channel() noexcept { return channel_; }
  const CreditedChannel<PacketWire>& channel() const noexcept { return channel_; }
  PacketCheck* sums() const noexcept { return sums_; }  // null: packets carry no checksums
  std::size_t max_medium() const noexcept { return sums_ != nullptr ? kMaxMediumWithSum : kMaxMedium; }

  // -- for the channel
  static bool needs_credit(Kind kind) noexcept { return kind == Kind::kRequest; }
  static unsigned credits_of(const Peer&, const AmPacket&) noexcept { return 1; }
  bool has_room(const Link& link, const AmPacket& p) const noexcept {
    return has_room_for(link, bytes_on_wire(p));
  }
  bool has_room_for_reply(const Link& link) const noexcept {
    return link.path->has_room_for_reply(link) && buffers_.available(link.path->index()) != 0;
  }
  bool has_room_for_update(const Link& link) const noexcept { return has_room_for_header(link); }
  void send_message(Link& link, Kind kind, const AmPacket& p);
  Link* find(Rank rank) const noexcept { return links_.find(rank); }
  Packet hold(const Packet& packet);
  void release(const Packet& packet);
  AmArrival message(const Packet& packet, Kind) const noexcept {
    return unpack_message(packet.peer->rank, packet.data + sizeof(Header));
  }
  void before_acks(const Packet&, const Header&) const noexcept {}
  bool can_process(const Packet&, const Header&) const noexcept { return true; }
  bool process(const Packet& packet, const Header& header);

 private:
  // The bytes of this message's packet, as it is sent.
  std::size_t bytes_on_wire(const AmPacket& p) const noexcept {
    return sizeof(Header) + packed_payload_offset(p.head.nargs) + p.head.length + extra_bytes_;
  }
  bool has_room_for(const Link& link, std::size_t bytes) const noexcept {
    return link.leaving == Leaving::kNo && has_space_for(link, bytes);
  }
  bool has_space_for(const Link& link, std::size_t bytes) const noexcept {
    return link.path->has_room(link) &&
           (bytes <= link.connection.max_inline || buffers_.available(link.path->index()) > kReplyReserve);
  }
  Status send_behind_puts(Link& link, const AmPacket& p);
  bool send_share(Window& window);
  void send_packet(Link& link, char* packet, std::size_t bytes, char* buffer);
  std::uint32_t verified_bytes(const ReceiveBuffer& buffer, const ibv_wc& completion, DeviceQueues& queues,
                               ConduitGuard& guard);
  void repost(ReceiveBuffer* buffer);

  LinkTable& links_;
  PacketCheck* const check_;
  PacketCheck* const sums_;
  const std::size_t extra_bytes_;  // of a packet: its checksum
  const Topology* topology_ = nullptr;
  const Doorbells* doorbells_ = nullptr;
  BufferPool buffers_;
  PacketCopies copies_;
  std::vector<Link*> to_confirm_;  // their peers' shares
  bool silent_ = false;
  Eviction* eviction_ = nullptr;
  CreditedChannel<PacketWire> channel_{*this};
};

}  // namespace upcr::ibv
