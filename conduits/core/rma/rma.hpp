// SPDX-License-Identifier: BSD-3-Clause
// Remote memory access for every conduit: by the conduit's own operations, in pieces of at most its limits,
// or by active messages if it has none (rma_over_am.hpp). Addresses are the target process's. The caller has
// tested the address reservation already: these are for memory that is not mapped here (but they work for
// any, this process included).
//
// Single-copy atomicity: an aligned transfer of 1, 2, 4 or 8 bytes is done by one load or store at the
// target. Not from a handler. Any thread.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/memory/access_guard.hpp"
#include "conduits/core/memory/copy.hpp"
#include "conduits/core/model/completion.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/transport/conduit.hpp"

namespace upcr {

class Rma {
 public:
  Rma() = default;
  Rma(const Rma&) = delete;
  Rma& operator=(const Rma&) = delete;

  // At attach, before the first message: registers the handlers. `guard`: which memory peers may name. What
  // is given outlives this object; `rank` is this process.
  void attach(Conduit& conduit, AmEngine& engine, ProgressEngine& progress, Rank rank,
              const AccessGuard& guard);

  // Starts a put. Counts in `remote` until the data is visible to every thread. With `local` null the source
  // may be reused on return; else when `local` is done (bulk puts: no copy).
  void put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote, Pending* local);
  // The same without waiting, for the first bytes of a source of `*bytes`, to another process: as many as the
  // conduit's own put takes in one, or a message where it has none; `*bytes` is then how many. kNoResource
  // means that nothing happened, because there is no room on the way to that process now. The source may be
  // reused when `remote` is done.
  Status try_put(Rank to, std::uint64_t raddr, const void* src, std::size_t* bytes, Pending& remote);
  void get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done);
  // Starts a fill with one byte, done by the owner's CPU whatever the conduit: one short message a piece.
  void fill(Rank to, std::uint64_t raddr, unsigned char byte, std::size_t bytes, Pending& done);

 private:
  Conduit* conduit_ = nullptr;
  AmEngine* engine_ = nullptr;
  ProgressEngine* progress_ = nullptr;
  Rank rank_ = 0;
  AccessGuard guard_;
};

}  // namespace upcr
