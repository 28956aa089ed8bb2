// SPDX-License-Identifier: BSD-3-Clause
// Serving the requests to the heaps, under the arena's lock: see service.hpp.
#include "upcr/heap/service.hpp"

#include <algorithm>
#include <mutex>

#include "conduits/core/base/report/error.hpp"
#include "upcr/heap/locks.hpp"
#include "upcr/heap/water_mark.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {

HeapLayout heap_layout;

namespace {

// The limits of pack() and of the arena's granule, which is at most a page.
[[maybe_unused]] constexpr std::uint64_t kMaxSegment = std::uint64_t{1} << 40;

MemoryFile::Area local_area, global_area;
std::size_t arena_bytes;

bool can_ever_fit(const Allocation& a) noexcept { return a.shortage <= heap_layout.end; }

// Moves a local heap's end up by `preferred` bytes, or else `needed`; whole pages. Returns how many, 0: there
// is no room. The arena's lock is held.
std::uint64_t reserve_local(Slot home, std::uint64_t needed, std::uint64_t preferred) noexcept {
  RuntimeArea* area = mapped_area(home);
  const auto limit = static_cast<std::uint32_t>(heap_layout.local_limit / kHeapPage);
  for (const std::uint64_t bytes : {preferred, needed})
    if (bytes <= heap_layout.end &&
        raise_local_end(area, static_cast<std::uint32_t>(bytes / kHeapPage), limit))
      return bytes;
  return 0;
}

// After the last attempt to allocate.
AllocateReply reply_for(const Allocation& a, HeapGrowth growth) noexcept {
  if (a.offset != 0) return {AllocateStatus::kAllocated, 0, a.offset, 0};
  if (growth == HeapGrowth::kForbidden && can_ever_fit(a)) return {AllocateStatus::kShort, 0, 0, a.shortage};
  return {AllocateStatus::kFull, 0, 0, 0};
}

// Frees a block of one of the arenas. A lock's queue is closed before its memory can be allocated again; if
// a thread is in the queue, the memory stays until the caller has notified it and calls again.
ReleaseBlock::Reply release_in(Arena& arena, const ReleaseBlock& r) noexcept {
  using Status = ReleaseBlock::Status;
  const std::lock_guard guard(arena.lock());
  const ArenaBlock block = arena.starting_at(r.offset);
  if (block.use != r.use || block.offset != r.offset)
    return {Status::kOtherBlock, block.use, block.offset, block.bytes, 0};
  if (r.use == BlockUse::kLock)
    if (const std::uint64_t last = close_lock(mapped({r.home, r.offset})); last != 0)
      return {Status::kLockInUse, block.use, block.offset, block.bytes, last};
  arena.release(r.offset, r.use);
  return {Status::kFreed, block.use, block.offset, block.bytes, 0};
}

WaterMarks marks_of(Slot home) noexcept {
  return WaterMarks::of(mapped_area(home)->water_marks.load(std::memory_order_acquire));
}

// Lets the next thread extend the global heap. The arena's lock is held.
void end_extension() noexcept {
  global_heap_head()->extending.store(0, std::memory_order_release);
  job().doorbells.ring_window_group();
}

}  // namespace

Arena* local_arena(Slot thread) noexcept {
  char* base = job().memory_file.at<char>(local_area);
  return reinterpret_cast<Arena*>(base + std::size_t{thread - job().topology.window_group_first_slot()} *
                                             arena_bytes);
}
GlobalHeapHead* global_heap_head() noexcept { return job().memory_file.at<GlobalHeapHead>(global_area); }
Arena* global_arena() noexcept { return reinterpret_cast<Arena*>(global_heap_head() + 1); }

void plan_heap_service(Job& job) {
  const Topology& t = job.topology;
  UPCR_ASSERT(job.segments.bytes != 0 && job.segments.bytes <= kMaxSegment);
  arena_bytes = round_up(Arena::footprint(job.segments.bytes), kHeapPage);
  local_area = job.memory_file.reserve(t.window_group_slots() * arena_bytes, kHeapPage);
  if (t.window_group_first == 0)
    global_area = job.memory_file.reserve(sizeof(GlobalHeapHead) + arena_bytes, kHeapPage);
}

AllocateReply serve(const AllocateLocal& r) noexcept {
  Arena& arena = *local_arena(r.home);
  const std::lock_guard guard(arena.lock());
  Allocation a = arena.allocate(r.bytes, r.use);
  if (a.offset == 0) {
    const bool grow = r.growth == HeapGrowth::kAllowed && a.shortage != 0;
    const std::uint64_t added =
        grow ? reserve_local(r.home, a.shortage, std::max(a.shortage, heap_layout.step)) : 0;
    a.offset = arena.extend_and_allocate(added, r.bytes, r.use);
  }
  return reply_for(a, r.growth);
}

