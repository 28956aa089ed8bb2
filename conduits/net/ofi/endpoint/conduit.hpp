// SPDX-License-Identifier: BSD-3-Clause
// The ofi conduit: active messages over libfabric, for networks with a provider of their own and for plain
// TCP.
//
// Needs of the provider: an endpoint for reliable datagrams (FI_EP_RDM), packets of kPacketBytes, which keep
// their order between two processes (FI_ORDER_SAS), and queues that do not overflow (FI_RM_ENABLED).
//
//   fabric/choice.hpp     which provider and domain
//   fabric/network.hpp    libfabric's objects
//   packet_wire.hpp       messages: the credited channel over untagged sends
//   remote_access.hpp     large puts and gets, where the provider has them; the others are messages
//   remote_atomics.hpp    atomic operations, where the provider's are coherent with the processors'
//   peer_watch.hpp        peers that cannot be reached any more
//   closing.hpp           the end of the job
//
// Order: requests between two processes arrive in the order of sending, and so do replies.
//
// Memory per peer: kBytesPerPeer (bytes_per_peer.hpp), and what the provider keeps of an address and of a
// connection, which it makes at the first message. Per process: UPCR_OFI_SENDS + UPCR_OFI_RECEIVES buffers of
// 8320 bytes, and a copy of each request that is held. No table of processes by processes.
//
// Threads: as conduits/core/transport/conduit.hpp says. One lock is held around everything but handlers; a
// process with one thread does not take it.
#pragma once
#include <string>

#include "conduits/core/base/system/spinlock.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/net/ofi/endpoint/packet_wire.hpp"
#include "conduits/net/ofi/endpoint/peer_watch.hpp"
#include "conduits/net/ofi/endpoint/remote_access.hpp"
#include "conduits/net/ofi/endpoint/remote_atomics.hpp"
#include "conduits/net/ofi/fabric/network.hpp"

namespace upcr::ofi {

class OfiConduit final : public Conduit {
 public:
  OfiConduit() {
    caps_.max_medium = packets_.max_medium();
    caps_.checksums = true;
  }
  const char* name() const noexcept override { return "ofi"; }
  std::string describe() const override;

  Status attach(const AttachInfo& info) override;
  Status detach() override;

  Status am_send(Rank to, const AmPacket& packet) override;
  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local) override;
  Status amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b, std::uint64_t* old,
               Pending& done) override;
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) override;
  unsigned poll(unsigned budget, AmSink& sink) override;
  bool pending() const noexcept override;
  int wait_fd() override { return network_.wait_fd(); }
  bool arm() override;

 private:
  static constexpr unsigned kBatch = 16;  // completions that are fetched at once

  unsigned process_completions(unsigned budget, std::unique_lock<SpinLock>& guard);
  bool fetch() const noexcept;
  bool has_fetched() const noexcept { return next_ != fetched_; }
  [[noreturn, gnu::cold]] void failed();
  bool has_work() const noexcept;
  Status started(Status status, Rank peer) noexcept;

  Bootstrap* bootstrap_ = nullptr;
  const Topology* topology_ = nullptr;
  mutable SpinLock lock_;
  bool multithreaded_ = false;
  mutable Network network_;
  PacketWire packets_{packet_check()};
  RemoteAccess access_;
  RemoteAtomics atomics_;
  PeerWatch watch_;
  // Completions that have been fetched and not processed: entries_[next_] to entries_[fetched_ - 1].
  mutable fi_cq_msg_entry entries_[kBatch];
  mutable unsigned next_ = 0, fetched_ = 0;
  mutable bool has_failure_ = false;  // the next completion is an error
};

}  // namespace upcr::ofi
