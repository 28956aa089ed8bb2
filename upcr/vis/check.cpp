// SPDX-License-Identifier: BSD-3-Clause
// Debug builds: every rule of include/upcr/vis.h is checked before data is copied; the message names the
// function, the entry and the numbers.
#include "upcr/vis/vis.hpp"

#if UPCR_DEBUG

#  include <algorithm>
#  include <cstdio>
#  include <tuple>
#  include <vector>

#  include "conduits/core/base/report/error.hpp"
#  include "upcr/access/check.hpp"

namespace upcr {
namespace {

constexpr std::size_t kMaxPieces = 65536;  // overlap is checked for operations of at most so many pieces

// "bupc_memput_vlist: dstlist[3]", for the checks of single accesses.
struct Where {
  Where(const char* function, const char* list, std::size_t entry) {
    std::snprintf(text, sizeof text, "%s: %s[%zu]", function, list, entry);
  }
  Where(const char* function, const char* argument) {
    std::snprintf(text, sizeof text, "%s: %s", function, argument);
  }
  char text[120];
};

std::size_t total_of(const char* function, const VisList& l, const char* list, const char* counter) {
  if (l.count != 0 && l.list == nullptr)
    fatal("%s: %s is null, but %s is %zu", function, list, counter, l.count);
  std::size_t total = 0;
  for (std::size_t i = 0; i < l.count; ++i)
    if (__builtin_add_overflow(total, l.bytes(i), &total))
      fatal("%s: %s[%zu]: with its %zu bytes the list has more than any memory", function, list, i,
            l.bytes(i));
  return total;
}

void check_entries(const char* function, const VisList& l, const char* list) {
  for (std::size_t i = 0; i < l.count; ++i) {
    if (l.bytes(i) == 0) continue;
    const Where where(function, list, i);
    if (l.shared)
      check_access(where.text, l.pointer(i), 0, l.bytes(i), UPCRI_NB_BULK);
    else
      check_private(where.text, l.address(i), l.bytes(i));
  }
}

// Contiguous memory that a side accesses. Memory that is mapped here is compared by its local address, so
// that a thread's own shared memory is recognised if it is passed as private.
struct Piece {
  bool here;
  Rank rank;
  std::uint64_t first, end;
  std::size_t entry;
  bool destination;
  bool operator<(const Piece& o) const {
    return std::tuple(here, rank, first) < std::tuple(o.here, o.rank, o.first);
  }
};
using Pieces = std::vector<Piece>;

void add_piece(Pieces& pieces, const VisLocation& p, std::size_t bytes, std::size_t entry, bool destination) {
  if (bytes != 0)
    pieces.push_back({p.here, p.here ? 0 : p.rank, p.address, p.address + bytes, entry, destination});
}

// Calls found(destination, other) with two pieces that overlap of which the first is the destination's.
template <typename Found>
void find_overlap(Pieces& pieces, Found&& found) {
  std::sort(pieces.begin(), pieces.end());
  const Piece *last = nullptr, *last_destination = nullptr;  // those with the largest end
  const auto meets = [](const Piece* before, const Piece& p) {
    return before != nullptr && before->here == p.here && before->rank == p.rank && before->end > p.first;
  };
  const auto further = [](const Piece* before, const Piece& p) {
    return before == nullptr || before->here != p.here || before->rank != p.rank || p.end > before->end;
  };
  for (const Piece& p : pieces) {
    if (p.destination && meets(last, p)) return last->destination ? found(*last, p) : found(p, *last);
    if (meets(last_destination, p)) return found(*last_destination, p);
    if (further(last, p)) last = &p;
    if (p.destination && further(last_destination, p)) last_destination = &p;
  }
}

std::size_t magnitude(std::ptrdiff_t stride) {
  return stride < 0 ? -static_cast<std::size_t>(stride) : static_cast<std::size_t>(stride);
}

// The range from the lowest to the highest byte, relative to the pointer.
void check_range(const char* function, const char* side, const VisEnd& end, const VisSection& shape) {
  // Relative to the middle of the address space, because offsets have either sign.
  constexpr std::uint64_t kMiddle = std::uint64_t{1} << 62;
  VisSection s = shape;
  s.base += kMiddle;
  std::uint64_t first, last;
  if (!vis_extent(s, &first, &last) || last - first > kMiddle)
    fatal("%s: %s: the section is larger than any memory", function, side);
  const auto offset = static_cast<std::ptrdiff_t>(first - kMiddle);
  const Where where(function, side);
  if (end.shared) {
    if (offset < 0 && upcr_addrfield_shared(end.pointer) < static_cast<std::uint64_t>(-offset) &&
        !upcr_isnull_shared(end.pointer))
      fatal(
          "%s: the section begins %td bytes before the pointer, which is before the segment of UPC thread %u",
          where.text, -offset, upcr_threadof_shared(end.pointer));
    check_access(where.text, end.pointer, offset, last - first, UPCRI_NB_BULK);
  } else {
    check_private(where.text, end.address, last - first);
  }
}

void add_section(Pieces& pieces, const VisEnd& end, const VisSection& shape, bool destination) {
  VisLocation p = end.locate();
  VisSection s = shape;
  s.base += p.address;
  const VisSide side = VisSide::of(s);
  VisCursor cursor(side);
  for (std::size_t i = 0; cursor.contiguous() != 0; ++i) {
    const VisRegion r = cursor.next_region(cursor.contiguous());
    p.address = r.address;
    add_piece(pieces, p, r.bytes, i, destination);
  }
}

// The number of contiguous pieces of a section.
std::size_t pieces_of(VisSection s) {
  vis_fold(s);
  std::size_t n = 1;
  for (unsigned i = 0; i < s.dims; ++i)
    if (__builtin_mul_overflow(n, s.dim[i].count, &n)) return SIZE_MAX;
  return n;
}

}  // namespace

void vis_check_lengths(const char* function, std::size_t dstcount, std::size_t dstlen, std::size_t srccount,
                       std::size_t srclen) {
  if (dstcount != 0 && dstlen == 0)
    fatal("%s: the destination's length is 0 (%zu entries)", function, dstcount);
  if (srccount != 0 && srclen == 0) fatal("%s: the source's length is 0 (%zu entries)", function, srccount);
  std::size_t dst, src;
  if (__builtin_mul_overflow(dstcount, dstlen, &dst) || __builtin_mul_overflow(srccount, srclen, &src))
    fatal("%s: %zu * %zu or %zu * %zu bytes are more than any memory", function, dstcount, dstlen, srccount,
          srclen);
  if (dst != src)
    fatal("%s: the totals differ: %zu * %zu = %zu bytes of destination, %zu * %zu = %zu bytes of source",
          function, dstcount, dstlen, dst, srccount, srclen, src);
}

void vis_check_lists(const char* function, const VisList& to, const VisList& from) {
  const std::size_t dst = total_of(function, to, "dstlist", "dstcount");
  const std::size_t src = total_of(function, from, "srclist", "srccount");
  if (dst != src)
    fatal("%s: the totals differ: %zu bytes in %zu entries of dstlist, %zu bytes in %zu entries of srclist",
          function, dst, to.count, src, from.count);
  check_entries(function, to, "dstlist");
  check_entries(function, from, "srclist");
  if (to.count + from.count > kMaxPieces) return;
  Pieces pieces;
  for (std::size_t i = 0; i < to.count; ++i)
    if (to.bytes(i) != 0) add_piece(pieces, to.locate(i), to.bytes(i), i, true);
  for (std::size_t i = 0; i < from.count; ++i)
    if (from.bytes(i) != 0) add_piece(pieces, from.locate(i), from.bytes(i), i, false);
  find_overlap(pieces, [&](const Piece& d, const Piece& o) {
    const char* list = o.destination ? "dstlist" : "srclist";
    fatal("%s: dstlist[%zu] (%zu bytes) overlaps %s[%zu] (%zu bytes)", function, d.entry,
          static_cast<std::size_t>(d.end - d.first), list, o.entry,
          static_cast<std::size_t>(o.end - o.first));
  });
}

void vis_check_array(const char* function, const char* name, const void* array, std::size_t entries) {
  if (array == nullptr && entries != 0)
    fatal("%s: %s is null; it must have %zu entries", function, name, entries);
}

void vis_check_chunks(const char* function, const char* side, std::size_t length, std::size_t stride,
                      std::size_t count) {
  if (stride < length)
    fatal("%s: %schunkstride is %zu, less than %schunklen, which is %zu (%zu chunks)", function, side, stride,
          side, length, count);
}

void vis_check_strides(const char* function, const char* side, const std::size_t* strides,
                       const std::size_t* count, std::size_t levels) {
  std::size_t extent = count[0];
  std::size_t below = levels;  // the dimension whose extent that is; `levels`: count[0] alone
  for (std::size_t i = 0; i < levels; ++i) {
    if (count[i + 1] == 1) continue;  // such a stride is not used, and may have any value
    if (strides[i] < extent && below == levels)
      fatal("%s: %s[%zu] is %zu, less than count[0], which is %zu", function, side, i, strides[i], count[0]);
    if (strides[i] < extent)
      fatal("%s: %s[%zu] is %zu, less than count[%zu] * %s[%zu] = %zu * %zu = %zu", function, side, i,
            strides[i], below + 1, side, below, count[below + 1], strides[below], extent);
    if (__builtin_mul_overflow(strides[i], count[i + 1], &extent))
      fatal("%s: %s[%zu] * count[%zu] = %zu * %zu bytes are more than any memory", function, side, i, i + 1,
            strides[i], count[i + 1]);
    below = i;
  }
}

void vis_check_transpose(const char* function, const std::ptrdiff_t* strides, const std::size_t* count,
                         std::size_t levels) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i <= levels; ++i)
    if (count[i] != 1) order.push_back(i);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return magnitude(strides[a]) < magnitude(strides[b]); });
  std::size_t extent = 1;
  for (const std::size_t i : order) {
    if (magnitude(strides[i]) < extent)
      fatal(
          "%s: dststrides[%zu] is %td, less than the %zu bytes of the dimensions of smaller stride: bytes of "
          "the destination would overlap",
          function, i, strides[i], extent);
    if (__builtin_mul_overflow(magnitude(strides[i]), count[i], &extent))
      fatal("%s: dststrides[%zu] * count[%zu] = %td * %zu bytes are more than any memory", function, i, i,
            strides[i], count[i]);
  }
}

void vis_check_sections(const char* function, const VisEnd& to, const VisSection& to_shape,
                        const VisEnd& from, const VisSection& from_shape) {
  check_range(function, "dstaddr", to, to_shape);
  check_range(function, "srcaddr", from, from_shape);
  const std::size_t dst = pieces_of(to_shape), src = pieces_of(from_shape);
  if (dst > kMaxPieces || src > kMaxPieces - dst) return;
  Pieces pieces;
  add_section(pieces, to, to_shape, true);
  add_section(pieces, from, from_shape, false);
  find_overlap(pieces, [&](const Piece& d, const Piece& o) {
    fatal("%s: piece %zu of the destination (%zu bytes) overlaps piece %zu of the %s (%zu bytes)", function,
          d.entry, static_cast<std::size_t>(d.end - d.first), o.entry,
          o.destination ? "destination" : "source", static_cast<std::size_t>(o.end - o.first));
  });
}

}  // namespace upcr

#endif
