// SPDX-License-Identifier: BSD-3-Clause
// Copies between a local and a remote side that are not contiguous, on every conduit: the implementation
// of upcr's vlist, ilist and strided calls and of GASNet's v, i, s calls. Both sides are streams of equally
// many bytes (shape.hpp) and may differ in shape.
//
// Any thread but not from a handler. The caller may reuse its lists and shapes on return, and destroys
// nothing while the Pendings count. Destination pieces must not overlap each other or the source.
#pragma once
#include <memory>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/completion.hpp"
#include "conduits/core/rma/rma.hpp"
#include "conduits/core/transport/transfer_batch.hpp"
#include "conduits/core/vis/cursor.hpp"
#include "conduits/core/vis/vis_over_am.hpp"

namespace upcr {

// Non-contiguous access of a process to memory of others; one for each job that it is in.
class Vis {
 public:
  Vis() = default;
  Vis(const Vis&) = delete;
  Vis& operator=(const Vis&) = delete;

  // At attach, before the first message. `guard`: which memory peers may name. `everything`: remote access
  // may name any address, segments are not used. The arguments outlive this object.
  void attach(AmEngine& engine, Rma& rma, Conduit& conduit, const Topology& topology,
              const SegmentMap& segments, bool everything, const AccessGuard& guard);

  // Starts a put of `local` to `remote`, whose addresses are rank `to`'s (it works for any rank, this one
  // included; where the memory is mapped here it is done on return). Counts in `remote_done` until the data
  // is visible to every thread. With `local_done` null the source may be reused on return, else when that is
  // done.
  void put(Rank to, const VisSide& remote, const VisSide& local, Pending& remote_done, Pending* local_done);
  // `lists`: whether the caller keeps the lists of `local` until the get is done, so that they need not be
  // copied.
  void get(Rank from, const VisSide& local, const VisSide& remote, Pending& done,
           VisLists lists = VisLists::kReused);
  // The same for the next `bytes` bytes, for callers that proceed in steps; advances the cursors.
  void put(Rank to, VisCursor& remote, VisCursor& local, std::size_t bytes, Pending& remote_done,
           Pending* local_done) {
    const TransferBatch batch(*conduit_, to);
    service_->put(to, remote, local, bytes, remote_done, local_done);
  }
  void get(Rank from, const VisSide& local, VisCursor& remote, std::size_t bytes, Pending& done,
           VisLists lists = VisLists::kReused) {
    const TransferBatch batch(*conduit_, from);
    service_->get(from, local, remote, bytes, done, lists);
  }

  // The number to be added to an address of rank `rank` for its address here; false when its memory is not
  // mapped here, or not all at one distance.
  bool mapped(Rank rank, std::uint64_t* delta) const noexcept;

 private:
  std::unique_ptr<VisService> service_;
  Conduit* conduit_ = nullptr;
  const Topology* topology_ = nullptr;
  const SegmentMap* segments_ = nullptr;
  bool everything_ = false;
};

// Gives two sections the same shape if possible, in the order that suits `remote` best and with few
// dimensions, so that they are sent in few pieces. Others remain unchanged. Puts and gets of whole sides call
// it themselves.
void vis_align(VisSide& remote, VisSide& local) noexcept;

// Both sides in this process.
UPCR_MODULE_API void vis_copy(const VisSide& to, const VisSide& from) noexcept;

}  // namespace upcr
