// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/smp/smp.hpp"

#include <vector>

#include "conduits/base/report.hpp"
#include "conduits/base/spinlock.hpp"
#include "conduits/bootstrap/bootstrap.hpp"
#include "conduits/core/job.hpp"
#include "conduits/core/node_memory.hpp"
#include "conduits/core/topology.hpp"
#include "conduits/smp/ring.hpp"

namespace upcr {
namespace {

class SmpConduit final : public Conduit {
 public:
  SmpConduit() { caps_.max_medium = kMaxPayload; }
  const char* name() const noexcept override { return "smp"; }

  void plan(NodeMemory& memory, const Topology& t) override {
    if (t.machine_size != t.size)
      fatal(
          "conduit smp connects the processes of one host, but this job spans several (rank %u sees %u of %u "
          "processes here); start it with another conduit (upcrun --conduit mpi, or ibv)",
          t.rank, t.machine_size, t.size);
    area_ = memory.reserve(std::size_t{2} * t.size * t.size * kRingBytes, 4096);
  }

  Status attach(const AttachInfo& info) override {
    topology_ = &info.topology;
    multithreaded_ = info.multithreaded;
    const Rank me = info.topology.rank, n = info.topology.size;
    Ring* rings = info.node_memory.at<Ring>(area_);
    peers_ = std::vector<Peer>(n);
    for (Rank r = 0; r < n; ++r) {
      // Two rings an ordered pair: [from][to][request, reply].
      Ring* out = rings + 2 * (std::size_t{me} * n + r);
      Ring* in = rings + 2 * (std::size_t{r} * n + me);
      peers_[r].requests_out.attach(out);
      peers_[r].replies_out.attach(out + 1);
      peers_[r].requests_in.attach(in);
      peers_[r].replies_in.attach(in + 1);
    }
    caps_.shares_memory_only = true;
    return Status::kOk;
  }

  Status am_send(Rank to, const AmPacket& packet) override {
    Peer& peer = peers_[to];
    if ((packet.head.flags & kAmReply) != 0) {  // under the poll lock, which makes us the only writer
      if (peer.replies_out.push(packet) != Status::kOk) return Status::kNoResource;
    } else {
      OptionalGuard guard(peer.lock, multithreaded_);
      if (peer.requests_out.push(packet) != Status::kOk) return Status::kNoResource;
    }
    job().doorbells.ring_process(*topology_, to);
    return Status::kOk;
  }

  unsigned poll(unsigned budget, AmSink& sink) override {
    unsigned taken = 0;
    const bool requests = sink.takes_requests();
    const Rank n = static_cast<Rank>(peers_.size()), me = topology_->rank;
    for (Rank i = 0; i < n && taken < budget; ++i) {
      const Rank r = turn_ + i < n ? turn_ + i : turn_ + i - n;
      if (r == me) continue;
      Peer& peer = peers_[r];
      while (peer.replies_in.ready()) {
        sink.deliver(peer.replies_in.front(r, kAmReply));
        peer.replies_in.pop();
        ++taken;
      }
      // A request is taken only when any reply to it has room; that is the conduit's promise.
      while (requests && taken < budget && peer.requests_in.ready() && peer.replies_out.fits_any()) {
        sink.deliver(peer.requests_in.front(r, 0));
        peer.requests_in.pop();
        ++taken;
      }
    }
    if (taken >= budget && ++turn_ >= n) turn_ = 0;  // a busy peer does not starve the others
    return taken;
  }

  bool pending() const noexcept override {
    for (Rank r = 0; r < peers_.size(); ++r)
      if (r != topology_->rank && (peers_[r].replies_in.ready() || peers_[r].requests_in.ready()))
        return true;
    return false;
  }

  Status detach() override { return Status::kOk; }  // stores are in place when they are made

 private:
  struct Peer {
    RingWriter requests_out, replies_out;
    RingReader requests_in, replies_in;
    SpinLock lock;  // of requests_out, between this process's threads
  };

  NodeMemory::Area area_{};
  const Topology* topology_ = nullptr;
  bool multithreaded_ = false;
  std::vector<Peer> peers_;
  Rank turn_ = 0;
};

}  // namespace

std::unique_ptr<Conduit> make_smp_conduit() { return std::make_unique<SmpConduit>(); }

}  // namespace upcr
