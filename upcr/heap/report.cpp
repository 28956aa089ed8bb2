// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/heap/report.hpp"

#include <algorithm>
#include <cstdio>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "upcr/heap/water_mark.hpp"
#include "upcr/pointer/sptr_text.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

class SizeText {
 public:
  explicit SizeText(std::uint64_t bytes) { format_size(bytes, text_, sizeof text_); }
  const char* c_str() const { return text_; }

 private:
  char text_[32];
};

// The bytes that trimming would return.
std::uint64_t trimmable(const MeasureHeap::Reply& heap) { return heap.edge_free / kHeapPage * kHeapPage; }

std::uint64_t distance(std::uint64_t from, std::uint64_t to) { return to > from ? to - from : 0; }

// A pointer's target, with the preposition: "64 bytes into an allocated object of 4096 bytes".
void describe_block(const ReleaseBlock::Reply& reply, std::uint64_t offset, char* buf, std::size_t size) {
  const unsigned long long into = offset - reply.found_offset, bytes = reply.found_bytes;
  if (reply.found_use == BlockUse::kFree) {
    std::snprintf(buf, size, "to memory that is free (freed already?)");
  } else if (reply.found_use == BlockUse::kRuntime || reply.found_use == BlockUse::kNone) {
    std::snprintf(buf, size, "to memory of the runtime's own");
  } else {
    const char* what = reply.found_use == BlockUse::kLock     ? "a lock"
                       : reply.found_use == BlockUse::kStatic ? "a static object"
                                                              : "an allocated object";
    if (into == 0)
      std::snprintf(buf, size, "to %s of %llu bytes", what, bytes);
    else
      std::snprintf(buf, size, "%llu bytes into %s of %llu bytes", into, what, bytes);
  }
}

}  // namespace

void collect_heap_info(Slot caller, Slot thread, HeapInfo* info) {
  const auto local = heap_call(caller, MeasureHeap{thread, HeapKind::kLocal});
  const auto global = heap_call(caller, MeasureHeap{0, HeapKind::kGlobal});
  const auto marks = WaterMarks::of(amo64(water_marks_of(thread), AtomOp::kGet, 0));
  const HeapLayout& l = heap_layout;
  info->size = l.end - l.begin;
  info->local_end = marks.local_end * kHeapPage;
  info->global_begin = marks.global_begin * kHeapPage;

  // Each heap can grow into the memory between them, and into what the other can trim.
  std::uint64_t local_growth =
      distance(info->local_end, std::min<std::uint64_t>(info->global_begin, l.local_limit));
  std::uint64_t global_growth =
      distance(std::max<std::uint64_t>(info->local_end, l.global_limit), info->global_begin);
  if (l.local_limit == l.end) {
    local_growth += trimmable(global);
    global_growth += trimmable(local);
  }
  info->local_used = local.used;
  info->local_objects = local.objects;
  info->local_free = distance(l.begin, info->local_end) - local.used + local_growth;
  info->local_largest = std::max(local.largest, local.edge_free + local_growth);
  info->global_used = global.used;
  info->global_objects = global.objects;
  info->global_free = distance(info->global_begin, l.end) - global.used + global_growth;
  info->global_largest = std::max(global.largest, global.edge_free + global_growth);
}

namespace {

// The cure for an object of that size that did not fit: a segment that is twice as large, and large enough
// for it.
struct CureText {
  char text[512];
  explicit CureText(std::uint64_t bytes) {
    const std::uint64_t most = std::uint64_t{1} << std::min(UPCRI_ADDR_BITS, 40), now = job().segments.bytes;
    if (bytes > most - UPCR_PAGESIZE - heap_layout.begin) {
      const SizeText reach(most);
      std::snprintf(text, sizeof text, "no segment can hold it: pointers-to-shared reach %s", reach.c_str());
      return;
    }
    const Runtime& r = runtime();
    if (r.requested_segment > now) {
      const SizeText asked(r.requested_segment), got(now);
      std::snprintf(
          text, sizeof text,
          "%s of shared memory were requested for each UPC thread, %s were available: %s; run fewer UPC "
          "threads per host, or raise that limit",
          asked.c_str(), got.c_str(), r.segment_limit.c_str());
      return;
    }
    const std::uint64_t needed = std::min(std::max(2 * now, now + bytes + (1 << 20)), most);
    std::snprintf(text, sizeof text, "raise it, for example UPC_SHARED_HEAP_SIZE=%lluMB",
                  static_cast<unsigned long long>(needed >> 20));
  }
};

}  // namespace

