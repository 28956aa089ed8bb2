// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/endpoint/message_path.hpp"

#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/rma/rma.hpp"

namespace upcr::mpi {

void MessagePath::open(const Setup& s) {
  segments_ = &s.segments;
  everything_ = s.everything;
  long_piece_ = s.long_piece;
  PacketWire::open(s.topology, s.doorbells, s.packets, credit_limit_for(s.topology.size), s.check);
  channel_.open(s.topology.size);
  const std::size_t most = std::size_t{2} * kMaxRendezvous * (s.topology.size - 1);
  transfers_.open(s.data, most);
  done_puts_.reserve(most);
}

// -- starting an access

void MessagePath::send_put(Peer& peer, Kind kind, std::uint64_t raddr, const char* src, std::size_t bytes,
                           Pending* pending) {
  peer.flow.use(pending, nullptr, 0);
  const AccessHeader h{make_header(peer.flow, kind, static_cast<std::uint32_t>(bytes)), raddr};
  char* at = next_packet();
  std::memcpy(at, &h, sizeof h);
  atomic_copy(at + sizeof h, src, bytes);  // the source may be shared memory too
  PacketWire::send(peer, sizeof h + bytes);
}

Status MessagePath::put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                        Pending* local) {
  Peer& peer = *find(to);
  if (bytes > kPutPackets * kMaxPut) return put_rendezvous(peer, raddr, src, bytes, remote, local);
  const auto packets = static_cast<unsigned>((bytes + kMaxPut - 1) / kMaxPut);
  if (!has_credits(peer, packets)) return Status::kNoResource;
  remote.add();
  const char* from = static_cast<const char*>(src);
  for (; bytes > kMaxPut; bytes -= kMaxPut, from += kMaxPut, raddr += kMaxPut)
    send_put(peer, Kind::kPutFragment, raddr, from, kMaxPut, nullptr);
  send_put(peer, Kind::kPut, raddr, from, bytes, &remote);  // acknowledged after its fragments
  return Status::kInProgress;
}

void MessagePath::send_rendezvous(Peer& peer, Kind kind, unsigned index, std::uint64_t raddr,
                                  std::size_t bytes) {
  (void)peer.flow.use();
  const std::uint32_t value = piece_of(bytes) == kShortPiece ? index | kInShortPieces : index;
  const RendezvousHeader h{{make_header(peer.flow, kind, value), raddr}, bytes};
  std::memcpy(next_packet(), &h, sizeof h);
  PacketWire::send(peer, sizeof h);
}

Status MessagePath::put_rendezvous(Peer& peer, std::uint64_t raddr, const void* src, std::size_t bytes,
                                   Pending& remote, Pending* local) {
  if (local == nullptr)
    return Status::kNotSupported;                   // the source is to be reusable on return: messages copy
  if (checks_sums()) return Status::kNotSupported;  // only packets carry checksums
  if (!has_credits(peer, 1) || transfers_.full()) return Status::kNoResource;
  const unsigned index = peer.transfers.begin_put(remote, local);
  if (index == RendezvousTable::kNone) return Status::kNoResource;
  remote.add();
  local->add();
  send_rendezvous(peer, Kind::kRendezvousPut, index, raddr, bytes);
  char* from = const_cast<char*>(static_cast<const char*>(src));  // MPI_Isend only reads it
  transfers_.start(
      {Role::kPutOut, static_cast<std::uint8_t>(index), peer.rank, from, bytes, piece_of(bytes)});
  return Status::kInProgress;
}

// The data is one MPI message, so that its index is free again when it has left: MPI matches those of one tag
// in the order in which the receives were posted, which is that of the announcements. Over TCP, where the
// library would ask the receiver first, packets are as good.
Status MessagePath::send_bulk(Rank to, const AmPacket& p, Pending& local) {
  if (checks_sums() || short_pieces_ || p.body_bytes > long_piece_) return Status::kNotSupported;
  Peer& peer = *find(to);
  if (!has_credits(peer, 1) || transfers_.full()) return Status::kNoResource;
  const unsigned index = peer.transfers.begin_bulk(local);
  if (index == RendezvousTable::kNone) return Status::kNoResource;
  local.add();
  (void)peer.flow.use();
  const Header h = make_header(peer.flow, Kind::kBulkRequest, index);
  char* at = next_packet();
  std::memcpy(at, &h, sizeof h);
  AmPacket beginning = p;
  beginning.head.length = static_cast<std::uint32_t>(p.prefix_bytes);
  const std::size_t bytes = pack_message(at + sizeof h, beginning);
  std::memcpy(at + sizeof h, &p.head, sizeof p.head);
  PacketWire::send(peer, sizeof h + bytes);
  char* body = const_cast<char*>(static_cast<const char*>(p.body));  // MPI_Isend only reads it
  transfers_.start({Role::kPutOut, static_cast<std::uint8_t>(index), peer.rank, body, p.body_bytes});
  return Status::kOk;
}

