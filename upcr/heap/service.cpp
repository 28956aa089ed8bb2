// SPDX-License-Identifier: BSD-3-Clause
// Serving the requests to the heaps, under the arena's lock: see service.hpp.
#include "upcr/heap/service.hpp"

#include <algorithm>
#include <mutex>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/rma/rma.hpp"
#include "upcr/heap/locks.hpp"
#include "upcr/heap/water_mark.hpp"
#include "upcr/state/handlers.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {

HeapLayout heap_layout;

namespace {

// What pack() and the arena's granule of at most a page allow.
[[maybe_unused]] constexpr std::uint64_t kMaxSegment = std::uint64_t{1} << 40;

MemoryFile::Area local_area, global_area;
std::size_t arena_bytes;

// Adds `plenty` bytes to a local heap, or else `need`; whole pages. Returns how many, 0: there is no room.
// The arena's lock is held.
std::uint64_t grow(Arena& arena, Slot home, std::uint64_t need, std::uint64_t plenty) noexcept {
  RuntimeArea* area = mapped_area(home);
  const auto limit = static_cast<std::uint32_t>(heap_layout.local_limit / kHeapPage);
  for (const std::uint64_t bytes : {plenty, need}) {
    if (bytes > heap_layout.end ||
        !raise_local_end(area, static_cast<std::uint32_t>(bytes / kHeapPage), limit))
      continue;
    arena.extend(bytes);
    return bytes;
  }
  return 0;
}

// What is missing for an object of this size, or 0 when nothing, or no heap, can help.
std::uint64_t missing(const Arena& arena, std::uint64_t bytes) noexcept {
  const std::uint64_t need = arena.shortage(bytes, kHeapPage);
  return need <= heap_layout.end ? need : 0;
}

HeapReply allocate(const HeapRequest& r) noexcept {
  Arena& arena = *local_arena(r.home);
  const std::lock_guard guard(arena.lock());
  std::uint64_t offset = arena.allocate(r.a, r.use, r.b == kWithoutGrowing);
  if (offset == 0) {
    const std::uint64_t need = missing(arena, r.a);
    if (r.b == kWithoutGrowing) return {need != 0 ? HeapStatus::kGrow : HeapStatus::kFull, {need}};
    if (need != 0) grow(arena, r.home, need, std::max(need, heap_layout.step));
    offset = arena.allocate(r.a, r.use, true);
  }
  return {offset != 0 ? HeapStatus::kOk : HeapStatus::kFull, {offset}};
}

HeapReply extend(const HeapRequest& r) noexcept {
  Arena& arena = *local_arena(r.home);
  const std::lock_guard guard(arena.lock());
  const std::uint64_t from = arena.end();
  return {grow(arena, r.home, r.a, r.b) != 0 ? HeapStatus::kOk : HeapStatus::kFull, {from}};
}

// Frees in one of the arenas. Before a lock's memory can be given to somebody else its queue is closed; where
// somebody is in it the memory stays until the caller has told him and asks again.
HeapReply release_in(Arena& arena, const HeapRequest& r) noexcept {
  const std::lock_guard guard(arena.lock());
  const ArenaBlock block = arena.starting_at(r.a);
  if (block.use != r.use || block.offset != r.a)
    return {HeapStatus::kBlock, {static_cast<std::uint64_t>(block.use), block.offset, block.bytes}};
  if (r.use == BlockUse::kLock)
    if (const std::uint64_t last = close_lock(mapped({r.home, r.a})); last != 0)
      return {HeapStatus::kOk, {last}};
  arena.release(r.a, r.use);
  return {};
}

HeapReply release(const HeapRequest& r) noexcept {
  const auto marks = WaterMarks::of(mapped_area(r.home)->water_marks.load(std::memory_order_acquire));
  if (r.a >= heap_layout.begin && r.a < marks.local_end * kHeapPage)
    return release_in(*local_arena(r.home), r);
  if (r.a < marks.global_begin * kHeapPage || r.a >= heap_layout.end) return {HeapStatus::kNotInHeap, {}};
  if (r.home != 0) return {HeapStatus::kInteriorPointer, {}};
  return release_in(*global_arena(), r);
}

HeapReply describe(const HeapRequest& r) noexcept {
  const auto marks = WaterMarks::of(mapped_area(r.home)->water_marks.load(std::memory_order_acquire));
  const bool local = r.a < marks.local_end * kHeapPage;
  if (!local && r.home != 0) return {HeapStatus::kNotInHeap, {}};
  Arena& arena = local ? *local_arena(r.home) : *global_arena();
  const std::lock_guard guard(arena.lock());
  const ArenaBlock block = arena.containing(r.a);
  if (block.offset != r.a || block.use == BlockUse::kFree || block.use == BlockUse::kInside)
    return {HeapStatus::kNotInHeap, {}};
  return {HeapStatus::kOk, {static_cast<std::uint64_t>(block.use), block.bytes, local ? 0u : 1u}};
}

HeapReply trim(const HeapRequest& r) noexcept {
  Arena& arena = *local_arena(r.home);
  const std::lock_guard guard(arena.lock());
  const std::uint64_t bytes = arena.trim(kHeapPage);
  lower_local_end(mapped_area(r.home), static_cast<std::uint32_t>(bytes / kHeapPage));
  return {HeapStatus::kOk, {bytes}};
}

HeapReply info(Arena& arena, bool local) noexcept {
  const std::lock_guard guard(arena.lock());
  const ArenaInfo i = arena.info();
  return {HeapStatus::kOk, {local ? i.end : i.begin, i.used, i.peak, i.largest, i.objects, i.edge_free}};
}

HeapReply global_allocate(const HeapRequest& r) noexcept {
  Arena& arena = *global_arena();
  GlobalHeapHead& directory = *global_heap_head();
  const std::lock_guard guard(arena.lock());
  if (const std::uint64_t offset = arena.allocate(r.a, r.use, r.b == kWithoutGrowing); offset != 0)
    return {HeapStatus::kOk, {offset}};
  const std::uint64_t need = missing(arena, r.a);
  if (r.b == kWithoutGrowing) return {need != 0 ? HeapStatus::kGrow : HeapStatus::kFull, {need}};
  if (directory.extending.load(std::memory_order_relaxed) != 0) return {HeapStatus::kBusy, {}};
  if (need == 0) {
    const std::uint64_t offset = arena.allocate(r.a, r.use, true);
    return {offset != 0 ? HeapStatus::kOk : HeapStatus::kFull, {offset}};
  }
  directory.extending.store(1, std::memory_order_relaxed);
  return {HeapStatus::kGrow, {need}};
}

HeapReply global_begin() noexcept {
  Arena& arena = *global_arena();
  const std::lock_guard guard(arena.lock());
  const bool busy = global_heap_head()->extending.exchange(1, std::memory_order_relaxed) != 0;
  return {busy ? HeapStatus::kBusy : HeapStatus::kOk, {arena.begin()}};
}

// Lets the next thread through. The arena's lock is held.
void end_extension() noexcept {
  global_heap_head()->extending.store(0, std::memory_order_release);
  job().doorbells.ring_window_group();
}

HeapReply global_extended(const HeapRequest& r) noexcept {
  Arena& arena = *global_arena();
  const std::lock_guard guard(arena.lock());
  arena.extend(r.a);
  const std::uint64_t offset = r.b != 0 ? arena.allocate(r.b, r.use, true) : arena.begin();
  end_extension();
  return {offset != 0 ? HeapStatus::kOk : HeapStatus::kFull, {offset}};
}

HeapReply global_trim() noexcept {
  Arena& arena = *global_arena();
  GlobalHeapHead& directory = *global_heap_head();
  const std::lock_guard guard(arena.lock());
  if (directory.extending.load(std::memory_order_relaxed) != 0) return {HeapStatus::kBusy, {}};
  const std::uint64_t bytes = arena.trim(kHeapPage);
  if (bytes == 0) return {HeapStatus::kFull, {}};
  directory.extending.store(1, std::memory_order_relaxed);
  return {HeapStatus::kOk, {bytes}};
}

HeapReply global_trimmed() noexcept {
  const std::lock_guard guard(global_arena()->lock());
  end_extension();
  return {};
}

// --- by active message ---------------------------------------------------------------------------------

// What the caller waits for; its address travels with the request and comes back with the reply.
struct RemoteCall {
  HeapReply reply;
  Pending pending;
};

constexpr unsigned kRequestArgs = 9, kReplyArgs = 15;

void push(std::uint32_t*& to, std::uint64_t value) {
  *to++ = static_cast<std::uint32_t>(value);
  *to++ = static_cast<std::uint32_t>(value >> 32);
}
std::uint64_t pull(const std::uint32_t*& from) {
  const std::uint64_t value = from[0] | std::uint64_t{from[1]} << 32;
  from += 2;
  return value;
}

void on_request(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  if (nargs != kRequestArgs || args[0] >= static_cast<std::uint32_t>(HeapOp::kCount) ||
      args[1] - job().topology.my_first_slot() >= job().topology.my_slots())
    fatal("rank %u sent a heap request that makes no sense (%u arguments)", token.source, nargs);
  HeapRequest request{HeapOp{args[0]}, args[1], BlockUse{args[2]}};
  const std::uint32_t* rest = args + 3;
  request.a = pull(rest);
  request.b = pull(rest);
  const HeapReply reply = serve(request);

  std::uint32_t out[kReplyArgs];
  std::uint32_t* next = out;
  *next++ = static_cast<std::uint32_t>(reply.status);
  push(next, pull(rest));  // the caller's RemoteCall
  for (const std::uint64_t value : reply.values) push(next, value);
  AmMessage message;
  message.internal = true;
  message.handler = static_cast<std::uint8_t>(UpcHandler::kHeapReply);
  message.args = out;
  token.engine.reply(token, message);
}

void on_reply(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  if (nargs != kReplyArgs)
    fatal("rank %u sent a heap reply that makes no sense (%u arguments)", token.source, nargs);
  const std::uint32_t* rest = args + 1;
  auto* call = reinterpret_cast<RemoteCall*>(pull(rest));
  call->reply.status = HeapStatus{args[0]};
  for (std::uint64_t& value : call->reply.values) value = pull(rest);
  call->pending.complete();
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

void attach_heap_calls(Job& job) {
  job.engine->set_internal(UpcHandler::kHeapRequest, on_request, nullptr);
  job.engine->set_internal(UpcHandler::kHeapReply, on_reply, nullptr);
}

HeapReply serve(const HeapRequest& r) noexcept {
  switch (r.op) {
    case HeapOp::kAllocate:
      return allocate(r);
    case HeapOp::kExtend:
      return extend(r);
    case HeapOp::kRelease:
      return release(r);
    case HeapOp::kTrim:
      return trim(r);
    case HeapOp::kInfo:
      return info(*local_arena(r.home), true);
    case HeapOp::kDescribe:
      return describe(r);
    case HeapOp::kGlobalAllocate:
      return global_allocate(r);
    case HeapOp::kGlobalBegin:
      return global_begin();
    case HeapOp::kGlobalExtended:
      return global_extended(r);
    case HeapOp::kGlobalTrim:
      return global_trim();
    case HeapOp::kGlobalTrimmed:
      return global_trimmed();
    case HeapOp::kGlobalInfo:
      return info(*global_arena(), false);
    case HeapOp::kCount:
      break;
  }
  return {};
}

HeapReply heap_call(Slot slot, const HeapRequest& r) {
  if (can_serve(r.home)) return serve(r);
  RemoteCall call;
  call.pending.add();
  std::uint32_t args[kRequestArgs] = {static_cast<std::uint32_t>(r.op), r.home,
                                      static_cast<std::uint32_t>(r.use)};
  std::uint32_t* next = args + 3;
  push(next, r.a);
  push(next, r.b);
  push(next, reinterpret_cast<std::uintptr_t>(&call));
  AmMessage message;
  message.internal = true;
  message.handler = static_cast<std::uint8_t>(UpcHandler::kHeapRequest);
  message.args = args;
  job().engine->request(job().topology.rank_of[r.home], message);
  job().progress.wait_until(slot, {"reply of a shared heap", r.home}, [&] { return call.pending.done(); });
  return call.reply;
}

}  // namespace upcr
