// SPDX-License-Identifier: BSD-3-Clause
// The ibv conduit: active messages over sends, puts and gets over RDMA, on InfiniBand, RoCE and iWARP.
//
//   agreement.hpp      what all processes' devices can do
//   link_table.hpp     a queue pair for each pair of processes that communicate, made when it is first needed
//   packet_wire.hpp    messages: the credited channel over sends
//   remote_access.hpp  put, get, amo64
//   send_path.hpp      work requests, until they are complete
//
// Until a link is there, what needs it is refused and tried again.
//
// Order: everything to one peer goes through its queue pair, in the order of sending; a put is in place when
// the handler of a message runs that was sent after it. Each process has at most its credit limit of requests
// outstanding at each peer, and UPCR_IBV_SEND_DEPTH work requests in progress to it. Whatever may arrive has
// a receive posted (queues/receives.hpp), so a device returns RNR only where its shared receive queue is
// shorter than all peers' credits with the lowest credit limit, and all of it is in use at once; then the
// sender's device tries again without end.
//
// Memory per peer, from the start: kBytesPerPeer here, and what connect/connections.hpp and memory/memory.hpp
// say; its share of the completion queue (receives_for(credits) + 2 entries; twice that without a shared
// receive queue, for two connections at once) and of the shared receive queue (receives_for(credits)
// entries), both no longer than the device makes them. Per connected peer: LinkTable::kBytesPerLink,
// receives_for(credits) receive buffers (93 of 4288 bytes for 32 credits, 37 for 4), registered when it
// connects, and the queue pair; where the shared receive queue is shorter than all credits, a buffer more for
// each request of the peer that is held (queues/packet_copies.hpp). Private memory leaves locked memory for
// these, and gives it back when there is not enough (memory/memory.hpp). Per process: kSendBuffers packets,
// the bounce buffers, an Operation for each completion that may be outstanding. No table of processes by
// processes.
//
// Threads: as conduits/core/transport/conduit.hpp says. One lock is held around everything but handlers; a
// process with one thread does not take it. The service thread (connect/service.hpp) hands queue pairs to the
// data path by events.
#pragma once
#include <infiniband/verbs.h>

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/core/transport/credited/pending_ack_list.hpp"
#include "conduits/net/ibv/connect/connections.hpp"
#include "conduits/net/ibv/device/ports.hpp"
#include "conduits/net/ibv/memory/buffer_pool.hpp"
#include "conduits/net/ibv/memory/memory.hpp"
#include "conduits/net/ibv/queues/connection_events.hpp"
#include "conduits/net/ibv/queues/device_queues.hpp"
#include "conduits/net/ibv/queues/link.hpp"
#include "conduits/net/ibv/queues/operations.hpp"
#include "conduits/net/ibv/queues/packet_copies.hpp"
#include "conduits/net/ibv/queues/wire.hpp"

namespace upcr::ibv {

// Packets that are too long to be sent inline.
inline constexpr unsigned kSendBuffers = 128;
// Bounce buffers: small ones, and those of UPCR_IBV_BOUNCE bytes.
inline constexpr unsigned kSmallBounces = 1024, kLargeBounces = 64;
inline constexpr std::size_t kSmallBounceBytes = 256;
// Room that only the polling thread may use: for the reply to the request that it serves.
inline constexpr unsigned kReplyReserve = 1;

class IbvConduit final : public Conduit, private ConnectionClient {
 public:
  IbvConduit()
      : check_(packet_check()),
        sums_(check_ != nullptr && check_->sums() ? check_ : nullptr),
        extra_bytes_(sums_ != nullptr ? sums_->extra_bytes() : 0) {
    caps_.max_medium = sums_ != nullptr ? kMaxMediumWithSum : kMaxMedium;
    caps_.checksums = true;
  }
  const char* name() const noexcept override { return "ibv"; }
  std::string describe() const override;
  std::string details() const override { return ports_.details(); }