Status MessagePath::get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  Peer& peer = *find(from);
  if (bytes > kMaxGet && checks_sums()) return Status::kNotSupported;  // as put_rendezvous()
  if (bytes > kMaxGet) return get_rendezvous(peer, dst, raddr, bytes, done);
  if (!has_credits(peer, 1)) return Status::kNoResource;
  done.add();
  const auto n = static_cast<std::uint32_t>(bytes);
  peer.flow.use(&done, dst, n);
  const AccessHeader h{make_header(peer.flow, Kind::kGet, n), raddr};
  std::memcpy(next_packet(), &h, sizeof h);
  PacketWire::send(peer, sizeof h);
  return Status::kInProgress;
}

Status MessagePath::get_rendezvous(Peer& peer, void* dst, std::uint64_t raddr, std::size_t bytes,
                                   Pending& done) {
  if (!has_credits(peer, 1) || transfers_.full()) return Status::kNoResource;
  const unsigned index = peer.transfers.begin_get(done);
  if (index == RendezvousTable::kNone) return Status::kNoResource;
  done.add();
  // The receive first, so that it is posted when the data arrives.
  transfers_.start({Role::kGetIn, static_cast<std::uint8_t>(index), peer.rank, static_cast<char*>(dst), bytes,
                    piece_of(bytes)});
  send_rendezvous(peer, Kind::kRendezvousGet, index, raddr, bytes);
  return Status::kInProgress;
}

// -- in poll()

bool MessagePath::can_process(const Packet&, const Header& header) const noexcept {
  switch (header.kind) {
    case Kind::kGet:
      return has_send_buffer();
    case Kind::kRendezvousPut:
    case Kind::kRendezvousGet:
      return !transfers_.full();
    case Kind::kBulkRequest:
      return !transfers_.full() && bulks_ < kMaxBulks;
    default:
      return true;
  }
}

bool MessagePath::process(const Packet& packet, const Header& header) {
  switch (header.kind) {
    case Kind::kRequestFragment:
    case Kind::kReplyFragment:
      keep_fragment(packet, header.kind);
      break;
    case Kind::kPut:
    case Kind::kPutFragment:
      process_put(packet, header);
      break;
    case Kind::kGet:
      process_get(packet, header);
      break;
    case Kind::kRendezvousPut:
    case Kind::kRendezvousGet:
      process_rendezvous(packet, header);
      break;
    case Kind::kBulkRequest:
      process_bulk(packet, header);
      break;
    case Kind::kFin:
      if (!packet.peer->transfers.put_arrived(header.value))
        fatal("rank %u reports the end of a put (number %u) that is not in progress", packet.peer->rank,
              header.value);
      break;
    default:  // kGetReply: before_acks()
      break;
  }
  return true;
}

char* MessagePath::checked_address(const Peer& peer, std::uint64_t address, std::uint64_t bytes,
                                   const char* what) const {
  if (!everything_ && !segments_->mine(topology(), address, bytes))
    fatal("rank %u wants to %s %llu bytes at %#llx%s", peer.rank, what,
          static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(address),
          segments_->why_refused(topology(), address).c_str());
  return reinterpret_cast<char*>(address);
}

void MessagePath::process_put(const Packet& packet, const Header& header) {
  const auto access = read_as<AccessHeader>(packet.data);
  atomic_copy(checked_address(*packet.peer, access.address, header.value, "write"),
              packet.data + sizeof access, header.value);
  channel_.request_processed(*packet.peer, header.kind == Kind::kPut);
}

