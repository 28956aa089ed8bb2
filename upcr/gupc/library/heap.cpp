// SPDX-License-Identifier: BSD-3-Clause
// upcr_heap_* (include/upcr/gmem_heap.h): allocation in the steps of the design, over upcr/heap. The heap's
// owner allocates from its free memory; the caller grows the heap, so exhaustion is reported here and not in
// upcr/heap. UPC threads; not from a handler.
#include "include/upcr/gmem_heap.h"

#include <cstdlib>

#include "conduits/core/base/report/error.hpp"
#include "upcr/heap/call.hpp"
#include "upcr/heap/global_heap.hpp"
#include "upcr/heap/heap.hpp"
#include "upcr/heap/heap_names.hpp"
#include "upcr/heap/water_mark.hpp"
#include "upcr/pointer/sptr_text.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

upcr_heap_p upcr_global_heap;
upcr_heap_p* upcr_local_heap;

namespace upcr {
namespace {

// The step by which a heap grows into the gap between the heaps.
constexpr std::uint64_t kChunk = 4 << 20;

static_assert(sizeof(upcr_heap_t) <= sizeof(RuntimeArea::heaps[0]));

upcr_heap_p heap_name(Slot thread, bool global) {
  return encode(area_address(thread, offsetof(RuntimeArea, heaps) + global * sizeof(RuntimeArea::heaps[0])));
}

struct Growth {
  std::uint64_t need = 0, plenty = 0;  // need 0: no heap is so large
  explicit Growth(std::size_t bytes) {
    if (bytes > heap_layout.end) return;
    need = round_up(bytes == 0 ? 1 : bytes, kHeapPage);
    plenty = round_up(need, kChunk);
  }
};

void check_heap(const ThreadCtx& c, upcr_heap_p heap, bool is_global) {
  const upcr_heap_p right = is_global ? upcr_global_heap : upcr_local_heap[c.thread];
  if (upcr_isequal_shared_shared(heap, right)) return;
  fatal("upcr_heap_alloc: %s is not %s", PointerText(heap).c_str(),
        is_global ? "upcr_global_heap, but is_global is true"
                  : "the calling thread's upcr_local_heap, but is_global is false");
}

AllocateReply allocate_without_growth(const ThreadCtx& c, bool is_global, std::size_t bytes) {
  if (is_global) return heap_call(c.thread, AllocateGlobal{bytes, BlockUse::kData, HeapGrowth::kForbidden});
  return heap_call(c.thread, AllocateLocal{c.thread, BlockUse::kData, bytes, HeapGrowth::kForbidden, 0});
}

}  // namespace

void name_heaps() {
  const Slot threads = job().topology.slots();
  upcr_global_heap = heap_name(0, true);
  upcr_local_heap = static_cast<upcr_heap_p*>(std::calloc(threads, sizeof *upcr_local_heap));
  if (upcr_local_heap == nullptr) fatal("no memory for the names of %u heaps", threads);
  for (Slot t = 0; t < threads; ++t) upcr_local_heap[t] = heap_name(t, false);
}

extern "C" {

UPCRI_API upcr_shared_ptr_t upcr_heap_alloc(upcr_heap_p heap, bool is_global,
                                            upcr_shared_ptr_t (*extend)(size_t), size_t alloc_size) {
  ThreadCtx& c = heap_caller("upcr_heap_alloc");
  check_heap(c, heap, is_global);
  if (alloc_size == 0) return upcr_null_shared;
  for (;;) {
    const AllocateReply reply = allocate_without_growth(c, is_global, alloc_size);
    if (reply.status == AllocateStatus::kAllocated) return encode({is_global ? 0 : c.thread, reply.offset});
    if (reply.status == AllocateStatus::kFull || extend == nullptr) return upcr_null_shared;
    if (upcr_isnull_shared(extend(reply.shortage))) return upcr_null_shared;
    // Another thread may have allocated what was added: once more.
  }
}

UPCRI_API void upcr_heap_free(upcr_shared_ptr_t ptr) {
  if (!upcr_isnull_shared(ptr)) heap_free(ptr, BlockUse::kData, "upcr_heap_free");
}

UPCRI_API upcr_shared_ptr_t upcr_heap_global_extend(size_t nbytes) {
  ThreadCtx& c = heap_caller("upcr_heap_global_extend");
  const Growth growth(nbytes);
  const std::uint64_t begin = growth.need != 0 ? global_extend(c.thread, growth.need, growth.plenty) : 0;
  return begin != 0 ? encode({0, begin}) : upcr_null_shared;
}

UPCRI_API upcr_shared_ptr_t upcr_heap_local_extend(size_t nbytes) {
  ThreadCtx& c = heap_caller("upcr_heap_local_extend");
  const Growth growth(nbytes);
  if (growth.need == 0) return upcr_null_shared;
  for (bool last = false;; last = !global_trim(c.thread)) {  // as upcr_alloc() does
    const auto begin = heap_call(c.thread, ExtendLocal{c.thread, 0, growth.need, growth.plenty}).begin;
    if (begin != 0) return encode({c.thread, begin});
    if (last) return upcr_null_shared;
  }
}

UPCRI_API int upcr_heap_node(upcr_shared_ptr_t ptr, upcr_heap_node_t* node) {
  ThreadCtx& c = heap_caller("upcr_heap_node");
  const SharedAddr a = decode(ptr);
  if (a.thread >= job().topology.slots()) return 0;
  const auto found = heap_call(c.thread, FindBlock{a.thread, 0, a.offset});
  if (found.use == BlockUse::kNone) return 0;
  *node = {upcr_null_shared, upcr_null_shared, found.bytes, found.heap == HeapKind::kGlobal ? 1 : 0};
  return 1;
}

}  // extern "C"

}  // namespace upcr
