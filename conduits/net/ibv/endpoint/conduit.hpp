// SPDX-License-Identifier: BSD-3-Clause
// The ibv conduit: active messages over sends, puts and gets over RDMA, on InfiniBand, RoCE and iWARP.
//
//   agreement.hpp      what all processes' devices can do
//   link_table.hpp     a queue pair for each pair of processes that communicate, made when it is first needed
//   packet_wire.hpp    messages: the credited channel over sends
//   remote_access.hpp  put, get, amo64; large ones over several connections (large_access.cpp)
//   eviction.hpp       closes quiet connections where there are too many
//
// Below: work requests, until they are complete (sending/send_path.hpp), queues/, rails/.
//
// Until a link is there, what needs it is refused and tried again.
//
// Order: everything to one peer goes through its queue pair, in the order of sending, but for the parts of
// large transfers on rails (rails/rail_set.hpp); a put is in place when the handler of a request runs that
// was sent after it. Each process has at most its credit limit of requests outstanding at each peer, and
// UPCR_IBV_SEND_DEPTH work requests in progress to it. The limits change while the job runs: credits move to
// the peers that talk (queues/window_pool.hpp). Whatever may arrive has a receive posted
// (queues/receives.hpp), so a device returns RNR only where its shared receive queue is shorter than the
// least shares of all connected peers, and all of it is in use at once; then the sender's device tries again
// without end.
//
// Memory per peer, from the start: kBytesPerPeer (connect/bytes_per_peer.hpp), and what memory/memory.hpp
// says; its share of the shared receive queue (receives_for(kMinCredits) entries, and those of the pool),
// which is no longer than the device makes it. Per connected peer: LinkTable::kBytesPerLink, receive buffers
// of 4288 bytes, registered when it connects (37 for the least share, and 2 for each credit more: 97 for 32
// credits, until the pool has kTargetReceives), as many entries of a completion queue and 2 more, and the
// queue pair; where the shared receive queue is shorter than the least shares, a buffer more for each request
// of the peer that is held (queues/packet_copies.hpp). Private memory leaves locked memory for these, and
// gives it back when there is not enough (memory/memory.hpp). Per rail, which only peers have with which
// there are large transfers (rails/rail_table.hpp): a Link, a queue pair, and at the peer another one without
// receive buffers. Per process: kSendBuffers packets, or kSendBuffersOfPath for each of several send paths,
// the bounce buffers, an Operation for each that has been in progress at once. No table of processes by
// processes.
//
// Threads: as conduits/core/transport/conduit.hpp says. A thread that sends holds the lock of the peer's send
// path (sending/send_paths.hpp), which is that of the link, its queue and its credits as well, and never
// waits for another one: so threads that send to different peers, mostly, do not wait for each other. The
// conduit's lock is that of what belongs to no peer: completion queues, held requests, acknowledgements to be
// sent, shares, closing. Who polls holds it around everything but handlers, and below it takes the locks of
// send paths (sending/conduit_guard.hpp): one while it processes something of a link, all of them where links
// become ready, are discarded, or share credits. A process with one thread takes none. The service thread
// (connect/service.hpp) hands queue pairs to the data path by events.
#pragma once
#include <string>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/net/ibv/device/ports.hpp"
#include "conduits/net/ibv/endpoint/eviction.hpp"
#include "conduits/net/ibv/endpoint/link_table.hpp"
#include "conduits/net/ibv/endpoint/packet_wire.hpp"
#include "conduits/net/ibv/endpoint/remote_access.hpp"
#include "conduits/net/ibv/memory/memory.hpp"
#include "conduits/net/ibv/rails/connection_limits.hpp"
#include "conduits/net/ibv/sending/conduit_guard.hpp"
#include "conduits/net/ibv/sending/send_paths.hpp"
#include "conduits/net/ibv/xrc/domain.hpp"

namespace upcr::ibv {

class IbvConduit final : public Conduit {
 public:
  IbvConduit() {
    caps_.max_medium = packets_.max_medium();
    caps_.checksums = true;
  }
  const char* name() const noexcept override { return "ibv"; }
  std::string describe() const override;
  std::string details() const override { return ports_.details(); }

  void plan(MemoryFile& memory_file, const Topology& topology) override {
    links_.connections().plan(memory_file, topology);
  }
  Status attach(const AttachInfo& info) override;
  Status detach() override;

  Status am_send(Rank to, const AmPacket& packet) override;
  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local) override;
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) override;
  Status amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b, std::uint64_t* old,
               Pending& done) override;

  void begin_batch(Rank peer) override;
  void end_batch(Rank peer) override;

  unsigned poll(unsigned budget, AmSink& sink) override;
  bool pending() const noexcept override;
  int wait_fd() override { return wake_; }
  bool arm() override;

 private:
  void open_wait_fd();
  std::size_t locked_by_peers(unsigned peers);
  ConnectionLimits limits_for(const Topology& topology, bool has_rails) const;
  void open_xrc(const Topology& topology, Agreement* agreed);
  void send_close_packets();
  bool has_close_packets(unsigned of_each) const noexcept;
  bool nothing_in_progress() const noexcept;
  bool idle() const noexcept;  // nor is a connection being closed
  void drain(Bootstrap& bootstrap);

  [[gnu::cold]] void ask_for_credits(Rank peer);
  void ask_for_rails(Rank peer);
  void post_batches(ConduitGuard& guard);
  void signal_last(bool idle, ConduitGuard& guard);
  unsigned process_completions(DeviceQueues& queues, unsigned budget, ConduitGuard& guard);
  void process_completion(const ibv_wc& completion, DeviceQueues& queues, ConduitGuard& guard);
  void complete(Operation& op);
  void end(Operation& op);
  [[gnu::cold]] void failed(const ibv_wc& completion, DeviceQueues& queues, ConduitGuard& guard);
  bool has_work() const noexcept;

  Bootstrap* bootstrap_ = nullptr;
  mutable SpinLock lock_;
  bool multithreaded_ = false;
  int wake_ = -1;  // wait_fd()
  PortSet ports_;
  XrcDomain xrc_;
  Memory memory_;
  SendPaths paths_;
  mutable LinkTable links_{paths_};
  PacketWire packets_{links_, packet_check()};
  RemoteAccess access_{links_, memory_};
  Eviction eviction_{links_, packets_};
};
static_assert(sizeof(ReceiveBuffer) == kPacketBytes + 64);
static_assert(receives_for(32) == 97 && receives_for(kMinCredits) == 37);

}  // namespace upcr::ibv
