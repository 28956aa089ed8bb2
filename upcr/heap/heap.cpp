// SPDX-License-Identifier: BSD-3-Clause
// The shared heaps: start-up, and the C API of include/upcr/heap.h.
#include "upcr/heap/heap.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>

#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "include/upcr/heap.h"
#include "upcr/barrier/small_broadcast.hpp"
#include "upcr/heap/call.hpp"
#include "upcr/heap/global_heap.hpp"
#include "upcr/heap/heap_names.hpp"
#include "upcr/heap/locks.hpp"
#include "upcr/heap/report.hpp"
#include "upcr/heap/service.hpp"
#include "upcr/heap/water_mark.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/pointer/sptr_text.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_HEAP_PARTITION", ConfigType::kChoice, "shared",
     "a thread's local heap and the global heap share its segment as needed, or are each given half of it",
     "shared|static"},
    {"UPCR_HEAP_STATS", ConfigType::kBool, "no",
     "each thread prints at its end how much of its heap was used"},
};
ConfigTable table("heap", kVars);

// A heap grows by a fraction of the segment: little enough to leave memory to the other heap, enough to make
// growing rare.
constexpr std::uint64_t kMinStep = 16 * kHeapPage, kMaxStep = 4 << 20, kStepFraction = 64;

HeapLayout make_layout(std::uint64_t begin, std::uint64_t end) {
  HeapLayout layout;
  layout.begin = begin;
  layout.end = end;
  layout.local_limit = end;
  layout.global_limit = begin;
  if (std::strcmp(config_string("UPCR_HEAP_PARTITION"), "static") == 0)
    layout.local_limit = layout.global_limit = round_up((begin + end) / 2, kHeapPage);
  layout.step = round_up(std::clamp((end - begin) / kStepFraction, kMinStep, kMaxStep), kHeapPage);
  return layout;
}

void check_same_layout(ThreadCtx& c, std::uint64_t begin, std::uint64_t end) {
  const SmallValue first = small_broadcast(c, 0, {{begin, end}});
  if (first.words[0] != begin || first.words[1] != end)
    fatal(
        "the shared heap of UPC thread 0 is [%#llx, %#llx) of its segment, that of thread %u [%#llx, %#llx): "
        "they must be the same on all threads",
        static_cast<unsigned long long>(first.words[0]), static_cast<unsigned long long>(first.words[1]),
        c.thread, static_cast<unsigned long long>(begin), static_cast<unsigned long long>(end));
}

std::size_t checked_product(std::size_t a, std::size_t b, const char* function) {
  std::size_t product;
  if (__builtin_mul_overflow(a, b, &product))
    fatal("%s: %zu blocks of %zu bytes are more than any memory can hold", function, a, b);
  return product;
}

// From the local heap of any thread; null: out of memory.
SharedAddr try_allocate_at(ThreadCtx& c, Slot home, std::uint64_t bytes, BlockUse use) {
  // A full local heap gets what the global heap has free. If that is nothing, one more attempt: another
  // thread may have trimmed the global heap in the meantime, or have reserved memory only to return it.
  for (bool last = false;; last = !global_trim(c.thread)) {
    const auto reply = heap_call(c.thread, AllocateLocal{home, use, bytes, HeapGrowth::kAllowed, 0});
    if (reply.status == AllocateStatus::kAllocated) return {home, reply.offset};
    if (last) return {};
  }
}

SharedAddr allocate_at(ThreadCtx& c, Slot home, std::uint64_t bytes, BlockUse use, const char* function) {
  const SharedAddr at = try_allocate_at(c, home, bytes, use);
  if (at.null()) report_exhausted(c.thread, function, bytes, home, false);
  return at;
}

ReleaseBlock::Reply try_free(upcr_shared_ptr_t pointer, BlockUse use, const char* function) {
  ThreadCtx& c = heap_caller(function);
  const SharedAddr a = decode(pointer);
  if (a.thread >= job().topology.slots())
    fatal("%s: %s: there is no UPC thread %u", function, PointerText(pointer).c_str(), a.thread);
  return heap_call(c.thread, ReleaseBlock{a.thread, use, a.offset});
}

void warn_of_lock([[maybe_unused]] upcr_shared_ptr_t pointer, [[maybe_unused]] const char* function) {
#if UPCR_DEBUG
  static std::atomic_flag warned;
  if (!warned.test_and_set())
    warn("%s: %s points to a lock; the lock is freed, but upc_lock_free is the function for locks", function,
         PointerText(pointer).c_str());
#endif
}

