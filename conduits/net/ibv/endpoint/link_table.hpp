// SPDX-License-Identifier: BSD-3-Clause
// The links of this process: which peer is reached through which queue pair. Creates links when the service
// thread makes queue pairs (connect/connections.hpp), hands them to the data path by events, and keeps them
// until everything that was posted has completed. Owns the connections, the rails beside them, and the queues
// of each device.
//
// One side sends the first packet (hello) as soon as it can, from the service thread, since the process may
// be computing: the active side, because the passive one may not send before that (iWARP); with XRC the
// passive one, which can receive before it can send. So a link is ready at that side when it is established,
// at the other one when its first packet has arrived.
//
// Threads: the functions of ConnectionClient run on the service thread. The others are the data path's, under
// the conduit's lock; find(Rank) and connect() under that or the lock of the peer's send path. Links become
// ready and are discarded under the conduit's lock and those of all send paths. open() and close() on the
// main thread.
#pragma once
#include <atomic>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "conduits/net/ibv/connect/connections.hpp"
#include "conduits/net/ibv/endpoint/agreement.hpp"
#include "conduits/net/ibv/memory/buffer_pool.hpp"
#include "conduits/net/ibv/memory/memory.hpp"
#include "conduits/net/ibv/queues/connection_events.hpp"
#include "conduits/net/ibv/queues/device_queues.hpp"
#include "conduits/net/ibv/queues/link.hpp"
#include "conduits/net/ibv/rails/rail_table.hpp"
#include "conduits/net/ibv/sending/conduit_guard.hpp"
#include "conduits/net/ibv/sending/send_paths.hpp"

namespace upcr::ibv {

class LinkTable final : private ConnectionClient {
 public:
  explicit LinkTable(const SendPaths& paths) noexcept : paths_(paths) {}
  // Creates the queues of each device.
  void open_queues(const Topology& topology, std::span<Device* const> devices, Memory& memory,
                   const Depths& depths, bool iwarp, PacketCheck* sums);
  // Starts the service thread: from now on peers may connect. Collective.
  // `xrc`: as Connections::open().
  void open(const AttachInfo& info, std::span<Port> ports, const XrcDomain* xrc) {
    connections_.open(info, ports, *this, xrc);
  }
  void connect_all() { connections_.connect_all(); }
  // Nothing is sent or received any more. Collective.
  void close();
  // Before close(): what completes on discarded links is of no use from now on.
  void begin_close() noexcept { closing_.store(true, std::memory_order_release); }
  bool is_closing() const noexcept { return closing_.load(std::memory_order_relaxed); }

  // The link to this peer that may be used; null: none yet. Those to be found are not discarded while the
  // lock of the peer's send path is held.
  Link* find(Rank peer) const noexcept { return ready_[peer]; }
  Rank rank() const noexcept { return rank_; }  // of this process
  // How many there are, rails among them or not.
  unsigned count() const noexcept { return ready_count_ + rails_.count(); }
  unsigned ready_count() const noexcept { return ready_count_; }
  // Those that are being closed because they are quiet (eviction.hpp), until they are discarded.
  std::vector<Link*>& leaving() noexcept { return leaving_; }
  const std::vector<Link*>& leaving() const noexcept { return leaving_; }
  // Of each rank, as find().
  const std::vector<Link*>& all() const noexcept { return ready_; }
  // There is no link to this peer: requests a connection. Returns kNoResource, for the caller to try again.
  Status connect(Rank peer);

  // A packet or a failure of this queue pair: a link that is ready or about to be, null if it is known no
  // more.
  Link* find(const DeviceQueues& queues, std::uint32_t queue_pair) noexcept;
  // The same for a packet that names its sender, from a shared receive queue.
  Link* find(Rank source, const DeviceQueues& queues, std::uint32_t queue_pair) noexcept;
  // The same, after a look at what the service thread has announced meanwhile. With XRC the queue pair does
  // not tell a link from the one before it with the same peer: only what has been announced does.
  template <typename... Key>
  Link* find_announced(ConduitGuard& guard, Key&&... key) {
    if (xrc_ && events_.any()) (void)process_events(guard);
    Link* link = find(key...);
    if (link != nullptr || !events_.any()) return link;
    (void)process_events(guard);
    return find(key...);
  }

