// SPDX-License-Identifier: BSD-3-Clause
// Copies between a local and a remote side that are not contiguous, on every conduit: the implementation
// of upcr's vlist, ilist and strided calls and of GASNet's v, i, s calls. Both sides are streams of equally
// many bytes (shape.hpp) and may differ in shape.
//
// Any thread but not from a handler. The caller may reuse its lists and shapes on return, and destroys
// nothing while the Pendings count. Destination pieces must not overlap each other or the source.
#pragma once
#include "conduits/core/base/system/status.hpp"
#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/model/completion.hpp"
#include "conduits/core/vis/cursor.hpp"

namespace upcr {

class AmEngine;

// Starts a put of `local` to `remote`, whose addresses are rank `to`'s (it works for any rank, this one
// included; where the memory is mapped here it is done on return). Counts in `remote_done` until the data is
// visible to every thread. With `local_done` null the source may be reused on return, else when that is done.
UPCR_MODULE_API void vis_put(Rank to, const VisSide& remote, const VisSide& local, Pending& remote_done,
                             Pending* local_done);
UPCR_MODULE_API void vis_get(Rank from, const VisSide& local, const VisSide& remote, Pending& done);
// The same for the next `bytes` bytes, so that a caller can go step by step; the cursors move on.
void vis_put(Rank to, VisCursor& remote, VisCursor& local, std::size_t bytes, Pending& remote_done,
             Pending* local_done);
void vis_get(Rank from, const VisSide& local, VisCursor& remote, std::size_t bytes, Pending& done);

// Two sections that can be cut into the same shape get it, in the order that suits `remote` best and with few
// dimensions, so that they travel in few pieces. Others stay as they are. vis_put and vis_get of whole sides
// do it by themselves.
void vis_align(VisSide& remote, VisSide& local) noexcept;

// Both sides in this process.
UPCR_MODULE_API void vis_copy(const VisSide& to, const VisSide& from) noexcept;
// What to add to an address of rank `rank` to have it here; false when its memory is not mapped here, or not
// all at one distance.
bool vis_mapped(Rank rank, std::uint64_t* delta) noexcept;

// Before the first message, from attach_job().
void vis_attach(AmEngine& engine, bool (*allowed)(void* context, std::uint64_t, std::size_t), void* context);

}  // namespace upcr