void report_exhausted(Slot caller, const char* function, std::uint64_t bytes, Slot thread, bool global) {
  HeapInfo info{};
  if (heap_layout.end == 0)
    fatal("%s: there is no shared heap: upcri_init_heaps() was not called at start-up", function);
  collect_heap_info(caller, thread, &info);
  for (Slot t = 0; global && t < job().topology.slots(); ++t) {  // the thread with the least
    HeapInfo other{};
    collect_heap_info(caller, t, &other);
    if (other.global_largest < info.global_largest) {
      info = other;
      thread = t;
    }
  }
  const SizeText wanted(bytes), size(info.size);
  const SizeText total(global ? info.global_free : info.local_free);
  const SizeText largest(global ? info.global_largest : info.local_largest);
  const CureText cure(bytes);
  fatal(
      "%s: out of shared memory: %llu bytes (%s)%s requested, but UPC thread %u's heap has %s free, %s in "
      "one piece, of %s; %s",
      function, static_cast<unsigned long long>(bytes), wanted.c_str(), global ? " on each thread" : "",
      thread, total.c_str(), largest.c_str(), size.c_str(), cure.text);
}

void report_bad_free(const char* function, upcr_shared_ptr_t pointer, BlockUse use,
                     const ReleaseBlock::Reply& reply) {
  const PointerText text(pointer);
  const SharedAddr a = decode(pointer);
  const char* wanted = use == BlockUse::kLock
                           ? "a lock"
                           : "the start of an object that upc_alloc or another allocation function returned";
  const char* cure = "";
  char where[160];
  switch (reply.status) {
    case ReleaseBlock::Status::kOtherBlock:
      describe_block(reply, a.offset, where, sizeof where);
      if (reply.found_use == BlockUse::kLock && use == BlockUse::kData)  // inside one, or by upcr_heap_free
        cure = "; free the lock with upc_lock_free";
      else if (reply.found_use == BlockUse::kData && use == BlockUse::kLock)
        cure = "; free it with upc_free";
      else if (reply.found_use == BlockUse::kStatic)
        cure = "; static shared objects are not freed";
      break;
    case ReleaseBlock::Status::kInteriorPointer:
      std::snprintf(where, sizeof where, "to UPC thread %u's part of the global heap", a.thread);
      cure = "; free the pointer that the allocation returned, whose thread is 0";
      break;
    default:
      if (a.offset < kNullPageBytes)
        std::snprintf(where, sizeof where, "to the reserved page of null pointers-to-shared");
      else if (a.offset < kFirstObjectOffset)
        std::snprintf(where, sizeof where, "to the runtime area");
      else if (a.offset < heap_layout.begin)
        std::snprintf(where, sizeof where, "to static shared data");
      else if (a.offset >= heap_layout.end)
        std::snprintf(where, sizeof where, "to no shared memory (past its end)");
      else
        std::snprintf(where, sizeof where, "to shared memory that is not allocated");
  }
  fatal("%s: %s points %s, not to %s, on UPC thread %u%s", function, text.c_str(), where, wanted, a.thread,
        cure);
}

void print_heap_stats(Slot caller) {
  const auto local = heap_call(caller, MeasureHeap{caller, HeapKind::kLocal});
  const SizeText size(heap_layout.end - heap_layout.begin), used(local.used), peak(local.peak);
  char line[400];
  int n = std::snprintf(
      line, sizeof line, "upcr heap: thread %u: %s; local heap: %s in %llu objects, at most %s", caller,
      size.c_str(), used.c_str(), static_cast<unsigned long long>(local.objects), peak.c_str());
  if (caller == 0) {
    const auto global = heap_call(caller, MeasureHeap{0, HeapKind::kGlobal});
    const SizeText global_used(global.used), global_peak(global.peak);
    n += std::snprintf(line + n, sizeof line - static_cast<std::size_t>(n),
                       "; global heap: %s in %llu objects, at most %s on each thread", global_used.c_str(),
                       static_cast<unsigned long long>(global.objects), global_peak.c_str());
  }
  std::fprintf(stderr, "%s\n", line);
}

}  // namespace upcr