  // Events that the service thread has announced: whether there are any; processes them and returns their
  // number. Leaves the locks of send paths.
  bool has_events() const noexcept { return events_.any(); }
  unsigned process_events(ConduitGuard& guard);
  ConnectionEventQueue& events() noexcept { return events_; }
  // The link can be sent to. Under the locks of all send paths.
  void make_ready(Link& link);
  // A receive that was posted on a discarded link has completed. Under the lock of its send path, so no
  // thread that sends is still about to return from ibv_post_send.
  void note_returned(Link& link) noexcept {
    if (!link.discarded || link.receives_out != 0) return;
    if (link.leaving != Leaving::kNo && !link.queue.empty()) return;
    link.drained.store(true, std::memory_order_release);  // one that has left is destroyed now
  }

  Connections& connections() noexcept { return connections_; }
  RailTable& rails() noexcept { return rails_; }
  const RailTable& rails() const noexcept { return rails_; }
  std::deque<DeviceQueues>& queues() noexcept { return queues_; }
  const std::deque<DeviceQueues>& queues() const noexcept { return queues_; }
  // No connection is being made for this side, and no operation is in progress.
  bool idle() const noexcept;
  // Is a peer's connection not ready yet?
  bool has_candidates() const noexcept { return !candidates_.empty(); }

  // Memory for each peer that is connected.
  static constexpr std::size_t kBytesPerLink = sizeof(Link) + sizeof(Link*) * 4;

 private:
  void queue_pair_attributes(Device& device, bool made, ibv_qp_init_attr* attributes) override;
  std::string rail_attributes(Device& device, bool active, ibv_qp_init_attr* attributes) override;
  bool accepts_rail(unsigned now) const override { return now < rails_.limits().of_peers; }
  void prepare(const Connection& connection) override;
  void established(const Connection& connection) override;
  void discarded(const Connection& connection) override;
  bool drained(const Connection& connection) override;
  bool make_room() override { return memory_->make_room(); }
  // Connections that are being made have a deadline of their own.
  bool busy(const Device& device) override { return queues_[device.index()].is_busy(); }
  [[gnu::cold]] void send_hello(Link& link, const Connection& connection);
  void count_completions(const Link& link, const Connection& connection);
  void uncount_completions(const Link& link, const Connection& connection);
  void prepare_flush(Link& link) noexcept;
  Link* candidate(Rank source) const noexcept;
  void process_rail_event(const ConnectionEvent& event);

  const SendPaths& paths_;
  Rank rank_ = 0;
  Memory* memory_ = nullptr;
  Depths depths_;
  bool iwarp_ = false, xrc_ = false;
  std::size_t hello_bytes_ = 0;
  BufferPool hellos_;                // one packet: all hellos are alike
  std::deque<DeviceQueues> queues_;  // of each device
  Connections connections_;
  ConnectionEventQueue events_;
  std::atomic<bool> closing_{false};

  // -- the service thread's
  std::vector<std::unique_ptr<Link>> links_;
  // A Connection stays where it is until drained() has returned true; queue pairs may be shared.
  std::unordered_map<const Connection*, Link*> link_of_connection_;
  std::unordered_map<const ibv_qp*, unsigned> sharers_of_;  // XRC: connections that share a queue pair

  // -- the data path's
  std::vector<Link*> ready_;       // of each rank: under the conduit's lock and that of its send path
  std::vector<Link*> candidates_;  // prepared, not ready yet
  std::vector<Link*> leaving_;
  unsigned ready_count_ = 0;
  RailTable rails_;
  // Connections that this side has requested and that are not ready yet; which they are, of each rank: under
  // the lock of its send path.
  std::atomic<std::uint32_t> pending_connects_{0};
  std::vector<std::uint8_t> has_requested_;
};
static_assert(LinkTable::kBytesPerLink <= 512);

}  // namespace upcr::ibv
