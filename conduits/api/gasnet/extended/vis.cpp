// SPDX-License-Identifier: BSD-3-Clause
// gasnet_vis.h: from the calls' arguments to the shapes of core/vis, which moves the bytes; checks and
// completion. Client threads; not in a handler.
#include "conduits/core/vis/vis.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/operation.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/vis/kernels.hpp"
#include "include/gasnet_vis.h"

namespace upcr::gasnet {
namespace {

static_assert(sizeof(gasnet_memvec_t) == sizeof(VisRegion) &&
              offsetof(gasnet_memvec_t, len) == offsetof(VisRegion, bytes));
static_assert(sizeof(void*) == sizeof(std::uint64_t));

enum class Form { kBlocking, kExplicit, kImplicit };

// One call: its name, the node, the direction, and the form of completion.
struct Call {
  const char* name;
  gasnet_node_t node;
  bool put;
  Form form;
};

VisSide indexed_side(void* const* list, std::size_t count, std::size_t bytes) {
  return VisSide::indexed(reinterpret_cast<const std::uint64_t*>(list), count, bytes);
}

// The shape of one side of a strided call; not for empty ones.
struct Strides {
  const std::size_t* count;
  std::size_t levels;
};
VisSide strided_side(const void* base, const std::size_t* strides, Strides shape) {
  VisSection section(reinterpret_cast<std::uint64_t>(base), shape.count[0]);
  for (std::size_t i = 1; i <= shape.levels; ++i)
    if (shape.count[i] != 1) section.add(shape.count[i], static_cast<std::ptrdiff_t>(strides[i - 1]));
  return VisSide::of(section);
}
bool empty(Strides shape) {
  return std::any_of(shape.count, shape.count + shape.levels + 1, [](std::size_t c) { return c == 0; });
}

Event event_of(const Call& call) noexcept { return call.put ? Event::kPutVis : Event::kGetVis; }
std::size_t bytes_of(Strides shape) {
  return std::accumulate(shape.count, shape.count + shape.levels + 1, std::size_t{1}, std::multiplies<>());
}

void start(const Call& call, const VisSide& remote, const VisSide& local, Pending& done) {
  if (call.put)
    job().vis.put(call.node, remote, local, done, &done);  // bulk: the source is unchanged until completion
  else
    job().vis.get(call.node, local, remote, done,
                  call.form == Form::kBlocking ? VisLists::kKept : VisLists::kReused);
}

// Starts the copy and, in the blocking form, waits for it.
gasnet_handle_t perform(const Call& call, const VisSide& remote, const VisSide& local) {
  if (call.form == Form::kBlocking) {
    Pending done;
    start(call, remote, local, done);
    job().progress.wait_until(my_slot(), {"a non-contiguous copy, node", call.node},
                              [&] { return done.done(); });
    return nullptr;
  }
  Operation op(call.name, call.form == Form::kImplicit ? GASNETI_NB_IMPLICIT : 0,
               call.put ? GASNETI_PUTS : GASNETI_GETS);
  if (remote.bytes() != 0) start(call, remote, local, op.pending());
  return op.finish();
}

#if UPCR_DEBUG
void check_equal(const Call& call, std::size_t dst, std::size_t src) {
  if (dst != src)
    fatal("%s: the destination has %zu bytes, the source %zu; both sides must have equally many", call.name,
          dst, src);
}

void check_strides(const Call& call, const char* side, const std::size_t* strides, Strides shape) {
  std::size_t least = shape.count[0];
  for (std::size_t i = 0; i < shape.levels; ++i) {
    if (strides[i] < least)
      fatal("%s: %s[%zu] is %zu, less than the %zu bytes that it must step over", call.name, side, i,
            strides[i], least);
    if (__builtin_mul_overflow(strides[i], shape.count[i + 1], &least))
      fatal("%s: %s[%zu] of %zu times count[%zu] of %zu is more than memory", call.name, side, i, strides[i],
            i + 1, shape.count[i + 1]);
  }
}

std::size_t extent(const std::size_t* strides, Strides shape) {
  std::size_t bytes = shape.count[0];
  for (std::size_t i = 0; i < shape.levels; ++i) bytes += (shape.count[i + 1] - 1) * strides[i];
  return bytes;
}
#endif

// True when a copy that is complete needs no handle: the debug library gives one to every explicit call.
bool ends_at_once([[maybe_unused]] const Call& call) {
#if UPCR_DEBUG
  return call.form == Form::kBlocking;
#else
  return true;
#endif
}

// One side's list.
struct Vector {
  const gasnet_memvec_t* list;
  std::size_t count;

