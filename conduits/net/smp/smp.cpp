// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/smp/smp.hpp"

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/rings/forwarding_sink.hpp"
#include "conduits/core/transport/rings/rings.hpp"
#include "conduits/core/wait/doorbells.hpp"

namespace upcr {
namespace {

class SmpConduit final : public Conduit {
 public:
  SmpConduit() {
    caps_.max_medium = kMaxPayload;
    caps_.checksums = true;
  }
  const char* name() const noexcept override { return "smp"; }

  void plan(MemoryFile& memory, const Topology& t) override {
    if (t.machine_size != t.size)
      fatal(
          "conduit smp connects the processes of one host, but this job spans several (rank %u sees %u of %u "
          "processes here); start it with another conduit (upcrun --conduit mpi, or ibv)",
          t.rank, t.machine_size, t.size);
    area_ = memory.reserve(Rings::bytes(t.size), 4096);
  }

  Status attach(const AttachInfo& info) override {
    const RankRange all{0, info.topology.size};
    rings_.attach(info.memory_file.at<char>(area_), all, all, info.topology, &info.doorbells.of(0),
                  info.multithreaded, name());
    caps_.shares_memory_only = true;
    return Status::kOk;
  }

  Status am_send(Rank to, const AmPacket& packet) override { return rings_.send(to, packet); }
  unsigned poll(unsigned budget, AmSink& sink) override {
    ForwardingSink forwarding{sink};
    return rings_.poll(budget, forwarding);
  }
  bool pending() const noexcept override { return rings_.pending(); }
  Rings* rings() noexcept override { return &rings_; }

  Status detach() override { return Status::kOk; }  // a store is visible at once

 private:
  MemoryFile::Area area_{};
  Rings rings_;
};

}  // namespace

std::unique_ptr<Conduit> make_smp_conduit() { return std::make_unique<SmpConduit>(); }

}  // namespace upcr
