// SPDX-License-Identifier: BSD-3-Clause
// The functions of include/upcr/vis.h: they check their arguments, turn them into lists or sections, and
// start the copy. UPC threads; not in a handler.
#include "upcr/vis/vis.hpp"

#include "upcr/access/data.hpp"
#include "upcr/access/nb.hpp"
#include "upcr/observe/span.hpp"

namespace upcr {
namespace {

// Runs start(pending), waits for it in the blocking form.
template <typename Start>
upcr_handle_t perform(const char* function, unsigned how, const observe::Access& access, Start&& start) {
  const observe::Span span(observe::Kind::kVis, access);
  if ((how & UPCRI_VIS_ASYNC) == 0) {
    Pending done;
    start(done);
    const auto remote = static_cast<std::int64_t>(done.done() ? 0 : access.bytes);
    if (remote != 0) observe::in_flight(remote);
    wait_for(done, "a non-contiguous copy");
    if (remote != 0) observe::in_flight(-remote);
    return UPCR_INVALID_HANDLE;
  }
  const bool get = (how & UPCRI_VIS_CPY) == UPCRI_VIS_GET;
  Operation op(ctx(function), function, UPCRI_NB_BULK | (get ? UPCRI_NB_GET : 0u), access.bytes);
  start(op.pending());
  return op.finish();
}

// The owner of the memory that a copy accesses: that of the first entry of a list, since in the usual program
// all entries have one owner.
Slot first_owner(const VisList& list) {
  return list.shared && list.count != 0 ? decode(list.pointer(0)).thread : observe::kNobody;
}
std::size_t bytes_of(const VisList& list) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < list.count; ++i) bytes += list.bytes(i);
  return bytes;
}
observe::Access access_of(const VisList& to, const VisList& from) {
  if (!observe::observing) return {};
  return {bytes_of(to), first_owner(from), first_owner(to)};
}
observe::Access access_of(const VisEnd& d, const VisSection& to, const VisEnd& s) {
  const auto owner = [](const VisEnd& end) {
    return end.shared ? decode(end.pointer).thread : observe::kNobody;
  };
  return {to.bytes(), owner(s), owner(d)};
}

upcr_handle_t copy_lists(const char* function, unsigned how, const VisList& to, const VisList& from) {
  const VisLists lists = (how & UPCRI_VIS_ASYNC) == 0 ? VisLists::kKept : VisLists::kReused;
  return perform(function, how, access_of(to, from),
                 [&](Pending& done) { vis_copy_lists(to, from, done, lists); });
}

VisEnd end_of(const upcri_vis_side_t& side, bool shared) { return {shared, side.shared, side.local}; }

upcr_handle_t copy_sections(const char* function, unsigned how, const upcri_vis_side_t& dst,
                            const VisSection& to, const upcri_vis_side_t& src, const VisSection& from) {
  const VisEnd d = end_of(dst, (how & UPCRI_VIS_SHARED_DST) != 0);
  const VisEnd s = end_of(src, (how & UPCRI_VIS_SHARED_SRC) != 0);
#if UPCR_DEBUG
  vis_check_sections(function, d, to, s, from);
#endif
  return perform(function, how, access_of(d, to, s),
                 [&](Pending& done) { vis_copy_sections(d, to, s, from, done); });
}

upcr_handle_t nothing_to_do(const char* function, unsigned how) {
  return perform(function, how, {}, [](Pending&) {});
}

bool any_zero(const std::size_t* count, std::size_t n) {
  return std::any_of(count, count + n, [](std::size_t c) { return c == 0; });
}

}  // namespace