  const VisRegion* regions() const { return reinterpret_cast<const VisRegion*>(list); }
  VisSide side() const { return VisSide::vector(regions(), count); }
};

[[gnu::noinline]] gasnet_handle_t perform_vectors(const Call& call, Vector dst, Vector src) {
  const Traced traced(event_of(call), call.node, observing ? dst.side().bytes() : 0, call.name);
  return call.put ? perform(call, dst.side(), src.side()) : perform(call, src.side(), dst.side());
}

#if UPCR_DEBUG
void check_vectors(const Call& call, Vector dst, Vector src) {
  check_call(call.name);
  check_equal(call, dst.side().bytes(), src.side().bytes());
  const Vector remote = call.put ? dst : src;
  for (std::size_t i = 0; i < remote.count; ++i)
    check_remote(call.name, call.node, remote.list[i].addr, remote.list[i].len);
}
#endif

// Inlined in its callers, of which each knows the fields of `call`: a list of a few regions takes some tens
// of nanoseconds.
[[gnu::always_inline]] inline gasnet_handle_t vectors(const Call& call, Vector dst, Vector src) {
#if UPCR_DEBUG
  check_vectors(call, dst, src);
#endif
  // The peers of inlined accesses: while operations are traced, none of them is shared.
  if (const gasneti_peer_t& peer = gasneti_state.peers[call.node]; peer.shared && ends_at_once(call)) {
    const auto shift = static_cast<std::uint64_t>(peer.shift);
    vis_copy_regions(dst.regions(), dst.count, call.put ? shift : 0, src.regions(), src.count,
                     call.put ? 0 : shift);
    return nullptr;
  }
  return perform_vectors(call, dst, src);
}

gasnet_handle_t indices(const Call& call, std::size_t dstcount, void* const* dst, std::size_t dstlen,
                        std::size_t srccount, void* const* src, std::size_t srclen) {
#if UPCR_DEBUG
  check_call(call.name);
  if ((dstcount != 0 && dstlen == 0) || (srccount != 0 && srclen == 0))
    fatal("%s: pieces of 0 bytes (dstlen %zu, srclen %zu)", call.name, dstlen, srclen);
  check_equal(call, dstcount * dstlen, srccount * srclen);
  void* const* remote = call.put ? dst : src;
  for (std::size_t i = 0; i < (call.put ? dstcount : srccount); ++i)
    check_remote(call.name, call.node, remote[i], call.put ? dstlen : srclen);
#endif
  const Traced traced(event_of(call), call.node, dstcount * dstlen, call.name);
  const VisSide to = indexed_side(dst, dstcount, dstlen), from = indexed_side(src, srccount, srclen);
  return call.put ? perform(call, to, from) : perform(call, from, to);
}

gasnet_handle_t strided(const Call& call, void* dst, const std::size_t* dststrides, void* src,
                        const std::size_t* srcstrides, Strides shape) {
#if UPCR_DEBUG
  check_call(call.name);
#endif
  if (empty(shape)) return perform(call, VisSide::contiguous(nullptr, 0), VisSide::contiguous(nullptr, 0));
#if UPCR_DEBUG
  check_strides(call, "dststrides", dststrides, shape);
  check_strides(call, "srcstrides", srcstrides, shape);
  check_remote(call.name, call.node, call.put ? dst : src, extent(call.put ? dststrides : srcstrides, shape));
#endif
  const Traced traced(event_of(call), call.node, observing ? bytes_of(shape) : 0, call.name);
  const VisSide to = strided_side(dst, dststrides, shape), from = strided_side(src, srcstrides, shape);
  return call.put ? perform(call, to, from) : perform(call, from, to);
}

}  // namespace

// The three forms of the six calls: R is their return type, GIVE converts a handle to it.
#define UPCR_GASNET_VIS(R, SUFFIX, FORM, GIVE)                                                               \
  GASNETI_API R gasnet_putv_##SUFFIX(gasnet_node_t node, size_t dstcount, gasnet_memvec_t const dst[],       \
                                     size_t srccount, gasnet_memvec_t const src[]) {                         \
    GIVE vectors({"gasnet_putv_" #SUFFIX, node, true, FORM}, {dst, dstcount}, {src, srccount});              \
  }                                                                                                          \
  GASNETI_API R gasnet_getv_##SUFFIX(size_t dstcount, gasnet_memvec_t const dst[], gasnet_node_t node,       \
                                     size_t srccount, gasnet_memvec_t const src[]) {                         \
    GIVE vectors({"gasnet_getv_" #SUFFIX, node, false, FORM}, {dst, dstcount}, {src, srccount});             \
  }                                                                                                          \
  GASNETI_API R gasnet_puti_##SUFFIX(gasnet_node_t node, size_t dstcount, void* const dst[], size_t dstlen,  \
                                     size_t srccount, void* const src[], size_t srclen) {                    \
    GIVE indices({"gasnet_puti_" #SUFFIX, node, true, FORM}, dstcount, dst, dstlen, srccount, src, srclen);  \
  }                                                                                                          \
  GASNETI_API R gasnet_geti_##SUFFIX(size_t dstcount, void* const dst[], size_t dstlen, gasnet_node_t node,  \
                                     size_t srccount, void* const src[], size_t srclen) {                    \
    GIVE indices({"gasnet_geti_" #SUFFIX, node, false, FORM}, dstcount, dst, dstlen, srccount, src, srclen); \
  }                                                                                                          \
  GASNETI_API R gasnet_puts_##SUFFIX(gasnet_node_t node, void* dst, const size_t dststrides[], void* src,    \
                                     const size_t srcstrides[], const size_t count[], size_t levels) {       \
    GIVE strided({"gasnet_puts_" #SUFFIX, node, true, FORM}, dst, dststrides, src, srcstrides,               \
                 {count, levels});                                                                           \
  }                                                                                                          \
  GASNETI_API R gasnet_gets_##SUFFIX(void* dst, const size_t dststrides[], gasnet_node_t node, void* src,    \
                                     const size_t srcstrides[], const size_t count[], size_t levels) {       \
    GIVE strided({"gasnet_gets_" #SUFFIX, node, false, FORM}, dst, dststrides, src, srcstrides,              \
                 {count, levels});                                                                           \
  }

extern "C" {
UPCR_GASNET_VIS(void, bulk, Form::kBlocking, (void))
UPCR_GASNET_VIS(gasnet_handle_t, nb_bulk, Form::kExplicit, return )
UPCR_GASNET_VIS(void, nbi_bulk, Form::kImplicit, (void))
}

}  // namespace upcr::gasnet
