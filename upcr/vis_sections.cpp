// SPDX-License-Identifier: BSD-3-Clause
// Copies of sections between UPC threads. Each section lies in one thread's memory.
#include <algorithm>
#include <memory>

#include "upcr/bulk.hpp"
#include "upcr/data.hpp"
#include "upcr/vis.hpp"

namespace upcr {
namespace {

// Neither side is mapped here: in pieces through this process, one on its way out while the next comes in.
void copy_through_here(Rank to_rank, VisSide to, Rank from_rank, VisSide from) {
  vis_align(from, to);
  VisCursor source(from), dest(to);
  char* const buffer = vis_bounce_buffers();
  Pending out[2];
  std::size_t left = to.bytes();
  for (unsigned turn = 0; left != 0; turn ^= 1) {
    const std::size_t piece = std::min(kVisBounceBytes, left);
    char* const half = buffer + turn * kVisBounceBytes;
    const VisSide here = VisSide::contiguous(half, piece);
    wait_for(out[turn], "a non-contiguous copy between two UPC threads");
    Pending in;
    vis_get(from_rank, here, source, piece, in);
    wait_for(in, "a non-contiguous copy between two UPC threads");
    VisCursor packed(here);
    vis_put(to_rank, dest, packed, piece, out[turn], &out[turn]);
    left -= piece;
  }
  for (const Pending& p : out) wait_for(p, "a non-contiguous copy between two UPC threads");
}

}  // namespace

char* vis_bounce_buffers() {
  thread_local std::unique_ptr<char[]> buffers;
  if (!buffers) buffers = std::make_unique_for_overwrite<char[]>(2 * kVisBounceBytes);
  return buffers.get();
}

void vis_copy_sections(const VisEnd& to, VisSection to_shape, const VisEnd& from, VisSection from_shape,
                       Pending& done) {
  const VisPlace t = to.place(), f = from.place();
  to_shape.base += t.address;
  from_shape.base += f.address;
  const VisSide dst = VisSide::of(to_shape), src = VisSide::of(from_shape);
  if (t.here && f.here)
    vis_copy(dst, src);
  else if (f.here)
    vis_put(t.rank, dst, src, done, &done);
  else if (t.here)
    vis_get(f.rank, dst, src, done);
  else if (dst.section.dims == 0 && src.section.dims == 0)  // without passing through here
    copy_bytes_nb(decode(to.pointer), decode(from.pointer), dst.bytes(), done);
  else
    copy_through_here(t.rank, dst, f.rank, src);
}

}  // namespace upcr