extern "C" {

UPCRI_API upcr_handle_t upcri_vis_vlist(const char* function, unsigned how, size_t dstcount,
                                        const void* dstlist, size_t srccount, const void* srclist) {
  if (dstcount == 0 && srccount == 0) return nothing_to_do(function, how);
  const VisList to{(how & UPCRI_VIS_SHARED_DST) != 0, dstlist, dstcount, 0};
  const VisList from{(how & UPCRI_VIS_SHARED_SRC) != 0, srclist, srccount, 0};
#if UPCR_DEBUG
  vis_check_lists(function, to, from);
#endif
  return copy_lists(function, how, to, from);
}

UPCRI_API upcr_handle_t upcri_vis_ilist(const char* function, unsigned how, size_t dstcount,
                                        const void* dstlist, size_t dstlen, size_t srccount,
                                        const void* srclist, size_t srclen) {
  if (dstcount == 0 && srccount == 0) return nothing_to_do(function, how);
#if UPCR_DEBUG
  vis_check_lengths(function, dstcount, dstlen, srccount, srclen);
#endif
  if (dstlen == 0 || srclen == 0) return nothing_to_do(function, how);
  const VisList to{(how & UPCRI_VIS_SHARED_DST) != 0, dstlist, dstcount, dstlen};
  const VisList from{(how & UPCRI_VIS_SHARED_SRC) != 0, srclist, srccount, srclen};
#if UPCR_DEBUG
  vis_check_lists(function, to, from);
#endif
  return copy_lists(function, how, to, from);
}

UPCRI_API upcr_handle_t upcri_vis_fstrided(const char* function, unsigned how, upcri_vis_side_t dst,
                                           size_t dstchunklen, size_t dstchunkstride, size_t dstchunkcount,
                                           upcri_vis_side_t src, size_t srcchunklen, size_t srcchunkstride,
                                           size_t srcchunkcount) {
  const bool empty = dstchunklen == 0 || dstchunkcount == 0;
  if (empty && (srcchunklen == 0 || srcchunkcount == 0)) return nothing_to_do(function, how);
#if UPCR_DEBUG
  vis_check_lengths(function, dstchunkcount, dstchunklen, srcchunkcount, srcchunklen);
  vis_check_chunks(function, "dst", dstchunklen, dstchunkstride, dstchunkcount);
  vis_check_chunks(function, "src", srcchunklen, srcchunkstride, srcchunkcount);
#endif
  VisSection to(0, dstchunklen), from(0, srcchunklen);
  to.add(dstchunkcount, static_cast<std::ptrdiff_t>(dstchunkstride));
  from.add(srcchunkcount, static_cast<std::ptrdiff_t>(srcchunkstride));
  return copy_sections(function, how, dst, to, src, from);
}

UPCRI_API upcr_handle_t upcri_vis_strided(const char* function, unsigned how, upcri_vis_side_t dst,
                                          const size_t* dststrides, upcri_vis_side_t src,
                                          const size_t* srcstrides, const size_t* count,
                                          size_t stridelevels) {
#if UPCR_DEBUG
  vis_check_array(function, "count", count, stridelevels + 1);
#endif
  if (any_zero(count, stridelevels + 1)) return nothing_to_do(function, how);
#if UPCR_DEBUG
  vis_check_array(function, "dststrides", dststrides, stridelevels);
  vis_check_array(function, "srcstrides", srcstrides, stridelevels);
  vis_check_strides(function, "dststrides", dststrides, count, stridelevels);
  vis_check_strides(function, "srcstrides", srcstrides, count, stridelevels);
#endif
  VisSection to(0, count[0]), from(0, count[0]);
  for (size_t i = 0; i < stridelevels; ++i) {
    if (count[i + 1] == 1) continue;
    to.add(count[i + 1], static_cast<std::ptrdiff_t>(dststrides[i]));
    from.add(count[i + 1], static_cast<std::ptrdiff_t>(srcstrides[i]));
  }
  return copy_sections(function, how, dst, to, src, from);
}

UPCRI_API upcr_handle_t upcri_vis_transpose(const char* function, unsigned how, upcri_vis_side_t dst,
                                            const ptrdiff_t* dststrides, upcri_vis_side_t src,
                                            const ptrdiff_t* srcstrides, const size_t* count,
                                            size_t stridelevels) {
#if UPCR_DEBUG
  vis_check_array(function, "count", count, stridelevels + 1);
#endif
  if (any_zero(count, stridelevels + 1)) return nothing_to_do(function, how);
#if UPCR_DEBUG
  vis_check_array(function, "dststrides", dststrides, stridelevels + 1);
  vis_check_array(function, "srcstrides", srcstrides, stridelevels + 1);
  vis_check_transpose(function, dststrides, count, stridelevels);
#endif
  VisSection to(0, 1), from(0, 1);
  for (size_t i = 0; i <= stridelevels; ++i) {
    if (count[i] == 1) continue;
    to.add(count[i], dststrides[i]);
    from.add(count[i], srcstrides[i]);
  }
  return copy_sections(function, how, dst, to, src, from);
}

}  // extern "C"

}  // namespace upcr