AllocateReply serve(const AllocateGlobal& r) noexcept {
  Arena& arena = *global_arena();
  const std::lock_guard guard(arena.lock());
  Allocation a = arena.allocate(r.bytes, r.use);
  if (a.offset == 0 && r.growth == HeapGrowth::kAllowed && a.shortage != 0 && can_ever_fit(a)) {
    const bool busy = global_heap_head()->extending.exchange(1, std::memory_order_relaxed) != 0;
    return {busy ? AllocateStatus::kBusy : AllocateStatus::kShort, 0, 0, a.shortage};
  }
  if (a.offset == 0) a.offset = arena.extend_and_allocate(0, r.bytes, r.use);
  return reply_for(a, r.growth);
}

ExtendLocal::Reply serve(const ExtendLocal& r) noexcept {
  Arena& arena = *local_arena(r.home);
  const std::lock_guard guard(arena.lock());
  const std::uint64_t begin = arena.end(), added = reserve_local(r.home, r.needed, r.preferred);
  arena.extend(added);
  return {added != 0 ? begin : 0};
}

TrimLocal::Reply serve(const TrimLocal& r) noexcept {
  Arena& arena = *local_arena(r.home);
  const std::lock_guard guard(arena.lock());
  const std::uint64_t bytes = arena.trim();
  lower_local_end(mapped_area(r.home), static_cast<std::uint32_t>(bytes / kHeapPage));
  return {bytes};
}

BeginExtension::Reply serve(const BeginExtension&) noexcept {
  Arena& arena = *global_arena();
  const std::lock_guard guard(arena.lock());
  const bool busy = global_heap_head()->extending.exchange(1, std::memory_order_relaxed) != 0;
  return {busy ? 0u : 1u, 0, arena.begin()};
}

EndExtension::Reply serve(const EndExtension& r) noexcept {
  Arena& arena = *global_arena();
  const std::lock_guard guard(arena.lock());
  std::uint64_t offset = 0;
  if (r.bytes != 0)
    offset = arena.extend_and_allocate(r.added, r.bytes, r.use);
  else
    arena.extend(r.added);
  end_extension();
  return {offset, arena.begin()};
}

TrimGlobal::Reply serve(const TrimGlobal&) noexcept {
  using Status = TrimGlobal::Status;
  Arena& arena = *global_arena();
  std::atomic<std::uint32_t>& extending = global_heap_head()->extending;
  const std::lock_guard guard(arena.lock());
  if (extending.load(std::memory_order_relaxed) != 0) return {Status::kBusy, 0, 0};
  const std::uint64_t bytes = arena.trim();
  if (bytes == 0) return {Status::kNothing, 0, 0};
  extending.store(1, std::memory_order_relaxed);
  return {Status::kTrimmed, 0, bytes};
}

ReleaseBlock::Reply serve(const ReleaseBlock& r) noexcept {
  const WaterMarks marks = marks_of(r.home);
  if (r.offset >= heap_layout.begin && r.offset < marks.local_end * kHeapPage)
    return release_in(*local_arena(r.home), r);
  const bool global = r.offset >= marks.global_begin * kHeapPage && r.offset < heap_layout.end;
  if (global && r.home == 0) return release_in(*global_arena(), r);
  using Status = ReleaseBlock::Status;
  return {global ? Status::kInteriorPointer : Status::kNotInHeap, BlockUse::kNone, 0, 0, 0};
}

FindBlock::Reply serve(const FindBlock& r) noexcept {
  const bool local = r.offset < marks_of(r.home).local_end * kHeapPage;
  if (!local && r.home != 0) return {BlockUse::kNone, HeapKind::kGlobal, 0};
  Arena& arena = local ? *local_arena(r.home) : *global_arena();
  const std::lock_guard guard(arena.lock());
  const ArenaBlock block = arena.starting_at(r.offset);
  const bool found = block.offset == r.offset && block.use != BlockUse::kFree;
  return {found ? block.use : BlockUse::kNone, local ? HeapKind::kLocal : HeapKind::kGlobal, block.bytes};
}

MeasureHeap::Reply serve(const MeasureHeap& r) noexcept {
  const bool local = r.heap == HeapKind::kLocal;
  Arena& arena = local ? *local_arena(r.home) : *global_arena();
  const std::lock_guard guard(arena.lock());
  const ArenaInfo i = arena.info();
  return {local ? i.end : i.begin, i.used, i.peak, i.largest, i.objects, i.edge_free};
}

}  // namespace upcr