// Accepts a lock, too: in other implementations a lock is an ordinary object of the heap, and programs free
// it as such. A static object is kept where mistakes are not reported: its memory must not be allocated
// again.
void free_object(upcr_shared_ptr_t pointer, const char* function) {
  const auto reply = try_free(pointer, BlockUse::kData, function);
  if (reply.status == ReleaseBlock::Status::kFreed) return;
  const bool other =
      reply.status == ReleaseBlock::Status::kOtherBlock && reply.found_offset == decode(pointer).offset;
#if !UPCR_DEBUG
  if (other && reply.found_use == BlockUse::kStatic) return;
#endif
  if (!other || reply.found_use != BlockUse::kLock)
    report_bad_free(function, pointer, BlockUse::kData, reply);
  warn_of_lock(pointer, function);
  free_lock(pointer, function);
}

// The calling thread's part of the heaps, where their arenas are mapped.
void count_heap() noexcept {
  const ThreadCtx* const c = ctx_or_null();
  if (c == nullptr) return;
  const auto used = [](Arena* arena) {
    const std::lock_guard guard(arena->lock());
    return arena->used();
  };
  observe::heap_used(used(local_arena(c->thread)), can_serve(0) ? used(global_arena()) : ~std::uint64_t{0});
}

// A call that may change how much is allocated.
class CountedCall {
 public:
  explicit CountedCall(observe::Kind kind, const observe::Access& access = {}) noexcept
      : span_(kind, access) {
    if (__builtin_expect(observe::counting, 0)) count_heap();
  }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;
  ~CountedCall() {
    if (__builtin_expect(observe::counting, 0)) count_heap();
  }

 private:
  const observe::Span span_;
};

#if UPCR_DEBUG
// Of upc_all_alloc(). Collective.
void check_single_valued(ThreadCtx& c, std::size_t nblocks, std::size_t blocksz) {
  const SmallValue first = small_broadcast(c, 0, {{nblocks, blocksz}});
  if (first.words[0] == nblocks && first.words[1] == blocksz) return;
  fatal(
      "upc_all_alloc: the arguments must be the same on all threads, but they are %llu and %llu on UPC thread 0 "
      "and %zu and %zu on UPC thread %u",
      static_cast<unsigned long long>(first.words[0]), static_cast<unsigned long long>(first.words[1]),
      nblocks, blocksz, c.thread);
}
#endif

}  // namespace

void heap_plan(Job& job) { plan_heap_service(job); }
void heap_attach(Job& job) { attach_heap_calls(job); }
void heap_thread_init(ThreadCtx& c) {
  UPCR_ASSERT(reinterpret_cast<std::uintptr_t>(c.segment) == job().segments.mapped[c.thread]);
}
void heap_thread_exit(ThreadCtx& c) {
  if (heap_layout.end != 0 && config_bool("UPCR_HEAP_STATS")) print_heap_stats(c.thread);
}

ThreadCtx& heap_caller(const char* function) {
  ThreadCtx& c = ctx(function);
  if (heap_layout.end == 0)
    fatal("%s: there is no shared heap: upcri_init_heaps() was not called at start-up", function);
  return c;
}

SharedAddr heap_try_alloc(std::size_t bytes, BlockUse use, const char* function) {
  ThreadCtx& c = heap_caller(function);
  return try_allocate_at(c, c.thread, bytes, use);
}

SharedAddr heap_alloc(std::size_t bytes, BlockUse use, const char* function) {
  ThreadCtx& c = heap_caller(function);
  return allocate_at(c, c.thread, bytes, use, function);
}

std::size_t bytes_per_thread(std::size_t nblocks, std::size_t blocksz, const char* function) {
  (void)checked_product(nblocks, blocksz, function);
  const std::size_t threads = job().topology.slots();
  return (nblocks / threads + (nblocks % threads != 0)) * blocksz;
}

SharedAddr heap_alloc_blocked(std::size_t nblocks, std::size_t blocksz, BlockUse use, const char* function) {
  ThreadCtx& c = heap_caller(function);
  const std::size_t bytes = bytes_per_thread(nblocks, blocksz, function);
  if (nblocks == 1) return allocate_at(c, 0, bytes, use, function);
  const std::uint64_t offset = global_allocate(c.thread, bytes, use);
  if (offset == 0) report_exhausted(c.thread, function, bytes, 0, true);
  return {0, offset};
}

std::uint64_t heap_free(upcr_shared_ptr_t pointer, BlockUse use, const char* function) {
  const auto reply = try_free(pointer, use, function);
  using Status = ReleaseBlock::Status;
  if (reply.status != Status::kFreed && reply.status != Status::kLockInUse)
    report_bad_free(function, pointer, use, reply);
  return reply.last_node;
}

