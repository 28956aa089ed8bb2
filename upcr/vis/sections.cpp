// SPDX-License-Identifier: BSD-3-Clause
// Copies of sections between UPC threads. Each section is in the memory of one thread.
#include <algorithm>
#include <memory>

#include "conduits/core/vis/kernels.hpp"
#include "upcr/access/bulk.hpp"
#include "upcr/access/data.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/vis/vis.hpp"

namespace upcr {
namespace {

// Neither side is mapped here: the data passes through this process in pieces, with double buffering: a piece
// is written while the next one is read.
void copy_by_bounce_buffer(Rank to_rank, VisSide to, Rank from_rank, VisSide from) {
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
    job().vis.get(from_rank, here, source, piece, in);
    wait_for(in, "a non-contiguous copy between two UPC threads");
    VisCursor packed(here);
    job().vis.put(to_rank, dest, packed, piece, out[turn], &out[turn]);
    left -= piece;
  }
  for (const Pending& p : out) wait_for(p, "a non-contiguous copy between two UPC threads");
}

// A fast path for the common case: rows with a stride on one side or both.
bool copy_rows(std::uint64_t to, const VisSection& to_shape, std::uint64_t from,
               const VisSection& from_shape) noexcept {
  if (to_shape.dims != 1 || from_shape.dims != 1 || to_shape.elem != from_shape.elem) return false;
  const auto &t = to_shape.dim[0], &f = from_shape.dim[0];
  const auto elem = static_cast<std::ptrdiff_t>(to_shape.elem);
  if (t.count != f.count || (t.stride == elem && f.stride == elem)) return false;
  VisPair rows;
  rows.to = to + to_shape.base;
  rows.from = from + from_shape.base;
  rows.elem = to_shape.elem;
  rows.dims = 1;
  rows.dim[0] = {t.count, t.stride, f.stride};
  vis_copy_pair(rows);
  return true;
}

// Copies sections at their locations, perhaps in two other processes.
void copy_shapes(const VisEnd& to, const VisLocation& t, VisSection to_shape, const VisEnd& from,
                 const VisLocation& f, VisSection from_shape, Pending& done) {
  to_shape.base += t.address;
  from_shape.base += f.address;
  const VisSide dst = VisSide::of(to_shape), src = VisSide::of(from_shape);
  if (t.here && f.here)
    vis_copy(dst, src);
  else if (f.here)
    job().vis.put(t.rank, dst, src, done, &done);
  else if (t.here)
    job().vis.get(f.rank, dst, src, done);
  else if (dst.section.dims == 0 && src.section.dims == 0)  // directly between the two processes
    copy_bytes_nb(decode(to.pointer), decode(from.pointer), dst.bytes(), done);
  else
    copy_by_bounce_buffer(t.rank, dst, f.rank, src);
}

}  // namespace

char* vis_bounce_buffers() {
  thread_local std::unique_ptr<char[]> buffers;
  if (!buffers) buffers = std::make_unique_for_overwrite<char[]>(2 * kVisBounceBytes);
  return buffers.get();
}

void vis_copy_sections(const VisEnd& to, const VisSection& to_shape, const VisEnd& from,
                       const VisSection& from_shape, Pending& done) {
  const VisLocation t = to.locate(), f = from.locate();
  if (t.here && f.here && copy_rows(t.address, to_shape, f.address, from_shape)) return;
  copy_shapes(to, t, to_shape, from, f, from_shape, done);
}

}  // namespace upcr
