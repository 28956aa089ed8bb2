// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/heap/global_heap.hpp"

#include <algorithm>

#include "conduits/core/progress/progress.hpp"
#include "upcr/heap/service.hpp"
#include "upcr/heap/water_mark.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

Slot threads() { return job().topology.slots(); }

// Until the thread that extends or trims is done.
void wait_for_extension(Slot slot) {
  if (!can_serve(0)) {
    if (job().progress.poll() == 0) cpu_relax_or_yield();
    return;
  }
  const auto& extending = global_heap_head()->extending;
  job().progress.wait_until(slot, {"extension of the shared global heap"},
                            [&] { return extending.load(std::memory_order_acquire) == 0; });
}

// Takes `bytes` from one segment; with `press` also what its local heap can give back.
bool reserve_on(Slot slot, Slot thread, std::uint64_t bytes, bool press) {
  const auto pages = static_cast<std::uint32_t>(bytes / kHeapPage);
  const auto limit = static_cast<std::uint32_t>(heap_layout.global_limit / kHeapPage);
  if (lower_global_begin(thread, pages, limit)) return true;
  if (!press || heap_call(slot, {HeapOp::kTrim, thread}).values[0] == 0) return false;
  return lower_global_begin(thread, pages, limit);
}

// All or nothing.
bool reserve_everywhere(Slot slot, std::uint64_t bytes, bool press) {
  for (Slot t = 0; t < threads(); ++t) {
    if (reserve_on(slot, t, bytes, press)) continue;
    while (t-- > 0) raise_global_begin(t, static_cast<std::uint32_t>(bytes / kHeapPage));
    return false;
  }
  return true;
}

// `plenty` from all, or else `need`. Returns how much that was, 0: nothing.
std::uint64_t take(Slot slot, std::uint64_t need, std::uint64_t plenty) {
  if (reserve_everywhere(slot, plenty, false)) return plenty;
  return reserve_everywhere(slot, need, true) ? need : 0;
}

}  // namespace

std::uint64_t global_allocate(Slot slot, std::uint64_t bytes) {
  for (;;) {
    HeapReply reply = heap_call(slot, {HeapOp::kGlobalAllocate, 0, BlockUse::kData, bytes});
    std::uint64_t grown = 0;
    if (reply.status == HeapStatus::kGrow) {
      const std::uint64_t need = reply.values[0];
      grown = take(slot, need, std::max(need, heap_layout.step));
      reply = heap_call(slot, {HeapOp::kGlobalExtended, 0, BlockUse::kData, grown, bytes});
    }
    if (reply.status == HeapStatus::kOk) return reply.values[0];
    if (reply.status == HeapStatus::kBusy) wait_for_extension(slot);
    // Grown and still full: somebody else was faster. Not grown: there is no more.
    else if (grown == 0)
      return 0;
  }
}

std::uint64_t global_extend(Slot slot, std::uint64_t need, std::uint64_t plenty) {
  HeapReply reply = heap_call(slot, {HeapOp::kGlobalBegin, 0});
  const std::uint64_t before = reply.values[0];
  while (reply.status == HeapStatus::kBusy) {
    wait_for_extension(slot);
    reply = heap_call(slot, {HeapOp::kGlobalBegin, 0});
  }
  const bool enough = before > reply.values[0] && before - reply.values[0] >= need;
  const std::uint64_t grown = enough ? 0 : take(slot, need, plenty);
  reply = heap_call(slot, {HeapOp::kGlobalExtended, 0, BlockUse::kData, grown, 0});
  return enough || grown != 0 ? reply.values[0] : 0;
}

bool global_trim(Slot slot) {
  HeapReply reply;
  while ((reply = heap_call(slot, {HeapOp::kGlobalTrim, 0})).status == HeapStatus::kBusy)
    wait_for_extension(slot);
  if (reply.status != HeapStatus::kOk) return false;
  const auto pages = static_cast<std::uint32_t>(reply.values[0] / kHeapPage);
  for (Slot t = 0; t < threads(); ++t) raise_global_begin(t, pages);
  heap_call(slot, {HeapOp::kGlobalTrimmed, 0});
  return true;
}

}  // namespace upcr
