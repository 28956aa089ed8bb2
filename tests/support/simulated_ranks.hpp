// SPDX-License-Identifier: BSD-3-Clause
// Several simulated ranks in one process: a conduit and an engine each, over a MemoryNet.
#pragma once
#include <memory>
#include <vector>

#include "conduits/core/am/engine.hpp"
#include "tests/support/memory_conduit.hpp"

namespace upcr::test {

class SimulatedRanks {
 public:
  explicit SimulatedRanks(Rank size, const MemoryNet::Options& options = {}, AmEngine::Config config = {})
      : net_(size, options) {
    config.size = size;
    for (Rank r = 0; r < size; ++r) {
      config.rank = r;
      conduits_.push_back(net_.conduit(r));
      engines_.push_back(std::make_unique<AmEngine>(*conduits_.back(), config));
    }
  }
  MemoryNet& net() { return net_; }
  AmEngine& engine(Rank rank) { return *engines_[rank]; }
  Conduit& conduit(Rank rank) { return *conduits_[rank]; }
  Rank size() const { return net_.size(); }

  unsigned poll_all() {
    unsigned processed = 0;
    for (auto& e : engines_) processed += e->poll();
    return processed;
  }
  // Polls all engines until no packet is in flight.
  void settle() {
    while (poll_all() != 0 || net_.on_wire() != 0) {
    }
  }

 private:
  MemoryNet net_;
  std::vector<std::unique_ptr<Conduit>> conduits_;
  std::vector<std::unique_ptr<AmEngine>> engines_;
};

}  // namespace upcr::test
