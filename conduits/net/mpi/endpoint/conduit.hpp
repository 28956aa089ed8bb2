// SPDX-License-Identifier: BSD-3-Clause
// The mpi conduit: active messages, puts and gets as MPI messages between the job's processes.
//
// Needs of MPI: point-to-point messages, communicators of its own, MPI_THREAD_SERIALIZED when several threads
// of a process use the library. MPI makes progress in poll(), and in each send.
//
//   message_path.hpp    messages, and puts and gets by messages: the credited channel, rendezvous
//   rma/window.hpp      puts and gets through an MPI window, for the sizes for which that is faster
//   calibration.hpp     finds out, at attach, which sizes these are
//
// Order: requests between two processes arrive in the order of sending, and so do replies.
//
// Memory per peer: the receive buffers that its credits promise (4 to 32 of 3968 bytes, fewer in large jobs),
// and MessagePath::kBytesPerPeer. Per process: kSendBuffers + kSpareReceives buffers. No table of processes
// by processes.
//
// Threads: as conduits/core/transport/conduit.hpp says. One lock, the session's, is held around everything
// but handlers; a process with one thread does not take it.
#pragma once
#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/core/transport/credited/pending_ack_list.hpp"
#include "conduits/core/transport/credited/ring_queue.hpp"
#include "conduits/net/mpi/messages/peer_flow_control.hpp"
#include "conduits/net/mpi/messages/receive_ring.hpp"
#include "conduits/net/mpi/messages/rendezvous_table.hpp"
#include "conduits/net/mpi/messages/send_pool.hpp"
#include "conduits/net/mpi/messages/transfers.hpp"
#include "conduits/net/mpi/messages/wire.hpp"
#include "conduits/net/mpi/rma/choice.hpp"
#include "conduits/net/mpi/rma/pairs.hpp"
#include "conduits/net/mpi/rma/window.hpp"

namespace upcr::mpi {

inline constexpr unsigned kSendBuffers = 256;
// Send buffers that only the polling thread may take: for the reply to the request that it serves.
inline constexpr unsigned kSendReserve = kAmPackets;
// Receives beyond those that requests waiting their turn may occupy: for replies.
inline constexpr unsigned kSpareReceives = 64;
// Puts up to this many packets travel as packets, larger ones as a rendezvous.
inline constexpr unsigned kPutPackets = 2;
static_assert(kPutPackets <= kMinCredits / 2 &&
              kAmPackets <= kMinCredits / 2);  // so many credits come back without being asked for

class MpiConduit final : public Conduit {
 public:
  MpiConduit() {
    caps_.max_medium = kMaxMedium;
    caps_.checksums = true;
  }
  const char* name() const noexcept override { return "mpi"; }
  std::string describe() const override;

  Status attach(const AttachInfo& info) override;
  Status detach() override;

