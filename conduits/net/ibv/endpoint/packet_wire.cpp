// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/endpoint/packet_wire.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/net/ibv/endpoint/eviction.hpp"
#include "conduits/net/ibv/rails/rail_set.hpp"

namespace upcr::ibv {
namespace {

// A packet of up to so many bytes that is sent inline is put together on the stack: the work request copies
// it.
constexpr std::size_t kMaxInline = 1024;

}  // namespace

void PacketWire::open(const Topology& topology, const Doorbells& doorbells, std::span<Device* const> devices,
                      unsigned paths) {
  topology_ = &topology;
  doorbells_ = &doorbells;
  buffers_.open(devices, kPacketBytes, std::max(kSendBuffers / paths, kSendBuffersOfPath), "messages", paths);
  channel_.open(topology.size);
}

// -- sending

// A request to a peer with which there are large transfers: not before their parts on rails are in place.
Status PacketWire::send_behind_puts(Link& link, const AmPacket& p) {
  return link.rails->send_behind_puts([&] { return channel_.send(link, p); });
}

bool PacketWire::lacks_credits(Rank to) const noexcept {
  const Link* link = links_.find(to);
  return link != nullptr && link->leaving == Leaving::kNo && link->flow.available() == 0 &&
         link->queues->windows().may_help(link->flow);
}

void PacketWire::ask_for_credits(Rank to) {
  if (!lacks_credits(to)) return;
  Link& link = *links_.find(to);
  link.queues->windows().starved(link.flow);
}

void PacketWire::send_message(Link& link, Kind kind, const AmPacket& p) {
  alignas(8) char small[kMaxInline];
  const std::size_t bytes = bytes_on_wire(p);
  const bool in_line = bytes <= link.connection.max_inline && bytes <= kMaxInline;
  char* buffer = in_line ? nullptr : buffers_.acquire(link.path->index());
  char* packet = in_line ? small : buffer;
  const Header header = make_header(link.flow, kind, topology_->rank);
  std::memcpy(packet, &header, sizeof header);
  (void)pack_message(packet + sizeof header, p);
  send_packet(link, packet, bytes - extra_bytes_, buffer);
}

void PacketWire::send_header(Link& link, Kind kind, std::uint32_t) {
  const Header header = make_header(link.flow, kind, topology_->rank);
  alignas(8) char small[sizeof header + kPacketSumBytes];
  const bool in_line = sizeof header + extra_bytes_ <= link.connection.max_inline;
  char* const buffer = in_line ? nullptr : buffers_.acquire(link.path->index());
  char* const packet = buffer != nullptr ? buffer : small;
  std::memcpy(packet, &header, sizeof header);
  send_packet(link, packet, sizeof header, buffer);
}

// There is room behind the packet for its checksum. `buffer`: the one that holds the packet, to be released
// when its send completes; null: it is sent inline, and the caller's memory is reusable on return.
void PacketWire::send_packet(Link& link, char* packet, std::size_t bytes, char* buffer) {
  if (__builtin_expect(check_ != nullptr, 0)) bytes = check_->seal(packet, bytes);
  ibv_sge piece{reinterpret_cast<std::uintptr_t>(packet), static_cast<std::uint32_t>(bytes), 0};
  ibv_send_wr request;
  request.next = nullptr;
  request.sg_list = &piece;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = 0;
  if (buffer == nullptr)
    request.send_flags = IBV_SEND_INLINE;
  else
    piece.lkey = buffers_.key(link.queues->device());
  SendPath& path = *link.path;
  if (buffer != nullptr || !path.post_unsignalled(link, request)) {
    Operation* op = path.begin(link, OperationKind::kMessage);
    op->buffer = buffer;
    path.post_signalled(link, request, op);
  }
  doorbells_->ring_neighbour(*topology_, link.rank);
}

// -- receiving

// The packet's bytes without its checksum, which is right. The queue pair tells the sender; what the packet
// says about it counts only where the queue pair is not known any more, or not yet.
std::uint32_t PacketWire::verified_bytes(const ReceiveBuffer& buffer, const ibv_wc& completion,
                                         DeviceQueues& queues, ConduitGuard& guard) {
  constexpr Rank kNobody = ~Rank{0};
  const std::size_t bytes = completion.byte_len;
  const Link* link =
      buffer.link != nullptr ? buffer.link : links_.find_announced(guard, queues, completion.qp_num);
  const Rank from = link != nullptr           ? link->rank
                    : bytes >= sizeof(Header) ? read_as<Header>(buffer.packet).value
                                              : kNobody;
  return static_cast<std::uint32_t>(sums_->open(from, buffer.packet, bytes, "ibv", claim_of));
}

namespace {

// Packets that change the share of this link may change those of others.
bool moves_credits(PacketKind kind) noexcept {
  return kind == PacketKind::kShare || kind == PacketKind::kShareConfirmed;
}

}  // namespace

void PacketWire::received(ReceiveBuffer* buffer, const ibv_wc& completion, DeviceQueues& queues,
                          ConduitGuard& guard) {
  std::uint32_t bytes = completion.byte_len;
  if (__builtin_expect(sums_ != nullptr, 0)) bytes = verified_bytes(*buffer, completion, queues, guard);
  const bool valid = well_formed(buffer->packet, bytes);
  const Rank source = read_as<Header>(buffer->packet).value;
  Link* link = buffer->link;
  if (valid && link == nullptr) link = links_.find_announced(guard, source, queues, completion.qp_num);
  // Of a queue pair that has been discarded meanwhile.
  if (valid && link == nullptr) return (void)queues.receives().post(buffer);
  if (valid && link->discarded) {
    guard.enter(*link->path);
    return repost(buffer);
  }
  if (!valid || link->rank != source)
    fatal(
        "a malformed packet of %u bytes arrived, said to be from rank %u of %u; are all processes the same "
        "upcr?",
        bytes, source, topology_->size);
  if (!link->ready) {
    guard.enter_all();
    links_.make_ready(*link);
  }
  const bool of_all = moves_credits(read_as<Header>(buffer->packet).kind);
  if (of_all)
    guard.enter_all();
  else
    guard.enter(*link->path);
  buffer->from = link;
  buffer->bytes = bytes;
  channel_.arrived({link, buffer->packet, buffer}, guard);
  if (of_all) guard.leave();
}

bool PacketWire::process(const Packet& packet, const Header& header) {
  Link& link = *packet.peer;
  switch (header.kind) {
    case Kind::kClose:
      ++link.close_packets;
      break;
    case Kind::kShare: {
      const auto share = read_as<Share>(packet.data + sizeof(Header));
      if (!link.flow.confirm_due()) to_confirm_.push_back(&link);
      link.queues->windows().peer_share_changed(link.flow, share.credits, share.asks != 0);
      break;
    }
    case Kind::kShareConfirmed:
      link.queues->windows().confirmed(link.flow);
      break;
    case Kind::kEvict:
    case Kind::kEvictAgreed:
    case Kind::kEvictRefused:
      eviction_->received(link, header.kind);
      break;
    default:
      break;
  }
  return true;
}

// -- shares

bool PacketWire::has_share_messages(bool locked) const noexcept {
  if (silent_) return false;
  for (const DeviceQueues& queues : links_.queues())
    if (queues.windows().has_announcements()) return true;
  return std::any_of(to_confirm_.begin(), to_confirm_.end(), [locked](const Link* link) {
    const auto guard = lock_if(link->path->lock(), locked);
    return link->flow.may_confirm();
  });
}

void PacketWire::send_share_messages(ConduitGuard& guard) {
  const auto has_none = [](const DeviceQueues& queues) {
    return !queues.windows().has_announcements() && !queues.windows().may_settle();
  };
  if (to_confirm_.empty() && std::all_of(links_.queues().begin(), links_.queues().end(), has_none)) return;
  guard.enter_all();
  for (DeviceQueues& queues : links_.queues()) {
    queues.windows().settle();
    while (Window* window = queues.windows().next_announcement())
      if (!send_share(*window)) break;
  }
  std::erase_if(to_confirm_, [this](Link* link) {
    if (!link->ready) return true;
    if (!link->flow.may_confirm() || !has_room_for_header(*link)) return false;
    send_header(*link, Kind::kShareConfirmed);
    link->flow.confirm_sent();
    return true;
  });
}

bool PacketWire::send_share(Window& window) {
  Link& link = *window.link();
  constexpr std::size_t kBytes = sizeof(Header) + sizeof(Share);
  if (!has_room_for(link, kBytes + extra_bytes_)) return false;
  alignas(8) char small[kBytes + kPacketSumBytes];
  const bool in_line = kBytes + extra_bytes_ <= link.connection.max_inline;
  char* const buffer = in_line ? nullptr : buffers_.acquire(link.path->index());
  char* const packet = buffer != nullptr ? buffer : small;
  const Header header = make_header(link.flow, Kind::kShare, topology_->rank);
  const Share share{window.target(), window.asks()};
  std::memcpy(packet, &header, sizeof header);
  std::memcpy(packet + sizeof header, &share, sizeof share);
  send_packet(link, packet, kBytes, buffer);
  link.queues->windows().announced(window);
  return true;
}

void PacketWire::stop_share_changes() {
  for (DeviceQueues& queues : links_.queues()) queues.windows().stop();
}

PacketWire::Packet PacketWire::hold(const Packet& packet) {
  if (packet.peer->queues->covers_credits()) return packet;
  ReceiveBuffer* copy = copies_.copy(*packet.buffer);
  repost(packet.buffer);
  return {packet.peer, copy->packet, copy};
}

void PacketWire::release(const Packet& packet) {
  if (PacketCopies::is_copy(*packet.buffer)) return copies_.release(packet.buffer);
  repost(packet.buffer);
}

void PacketWire::repost(ReceiveBuffer* buffer) {
  Link* own = buffer->link;
  if (own != nullptr && own->discarded) {
    --own->receives_out;
    return links_.note_returned(*own);
  }
  const int error = buffer->from->queues->receives().post(buffer);
  if (error != 0) buffer->from->path->refused(*buffer->from, error);
}

}  // namespace upcr::ibv
