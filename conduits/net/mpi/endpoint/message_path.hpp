// SPDX-License-Identifier: BSD-3-Clause
// Messages, puts and gets as packets of the credited channel, and the data of large puts and gets as MPI
// messages of their own.
//
// A put of up to kPutPackets packets, and a get whose data fits in one, are packets (eager protocol). Larger
// ones use a rendezvous: a packet announces the transfer to the target, which then receives or sends the data
// by itself; kFin reports that a put's data has arrived. A put and a get are complete when all of this has
// happened; what completes them is in the peer's flow control (messages/peer_flow_control.hpp) or table
// (messages/rendezvous_table.hpp).
//
// Threads: under the conduit's lock. poll() gives it up while a handler runs.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/memory/segment.hpp"
#include "conduits/net/mpi/messages/packet_wire.hpp"
#include "conduits/net/mpi/messages/transfers.hpp"

namespace upcr::mpi {

// Puts of up to this many packets are sent as packets.
inline constexpr unsigned kPutPackets = 2;
// Requests in bulk that this process receives at once, each in memory of its own; others are held.
inline constexpr unsigned kMaxBulks = 16;
static_assert(kPutPackets <= kMinDefaultCredits / 2);  // peers acknowledge so many without being asked

class MessagePath final : public PacketWire {
 public:
  struct Setup {
    const Topology& topology;
    const Doorbells& doorbells;
    const SegmentMap& segments;
    bool everything;           // remote access may name any address
    MPI_Comm packets, data;    // communicators of the conduit's
    PacketCheck* check;        // may be null
    std::uint32_t long_piece;  // bytes of a large transfer that one MPI message carries
  };
  void open(const Setup& setup);
  void close() { PacketWire::close(); }

  // As the functions of Conduit.
  Status send(Rank to, const AmPacket& p) { return channel_.send(*find(to), p); }
  Status send_bulk(Rank to, const AmPacket& p, Pending& local);
  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local);
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done);
  void begin_poll(AmSink& sink) { channel_.begin_poll(sink); }
  unsigned poll(unsigned budget, std::unique_lock<SpinLock>& guard);

  // Has a packet arrived?
  bool has_arrival() { return test_receive(); }
  // Nothing of this process is in progress, as far as it knows.
  bool idle() const noexcept {
    return channel_.idle() && transfers_.empty() && done_puts_.empty() && done_bulks_.empty() && all_sent();
  }
  // The job ends: nothing is to be acknowledged any more.
  void stop_acks() noexcept { channel_.stop_acks(); }
  using PacketWire::checks_sums;
  using PacketWire::peers;

  // Are transfers that fit in two short pieces sent as two (transfers.hpp)? The same on all processes.
  void set_short_pieces(bool yes) noexcept { short_pieces_ = yes; }

  // -- for the channel: the packets of remote access
  void before_acks(const Packet& packet, const Header& header) {
    if (header.kind == Kind::kGetReply) process_get_reply(packet, header);
  }
  bool can_process(const Packet& packet, const Header& header) const noexcept;
  bool process(const Packet& packet, const Header& header);

 private:
  struct DonePut {
    Peer* peer;
    std::uint32_t index;
  };

  struct DoneBulk {
    Peer* peer;
    char* message;
  };

  bool has_credits(const Peer& peer, unsigned packets) const noexcept {
    return peer.flow.available() >= packets && has_room(packets);
  }
  void send_put(Peer& peer, Kind kind, std::uint64_t raddr, const char* src, std::size_t bytes,
                Pending* pending);
  std::uint32_t piece_of(std::size_t bytes) const noexcept {
    return short_pieces_ && bytes <= 2 * kShortPiece ? kShortPiece : long_piece_;
  }
  void send_rendezvous(Peer& peer, Kind kind, unsigned index, std::uint64_t raddr, std::size_t bytes);
  Status put_rendezvous(Peer& peer, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                        Pending* local);
  Status get_rendezvous(Peer& peer, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done);

  char* checked_address(const Peer& peer, std::uint64_t address, std::uint64_t bytes, const char* what) const;
  void process_put(const Packet& packet, const Header& header);
  void process_get(const Packet& packet, const Header& header);
  void process_get_reply(const Packet& packet, const Header& header);
  void process_rendezvous(const Packet& packet, const Header& header);
  void process_bulk(const Packet& packet, const Header& header);
  unsigned advance_transfers();
  [[gnu::noinline]] unsigned deliver_bulks(std::unique_lock<SpinLock>& guard);
  void report_done_puts();

  CreditedChannel<MessagePath> channel_{*this};
  const SegmentMap* segments_ = nullptr;
  bool everything_ = false;
  bool short_pieces_ = false;
  bool busy_ = false;  // the last poll() received a packet: where there is one there are more
  std::uint32_t long_piece_ = kLongPiece;
  Transfers transfers_;
  std::vector<DonePut> done_puts_;    // puts whose data has arrived, to be reported by kFin
  std::vector<DoneBulk> done_bulks_;  // requests in bulk whose data has arrived, to be processed
  std::vector<std::unique_ptr<char[]>> free_bulks_;  // memory for others
  unsigned bulks_ = 0;                               // that are arriving or to be processed

 public:
  // Memory for each peer.
  static constexpr std::size_t kBytesPerPeer =
      PacketWire::kBytesPerPeer +
      2 * kMaxRendezvous * (sizeof(Transfer) + sizeof(MPI_Request) + sizeof(int) + sizeof(DonePut)) +
      PendingAckList::kBytesPerPeer;
};
static_assert(MessagePath::kBytesPerPeer <= 3 * 1024);

// Here, because MpiConduit::poll() is its one caller.
inline unsigned MessagePath::poll(unsigned budget, std::unique_lock<SpinLock>& guard) {
  unsigned processed = channel_.has_held() ? channel_.process_held(budget, guard) : 0;
  // One packet at first: the thread that waits for it looks at its condition next. As many as there are when
  // they arrive faster than it polls.
  const unsigned most = busy_ ? budget : processed + 1;
  const unsigned before = processed;
  for (Packet packet; processed < most && receive(&packet);) {
    channel_.arrived(packet, guard);
    // The sender of the first one may be waiting; those of the others are acknowledged together, below.
    if (++processed == 1 && channel_.has_pending_acks()) channel_.send_acks();
  }
  busy_ = processed != before;
  if (!transfers_.empty()) processed += advance_transfers();
  if (!done_bulks_.empty()) processed += deliver_bulks(guard);
  if (!done_puts_.empty()) report_done_puts();
  if (channel_.has_pending_acks()) channel_.send_acks();
  if (!all_sent()) reap_sends();
  return processed;
}

}  // namespace upcr::mpi