  Status am_send(Rank to, const AmPacket& packet) override;
  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local) override;
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) override;

  unsigned poll(unsigned budget, AmSink& sink) override;
  bool pending() const noexcept override;

 private:
  struct Peer {
    PeerFlowControl flow;
    RendezvousTable big;
    Arrived request_part{}, reply_part{};  // waiting for the rest of their messages; packet null: none
    std::uint32_t packets_sent = 0, packets_received = 0;  // modulo 2^32, for detach()
  };
  struct DonePut {
    Rank source;
    std::uint32_t slot;
  };

  // -- send.cpp, under the lock
  bool room_for_requests(const Peer& peer, unsigned packets) const noexcept {
    return peer.flow.credits() >= packets && sends_.available() >= packets + kSendReserve;
  }
  Header head(Peer& peer, Kind kind, std::uint32_t value) noexcept;
  void send(Rank to, Peer& peer, std::size_t bytes);
  void send_message(Rank to, Kind kind, const AmPacket& packet);
  void send_header(Rank to, Kind kind, std::uint32_t value);
  void send_put(Rank to, Kind kind, std::uint64_t raddr, const char* src, std::size_t bytes,
                Pending* pending);
  std::uint32_t piece_of(std::size_t bytes) const noexcept {
    return asks_for_long_ && bytes <= 2 * kShortPiece ? kShortPiece : long_piece_;
  }
  void send_rendezvous(Rank to, Kind kind, unsigned slot, std::uint64_t raddr, std::size_t bytes);
  Status put_rendezvous(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                        Pending* local);
  Status get_rendezvous(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done);

  // -- serve.cpp, in poll(), under the lock except while a handler runs
  bool take_one(bool requests_too, OptionalGuard& guard);
  bool can_serve(const Header& head, bool requests_too) const noexcept;
  void serve(const Arrived& arrived, OptionalGuard& guard);
  void keep_part(const Arrived& arrived, Kind kind);
  void deliver(const Arrived& arrived, Kind kind, OptionalGuard& guard);
  void* whole_payload(const Arrived& arrived, const AmArrival& arrival, Arrived& part);
  void serve_put(const Arrived& arrived, const Header& head);
  void serve_get(const Arrived& arrived, const Header& head);
  void take_get_reply(const Arrived& arrived, const Header& head);
  void serve_rendezvous(const Arrived& arrived, const Header& head);
  void take_counts(const Arrived& arrived, const Header& head);
  unsigned serve_held(unsigned budget, bool requests_too, OptionalGuard& guard);
  void tell();
  unsigned advance_transfers();
  void report_done_puts();
  char* reachable(Rank source, std::uint64_t address, std::uint64_t bytes, const char* what) const;

  // -- set_up.cpp
  void open_tables();

  // -- choose.cpp
  // What measuring has shown; travels as bytes.
  struct HelloStatus {
    Choice choice;
    bool short_pieces = false;  // asks_for_long_
    bool slow = false;          // too slow to measure: everything by messages
  };
  void choose_ways();
  const char* reason_for_messages(const Capabilities& all) const;
  bool try_puts(const Capabilities& all);
  HelloStatus learn(const Capabilities& all, bool puts, bool gets, bool fetches);

  // -- measure.cpp
  class Stopwatch;
  HelloStatus measure(Rank target, bool puts, bool gets, bool otherwise);
  void calibrate_target(Rank origin);

  bool idle() const noexcept;  // nothing of ours is on the way, as far as this process knows
  void drain();

  const Topology* topology_ = nullptr;
  const SegmentMap* segments_ = nullptr;
  const Doorbells* doorbells_ = nullptr;
  SpinLock* lock_ = nullptr;  // the session's
  bool multithreaded_ = false;
  bool everything_ = false;
  PacketCheck* sums_ = nullptr;  // null: packets carry no checksums
  MPI_Comm packets_ = MPI_COMM_NULL, data_ = MPI_COMM_NULL;
  SendPool sends_;
  mutable ReceiveRing receives_;
  Transfers transfers_;
  Window window_;
  bool asks_for_long_ = false;  // MPI asks the receiver before it sends a long message (transfers.hpp)
  std::uint32_t long_piece_ = kLongPiece;
  bool silent_ = false;  // detach(): packets that only carry counts are of use to nobody
  Choice choice_;        // what goes through window_
  std::string ways_;     // the same in words
  std::vector<Peer> peers_;
  std::vector<Outstanding> outstanding_;  // of all accounts
  RingQueue<Arrived> held_;               // requests whose turn has not come
  PendingAckList pending_acks_;
  std::vector<DonePut> done_puts_;      // large puts that are here; their kFin has had no buffer yet
  alignas(64) char whole_[kMaxMedium];  // the payload of a message that came in two packets
  AmSink* sink_ = nullptr;              // during poll()
  Rank serving_ = kNobody;              // whose request's handler runs, and may reply
  bool busy_ = false;                   // the last poll() found a packet: where there is one there are more

  static constexpr Rank kNobody = ~Rank{0};

 public:
  static constexpr std::size_t kTablesPerPeer =
      sizeof(Peer) +
      kMaxCredits * (sizeof(Outstanding) + sizeof(Arrived) + sizeof(MPI_Request) + sizeof(std::uint32_t)) +
      2 * kMaxRendezvous * (sizeof(Transfer) + sizeof(MPI_Request) + sizeof(int) + sizeof(DonePut)) +
      sizeof(Rank) + 1;  // of pending_acks_
};
static_assert(MpiConduit::kTablesPerPeer <= 3 * 1024);

}  // namespace upcr::mpi