extern "C" {

UPCRI_API void upcri_init_heaps(void* start, uintptr_t len) {
  ThreadCtx& c = ctx("upcri_init_heaps");
  if (heap_layout.end != 0) return;
  const std::uint64_t from = static_cast<std::uint64_t>(static_cast<char*>(start) - c.segment);
  const std::uint64_t begin = round_up(std::max<std::uint64_t>(from, kFirstObjectOffset), kHeapPage);
  const std::uint64_t end = (from + len) / kHeapPage * kHeapPage;
  if (end <= begin || end > job().segments.bytes)
    fatal("the shared heap [%#llx, %#llx) is not within the segment of %zu bytes; raise UPC_SHARED_HEAP_SIZE",
          static_cast<unsigned long long>(from), static_cast<unsigned long long>(from) + len,
          job().segments.bytes);
  check_same_layout(c, begin, end);

  const std::size_t segment = job().segments.bytes;
  local_arena(c.thread)->init(segment, begin, Arena::Grows::kUp);
  if (c.thread == 0) global_arena()->init(segment, end, Arena::Grows::kDown);
  const WaterMarks marks{static_cast<std::uint32_t>(begin / kHeapPage),
                         static_cast<std::uint32_t>(end / kHeapPage)};
  mapped_area(c.thread)->water_marks.store(marks.word(), std::memory_order_release);
  job().barrier.notify(c.thread, {});
  (void)job().barrier.wait(c.thread);
  if (c.local_index == 0) {
    heap_layout = make_layout(begin, end);
    name_heaps();
  }
  job().barrier.notify(c.thread, {});
  (void)job().barrier.wait(c.thread);
}

UPCRI_API upcr_shared_ptr_t upcr_alloc(size_t nbytes) {
  const CountedCall call(observe::Kind::kAlloc, {nbytes});
  if (nbytes == 0) return upcr_null_shared;
  return encode(heap_alloc(nbytes, BlockUse::kData, "upc_alloc"));
}

UPCRI_API upcr_shared_ptr_t upcr_local_alloc(size_t nblocks, size_t blocksz) {
  const CountedCall call(observe::Kind::kAlloc, {nblocks * blocksz});
  const std::size_t bytes = checked_product(nblocks, blocksz, "upc_local_alloc");
  if (bytes == 0) return upcr_null_shared;
  return encode(heap_alloc(bytes, BlockUse::kData, "upc_local_alloc"));
}

UPCRI_API upcr_shared_ptr_t upcr_global_alloc(size_t nblocks, size_t blocksz) {
  const CountedCall call(observe::Kind::kAlloc, {nblocks * blocksz});
  if (nblocks == 0 || blocksz == 0) return upcr_null_shared;
  return encode(heap_alloc_blocked(nblocks, blocksz, BlockUse::kData, "upc_global_alloc"));
}

UPCRI_API upcr_shared_ptr_t upcr_all_alloc(size_t nblocks, size_t blocksz) {
  const CountedCall call(observe::Kind::kAllAlloc, {nblocks * blocksz});
#if UPCR_DEBUG
  check_single_valued(heap_caller("upc_all_alloc"), nblocks, blocksz);
#endif
  if (nblocks == 0 || blocksz == 0) return upcr_null_shared;
  ThreadCtx& c = heap_caller("upc_all_alloc");
  SmallValue made{};
  if (c.thread == 0)
    made.words[0] = heap_alloc_blocked(nblocks, blocksz, BlockUse::kData, "upc_all_alloc").offset;
  return encode({0, small_broadcast(c, 0, made).words[0]});
}

UPCRI_API void upcr_free(upcr_shared_ptr_t sptr) {
  const CountedCall call(observe::Kind::kFree);
  if (!upcr_isnull_shared(sptr)) free_object(sptr, "upc_free");
}

UPCRI_API void upcr_all_free(upcr_shared_ptr_t sptr) {
  const CountedCall call(observe::Kind::kFree);
  if (upcr_isnull_shared(sptr)) return;
  if (small_arrive(heap_caller("upc_all_free"))) free_object(sptr, "upc_all_free");
}

UPCRI_API void upcr_heap_info(upcr_thread_t thread, struct upcr_heap_info* info) {
  ThreadCtx& c = heap_caller("upcr_heap_info");
  if (thread >= job().topology.slots())
    fatal("upcr_heap_info: there is no UPC thread %u: the job has %u", thread, job().topology.slots());
  collect_heap_info(c.thread, thread, info);
}

}  // extern "C"
}  // namespace upcr