void MessagePath::process_get(const Packet& packet, const Header& header) {
  Peer& peer = *packet.peer;
  const auto access = read_as<AccessHeader>(packet.data);
  const char* from = checked_address(peer, access.address, header.value, "read");
  const std::uint16_t number = peer.flow.processed();  // requests are processed in the order of their numbers
  peer.flow.request_processed(false);
  const Header h = make_header(peer.flow, Kind::kGetReply, number);
  char* at = next_packet();
  std::memcpy(at, &h, sizeof h);
  atomic_copy(at + sizeof h, from, header.value);
  PacketWire::send(peer, sizeof h + header.value);
}

void MessagePath::process_get_reply(const Packet& packet, const Header& header) {
  const Outstanding* get = packet.peer->flow.outstanding_get(header.value);
  const std::size_t bytes = packet.bytes - sizeof header;
  if (get == nullptr || get->bytes != bytes)
    fatal("rank %u replies to a get (number %u, %zu bytes) that is not in progress", packet.peer->rank,
          header.value, bytes);
  atomic_copy(get->destination, packet.data + sizeof header, get->bytes);
  get->pending->complete();
}

void MessagePath::process_rendezvous(const Packet& packet, const Header& header) {
  Peer& peer = *packet.peer;
  const auto announced = read_as<RendezvousHeader>(packet.data);
  const bool put = header.kind == Kind::kRendezvousPut;
  const std::uint32_t index = header.value & ~kInShortPieces;
  if (index >= kMaxRendezvous || announced.bytes == 0)
    fatal("a malformed request for a large %s arrived from rank %u: number %u, %llu bytes",
          put ? "put" : "get", peer.rank, header.value, static_cast<unsigned long long>(announced.bytes));
  char* at = checked_address(peer, announced.access.address, announced.bytes, put ? "write" : "read");
  transfers_.start({put ? Role::kPutIn : Role::kGetOut, static_cast<std::uint8_t>(index), peer.rank, at,
                    static_cast<std::size_t>(announced.bytes),
                    index != header.value ? kShortPiece : long_piece_});
  channel_.request_processed(peer, false);
}

void MessagePath::process_bulk(const Packet& packet, const Header& header) {
  Peer& peer = *packet.peer;
  if (header.value >= kMaxRendezvous)
    fatal("a malformed request in bulk arrived from rank %u: number %u", peer.rank, header.value);
  if (free_bulks_.empty())
    free_bulks_.push_back(std::make_unique_for_overwrite<char[]>(kMaxPayloadOffset + kMaxBulk));
  char* const message = free_bulks_.back().release();
  free_bulks_.pop_back();
  ++bulks_;
  const std::size_t here = packet.bytes - sizeof header;
  std::memcpy(message, packet.data + sizeof header, here);
  const auto am = read_as<AmHeader>(message);
  transfers_.start({Role::kBulkIn, static_cast<std::uint8_t>(header.value), peer.rank, message + here,
                    packed_payload_offset(am.nargs) + am.length - here, kLongPiece, message});
  channel_.request_processed(peer, false);
}

unsigned MessagePath::deliver_bulks(std::unique_lock<SpinLock>& guard) {
  unsigned delivered = 0;
  for (; !done_bulks_.empty() && channel_.can_deliver(*done_bulks_.back().peer); ++delivered) {
    const DoneBulk done = done_bulks_.back();
    done_bulks_.pop_back();
    channel_.deliver_request(*done.peer, unpack_message(done.peer->rank, done.message), guard);
    free_bulks_.emplace_back(done.message);
    --bulks_;
  }
  return delivered;
}

unsigned MessagePath::advance_transfers() {
  return transfers_.advance([this](const Transfer& t) {
    Peer& peer = *find(t.peer);
    switch (t.role) {
      case Role::kPutOut:
        peer.transfers.put_sent(t.index);
        break;
      case Role::kGetIn:
        peer.transfers.get_arrived(t.index);
        break;
      case Role::kPutIn:
        done_puts_.push_back({&peer, t.index});
        break;
      case Role::kBulkIn:
        done_bulks_.push_back({&peer, t.message});
        break;
      case Role::kGetOut:
        break;
    }
  });
}

// Those for which there is a send buffer.
void MessagePath::report_done_puts() {
  while (!done_puts_.empty() && has_send_buffer()) {
    const DonePut done = done_puts_.back();
    done_puts_.pop_back();
    send_header(*done.peer, Kind::kFin, done.index);
  }
}

}  // namespace upcr::mpi
