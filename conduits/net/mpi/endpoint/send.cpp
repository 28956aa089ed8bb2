// SPDX-License-Identifier: BSD-3-Clause
// The sending half of the mpi conduit: messages, puts and gets leave. Any thread, under the lock.
#include <algorithm>
#include <cstring>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/wait/doorbells.hpp"
#include "conduits/net/mpi/endpoint/conduit.hpp"
#include "conduits/net/mpi/library/session.hpp"

namespace upcr::mpi {

Header MpiConduit::head(Peer& peer, Kind kind, std::uint32_t value) noexcept {
  const Header h{kind, peer.flow.unsolicited_received(), peer.flow.processed(), value};
  peer.flow.acks_sent();
  return h;
}

void MpiConduit::send(Rank to, Peer& peer, std::size_t bytes) {
  sends_.send(to, bytes);
  ++peer.packets_sent;
  doorbells_->ring_neighbour(*topology_, to);
}

// A packet that is nothing but a head. There is a buffer.
void MpiConduit::send_header(Rank to, Kind kind, std::uint32_t value) {
  Peer& peer = peers_[to];
  const Header h = head(peer, kind, value);
  std::memcpy(sends_.front(), &h, sizeof h);
  send(to, peer, sizeof h);
}

Status MpiConduit::am_send(Rank to, const AmPacket& p) {
  const OptionalGuard guard(*lock_, multithreaded_);
  Peer& peer = peers_[to];
  if ((p.head.flags & kAmReply) == 0) {
    const unsigned packets = first_fragment_bytes(p.head.nargs, p.head.length) == 0 ? 1 : kAmPackets;
    if (!room_for_requests(peer, packets)) return Status::kNoResource;
    for (unsigned i = 0; i < packets; ++i) peer.flow.take_credit(nullptr, nullptr, 0);
    send_message(to, Kind::kRequest, p);
  } else if (to == serving_) {
    serving_ = kNobody;  // one reply a request: its buffers were seen to before the request was served
    send_message(to, Kind::kReply, p);
  } else {
    if (!peer.flow.may_send_unsolicited() || sends_.available() < kAmPackets + kSendReserve)
      return Status::kNoResource;
    peer.flow.unsolicited_sent();
    send_message(to, Kind::kUnsolicitedReply, p);
  }
  return Status::kOk;
}

void MpiConduit::send_message(Rank to, Kind kind, const AmPacket& p) {
  Peer& peer = peers_[to];
  const std::size_t ahead = first_fragment_bytes(p.head.nargs, p.head.length);
  if (ahead != 0) {
    const Header h =
        head(peer, kind == Kind::kRequest ? Kind::kRequestFirstFragment : Kind::kReplyFirstFragment, 0);
    char* at = sends_.front();
    std::memcpy(at, &h, sizeof h);
    copy_payload(at + sizeof h, p, 0, ahead);
    send(to, peer, sizeof h + ahead);
  }
  const Header h = head(peer, kind, 0);
  char* at = sends_.front();
  std::memcpy(at, &h, sizeof h);
  send(to, peer, sizeof h + pack_message(at + sizeof h, p, ahead));
}

void MpiConduit::send_put(Rank to, Kind kind, std::uint64_t raddr, const char* src, std::size_t bytes,
                          Pending* pending) {
  Peer& peer = peers_[to];
  peer.flow.take_credit(pending, nullptr, 0);
  const AccessHeader h{head(peer, kind, static_cast<std::uint32_t>(bytes)), raddr};
  char* at = sends_.front();
  std::memcpy(at, &h, sizeof h);
  atomic_copy(at + sizeof h, src, bytes);  // the source may be shared memory too
  send(to, peer, sizeof h + bytes);
}

Status MpiConduit::put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                       Pending* local) {
  const OptionalGuard guard(*lock_, multithreaded_);
  if (choice_.through_window(Access::kPut, bytes)) {
    const Status status = window_.put(to, raddr, src, bytes, remote, local);
    if (status != Status::kNotSupported) return status;
  }
  if (bytes > kPutPackets * kMaxPut) return put_rendezvous(to, raddr, src, bytes, remote, local);
  const auto packets = static_cast<unsigned>((bytes + kMaxPut - 1) / kMaxPut);
  if (!room_for_requests(peers_[to], packets)) return Status::kNoResource;
  remote.add();
  const char* from = static_cast<const char*>(src);
  for (; bytes > kMaxPut; bytes -= kMaxPut, from += kMaxPut, raddr += kMaxPut)
    send_put(to, Kind::kPutFragment, raddr, from, kMaxPut, nullptr);
  send_put(to, Kind::kPut, raddr, from, bytes, &remote);  // served after its parts
  return Status::kInProgress;
}