  Status attach(const AttachInfo& info) override;
  Status detach() override;

  Status am_send(Rank to, const AmPacket& packet) override;
  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local) override;
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) override;
  Status amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b, std::uint64_t* old,
               Pending& done) override;

  unsigned poll(unsigned budget, AmSink& sink) override;
  bool pending() const noexcept override;
  int wait_fd() override;
  bool arm() override;

 private:
  // -- set_up.cpp
  struct Traits;
  void open_queues();
  void agree(Bootstrap& bootstrap);
  unsigned window_here() const;
  std::size_t locked_by_peers();
  void drain();
  void say_goodbye();
  bool has_close_packets(unsigned times) const noexcept;
  bool idle() const noexcept;

  // -- queue_pairs.cpp: ConnectionClient, on the service thread
  void queue_pair_attributes(Device& device, ibv_qp_init_attr* attributes) override;
  void prepare(const Connection& connection) override;
  void established(const Connection& connection) override;
  void discarded(const Connection& connection) override;
  bool drained(const Connection& connection) override;
  bool make_room() override { return memory_.make_room(); }
  bool busy(const Device& device) override;
  void send_hello(Link& link);
  // -- and the data path's side of it, under the lock
  unsigned take_connection_events();  // how much there was
  void make_ready(Link& link);
  void note_return(Link& link) noexcept;
  Link* link_of(Rank source, const DeviceQueues& queues, std::uint32_t queue_pair) noexcept;
  Link* link_of(const DeviceQueues& queues, std::uint32_t queue_pair) noexcept;
  Status ask(Rank to);

  // -- send.cpp, under the lock
  // For one more work request that is no reply to the request being served.
  bool has_room(const Link& link) const noexcept {
    return link.queue.room() > kReplyReserve && link.queues->room() > kReplyReserve && !link.broken;
  }
  bool has_room_for_packet(const Link& link, std::size_t bytes) const noexcept {
    return has_room(link) && (bytes <= link.connection.max_inline || sends_.available() > kReplyReserve);
  }
  Head head(Link& link, PacketKind kind) noexcept;
  void send_message(Link& link, PacketKind kind, const AmPacket& packet);
  void send_head(Link& link, PacketKind kind);
  void send_packet(Link& link, char* packet, std::size_t bytes, char* buffer);
  void post(Link& link, ibv_send_wr& first);

  // -- access.cpp, under the lock
  struct Target;
  bool by_message(std::uint64_t raddr, std::size_t bytes) const noexcept;
  bool misread(std::uint64_t raddr, std::size_t bytes) const noexcept;
  Status resolve_remote(Rank rank, std::uint64_t raddr, std::size_t bytes, Target* target);
  BufferPool& bounces_for(std::size_t bytes) noexcept {
    return bytes <= kSmallBounceBytes ? small_bounces_ : large_bounces_;
  }
  void post_write(const Target& target, ibv_send_wr& write, Operation* op);
  void prepare_flush(Link& link, ibv_send_wr* read, ibv_sge* piece) noexcept;
  // iWARP completes what moves data in an order of its own (send_queue.hpp).
  bool counts_apart(const Operation& op) const noexcept {
    return iwarp_ && (op.what == What::kPut || op.what == What::kGet || op.what == What::kAtomic);
  }
  void note_posted(Link& link, Operation* op) noexcept;
  void post_signalled(Link& link, ibv_send_wr& request, Operation* op);

  // -- completions.cpp, in poll(), under the lock except while a handler runs
  void take(const ibv_wc& wc, DeviceQueues& queues, OptionalGuard& guard);
  void complete(Operation& op);
  void finish(Operation& op);
  void finish_flush(Link& link);
  void failed(const ibv_wc& wc, DeviceQueues& queues);
  std::string words_for(const ibv_wc& wc, const Link& link, const Operation* op) const;
  void refused(Link& link, int error);

  // -- serve.cpp, in poll(), under the lock except while a handler runs
  unsigned take_completions(DeviceQueues& queues, unsigned budget, OptionalGuard& guard);
  void take_packet(ReceiveBuffer* buffer, const ibv_wc& wc, DeviceQueues& queues, OptionalGuard& guard);
  std::uint32_t verified(const ReceiveBuffer& buffer, const ibv_wc& wc, DeviceQueues& queues);
  bool can_serve(const Link& link) const noexcept;
  void hold(ReceiveBuffer* buffer);
  unsigned serve_held(unsigned budget, OptionalGuard& guard);
  void serve(ReceiveBuffer* buffer, Link& link, OptionalGuard& guard);
  void deliver(ReceiveBuffer* buffer, Link& link, PacketKind kind, OptionalGuard& guard);
  void give_back(ReceiveBuffer* buffer);
  void tell();

  // -- waiting.cpp
  void open_waiting();
  void close_waiting();
  bool has_work() const noexcept;

  // Of this packet, as it is sent.
  std::size_t bytes_on_wire(const AmPacket& p) const noexcept {
    return sizeof(Head) + packed_payload_offset(p.head.nargs) + p.head.length + extra_bytes_;
  }

  PacketCheck* const check_;       // null: the release library
  PacketCheck* const sums_;        // null: packets carry no checksums
  const std::size_t extra_bytes_;  // of a packet: its checksum
  const Topology* topology_ = nullptr;
  const Doorbells* doorbells_ = nullptr;
  Bootstrap* bootstrap_ = nullptr;
  mutable SpinLock lock_;
  bool multithreaded_ = false;
  bool words_by_message_ = false;   // aligned accesses of 2, 4 and 8 bytes
  bool shorts_by_message_ = false;  // of 2 bytes
  bool short_reads_keep_to_pages_ = false;
  bool iwarp_ = false;
  bool silent_ = false;               // detach(): packets that only carry counts are of use to nobody
  std::atomic<bool> closing_{false};  // nothing that comes back matters any more
  Depths depths_;
  int wake_ = -1;  // what wait_fd() gives

  PortSet ports_;
  Memory memory_;
  Connections connections_;
  mutable std::deque<DeviceQueues> queues_;  // of each device
  Operations operations_;
  BufferPool sends_, small_bounces_, large_bounces_, hellos_;
  char* flush_sink_ = nullptr;  // a word of small_bounces_ where the reads that flush end

  // -- the service thread's
  std::vector<std::unique_ptr<Link>> all_links_;
  std::unordered_map<ibv_qp*, Link*> link_of_qp_;
  ConnectionEventQueue connection_events_;

  // -- the data path's
  std::vector<Link*> links_;             // of each rank: the one that is ready, or null
  std::vector<Link*> candidates_;        // prepared, not ready yet
  std::atomic<std::uint32_t> asked_{0};  // connections asked for by this side that are not ready yet
  std::vector<bool> has_asked_;          // of each rank
  HeldRequests held_;
  PendingAckList pending_acks_;
  AmSink* sink_ = nullptr;     // during poll()
  bool requests_too_ = false;  // during poll()
  Rank serving_ = kNobody;     // whose request's handler runs, and may reply

  static constexpr Rank kNobody = ~Rank{0};

 public:
  // links_, pending_acks_, has_asked_.
  static constexpr std::size_t kBytesPerPeer = sizeof(Link*) + sizeof(Rank) + 1 + 1;
  static constexpr std::size_t kBytesPerLink = sizeof(Link) + sizeof(Link*) * 4;
};
static_assert(IbvConduit::kBytesPerPeer <= 16);
static_assert(IbvConduit::kBytesPerLink <= 512);
static_assert(sizeof(ReceiveBuffer) == kPacketBytes + 64);
static_assert(receives_for(32) == 93 && receives_for(4) == 37);

}  // namespace upcr::ibv
