// SPDX-License-Identifier: BSD-3-Clause
// Ranks whose processes are objects of this one, with non-contiguous access by active messages.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "conduits/core/rma/rma_over_am.hpp"
#include "conduits/core/vis/vis_over_am.hpp"
#include "tests/support/simulated_ranks.hpp"

namespace upcr::test {

inline std::uint64_t address(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

inline constexpr AccessGuard kAnything{};

class VisRanks : public SimulatedRanks {
 public:
  explicit VisRanks(Rank size, const MemoryNet::Options& options = {}, const AccessGuard& guard = {},
                    const VisDirect& direct = {}, bool multithreaded = false, std::size_t pipelined = 0)
      : SimulatedRanks(size, options, {.multithreaded = multithreaded}) {
    for (Rank r = 0; r < size; ++r) {
      register_rma_handlers(engine(r), kAnything);
      VisDirect own = direct;
      own.context = &engine(r);
      services_.push_back(std::make_unique<VisService>(engine(r), guard, own, pipelined));
    }
  }
  VisService& service(Rank r) { return *services_[r]; }
  void put(Rank to, const VisSide& remote, const VisSide& local, Pending& done, Pending* read = nullptr) {
    VisCursor r(remote), l(local);
    service(0).put(to, r, l, local.bytes(), done, read);
  }
  void get(Rank from, const VisSide& local, const VisSide& remote, Pending& done) {
    VisCursor r(remote);
    service(0).get(from, local, r, local.bytes(), done);
  }

 private:
  std::vector<std::unique_ptr<VisService>> services_;
};

}  // namespace upcr::test