// The packet that announces a large transfer.
void MpiConduit::send_rendezvous(Rank to, Kind kind, unsigned slot, std::uint64_t raddr, std::size_t bytes) {
  Peer& peer = peers_[to];
  peer.flow.take_credit(nullptr, nullptr, 0);
  const std::uint32_t value = piece_of(bytes) == kShortPiece ? slot | kInShortPieces : slot;
  const RendezvousHeader h{{head(peer, kind, value), raddr}, bytes};
  std::memcpy(sends_.front(), &h, sizeof h);
  send(to, peer, sizeof h);
}

Status MpiConduit::put_rendezvous(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes,
                                  Pending& remote, Pending* local) {
  if (local == nullptr) return Status::kNotSupported;  // the source is wanted back at once: packets copy it
  if (sums_ != nullptr) return Status::kNotSupported;  // only packets carry them
  Peer& peer = peers_[to];
  if (!room_for_requests(peer, 1) || transfers_.full()) return Status::kNoResource;
  const unsigned slot = peer.big.begin_put(remote, local);
  if (slot == RendezvousTable::kNone) return Status::kNoResource;
  remote.add();
  local->add();
  send_rendezvous(to, Kind::kRendezvousPut, slot, raddr, bytes);
  char* from = const_cast<char*>(static_cast<const char*>(src));  // MPI_Isend only reads it
  transfers_.start({Role::kPutOut, static_cast<std::uint8_t>(slot), to, from, bytes, piece_of(bytes)});
  return Status::kInProgress;
}

Status MpiConduit::get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  const OptionalGuard guard(*lock_, multithreaded_);
  if (choice_.through_window(Access::kGet, bytes)) {
    const Status status = window_.get(from, dst, raddr, bytes, done);
    if (status != Status::kNotSupported) return status;
  }
  if (bytes > kMaxGet && sums_ != nullptr) return Status::kNotSupported;  // as put_rendezvous()
  if (bytes > kMaxGet) return get_rendezvous(from, dst, raddr, bytes, done);
  Peer& peer = peers_[from];
  if (!room_for_requests(peer, 1)) return Status::kNoResource;
  done.add();
  const auto n = static_cast<std::uint32_t>(bytes);
  peer.flow.take_credit(&done, dst, n);
  const AccessHeader h{head(peer, Kind::kGet, n), raddr};
  std::memcpy(sends_.front(), &h, sizeof h);
  send(from, peer, sizeof h);
  return Status::kInProgress;
}

Status MpiConduit::get_rendezvous(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes,
                                  Pending& done) {
  Peer& peer = peers_[from];
  if (!room_for_requests(peer, 1) || transfers_.full()) return Status::kNoResource;
  const unsigned slot = peer.big.begin_get(done);
  if (slot == RendezvousTable::kNone) return Status::kNoResource;
  done.add();
  // The receive first: the data finds its place.
  transfers_.start(
      {Role::kGetIn, static_cast<std::uint8_t>(slot), from, static_cast<char*>(dst), bytes, piece_of(bytes)});
  send_rendezvous(from, Kind::kRendezvousGet, slot, raddr, bytes);
  return Status::kInProgress;
}

}  // namespace upcr::mpi
