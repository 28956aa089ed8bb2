// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/neighbours/neighbours.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/rings/forwarding_sink.hpp"
#include "conduits/core/transport/rings/rings.hpp"
#include "conduits/core/wait/doorbells.hpp"

namespace upcr {
namespace {

class NeighbourRings final : public Conduit {
 public:
  explicit NeighbourRings(std::unique_ptr<Conduit> network) : network_(std::move(network)) { adopt_caps(); }
  const char* name() const noexcept override { return network_->name(); }
  std::string describe() const override { return network_->describe(); }
  std::string details() const override { return network_->details(); }

  void plan(MemoryFile& memory, const Topology& t) override {
    network_->plan(memory, t);
    used_ = t.window_group_size > 1;
    // Rings of all pairs of the machine, so that each of its groups finds its own, and in processes without
    // neighbours, too: all of a machine reserve the same. It is only address space.
    if (t.machine_size > 1) area_ = memory.reserve(Rings::bytes(t.machine_size), 4096);
  }
  Status attach(const AttachInfo& info) override;
  void set_engine(AmEngine* engine) noexcept override {
    Conduit::set_engine(engine);
    network_->set_engine(engine);
  }
  Status detach() override;

  Rings* rings() noexcept override { return used_ ? &rings_ : nullptr; }
  Status am_send(Rank to, const AmPacket& packet) override {
    return used_ && rings_.reach(to) ? rings_.send(to, packet) : network_->am_send(to, packet);
  }
  Status am_send_bulk(Rank to, const AmPacket& packet, Pending& local) override {
    if (used_ && rings_.reach(to)) return Status::kNotSupported;
    return network_->am_send_bulk(to, packet, local);
  }
  unsigned poll(unsigned budget, AmSink& sink) override {
    ForwardingSink forwarding{sink};
    const unsigned taken = used_ ? rings_.poll(budget, forwarding) : 0;
    return taken + (network_ends_ ? 0 : network_->poll(budget, sink));
  }
  bool pending() const noexcept override { return (used_ && rings_.pending()) || network_->pending(); }
  int wait_fd() override { return network_->wait_fd(); }
  bool arm() override { return !(used_ && rings_.pending()) && network_->arm(); }

  Status put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
             Pending* local) override {
    if (alone_) return Status::kNotSupported;
    return network_->put(to, raddr, src, bytes, remote, local);
  }
  Status get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) override {
    if (alone_) return Status::kNotSupported;
    return network_->get(from, dst, raddr, bytes, done);
  }
  Status amo64(Rank at, std::uint64_t raddr, AtomOp op, std::uint64_t a, std::uint64_t b, std::uint64_t* old,
               Pending& done) override {
    if (alone_) return Status::kNotSupported;
    return network_->amo64(at, raddr, op, a, b, old, done);
  }
  void begin_batch(Rank peer) override {
    if (!alone_) network_->begin_batch(peer);
  }
  void end_batch(Rank peer) override {
    if (!alone_) network_->end_batch(peer);
  }

 private:
  void adopt_caps() {
    caps_ = network_->caps();
    caps_.max_medium = std::min(caps_.max_medium, kMaxPayload);
  }

  const std::unique_ptr<Conduit> network_;
  MemoryFile::Area area_{};
  Rings rings_;
  bool used_ = false;          // there are neighbours
  bool alone_ = false;         // and no other processes, so the network has nothing to do
  bool network_ends_ = false;  // the network has been detached
};

Status NeighbourRings::attach(const AttachInfo& info) {
  const Topology& t = info.topology;
  const Status status = network_->attach(info);
  adopt_caps();
  if (status != Status::kOk || !used_) return status;
  rings_.attach(info.memory_file.at<char>(area_), {t.machine_first, t.machine_size},
                {t.window_group_first, t.window_group_size}, t, &info.doorbells.of(t.machine_first_slot()),
                info.multithreaded, name());
  alone_ = t.window_group_size == t.size && !info.everything;
  rings_.set_carry_everything(alone_);
  if (alone_) {  // as conduit smp: what is not mapped is reached by messages
    const Caps network = caps_;
    caps_ = {};
    caps_.max_medium = network.max_medium;
    caps_.checksums = network.checksums;
    caps_.shares_memory_only = true;
  }
  return Status::kOk;
}

// The network waits until all processes have come here, and polls the engine meanwhile. What a process has
// sent by a ring before is in memory then.
Status NeighbourRings::detach() {
  rings_.set_carry_everything(false);
  const Status status = network_->detach();
  network_ends_ = true;
  while (used_ && rings_.pending())
    if (engine_->poll() == 0) ::sched_yield();
  return status;
}

}  // namespace

std::unique_ptr<Conduit> with_rings_to_neighbours(std::unique_ptr<Conduit> conduit) {
  if (conduit->rings() != nullptr) return conduit;
  return std::make_unique<NeighbourRings>(std::move(conduit));
}

}  // namespace upcr
