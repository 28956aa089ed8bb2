// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/heap/global_heap.hpp"

#include <algorithm>

#include "conduits/core/progress/progress.hpp"
#include "upcr/heap/call.hpp"
#include "upcr/heap/water_mark.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

Slot threads() { return job().topology.slots(); }

// Until the thread that owns the extension has ended it, or for a while.
void wait_for_extension(Slot caller) {
  if (!can_serve(0)) {
    if (job().progress.poll() == 0) cpu_relax_or_yield();
    return;
  }
  const auto& extending = global_heap_head()->extending;
  job().progress.wait_until(caller, {"extension of the shared global heap"},
                            [&] { return extending.load(std::memory_order_acquire) == 0; });
}

// Reserves `bytes` of one segment for the global heap; with `trim` also what the local heap there has free at
// its end.
bool reserve_on(Slot caller, Slot thread, std::uint64_t bytes, bool trim) {
  const auto pages = static_cast<std::uint32_t>(bytes / kHeapPage);
  const auto limit = static_cast<std::uint32_t>(heap_layout.global_limit / kHeapPage);
  if (lower_global_begin(thread, pages, limit)) return true;
  if (!trim || heap_call(caller, TrimLocal{thread}).bytes == 0) return false;
  return lower_global_begin(thread, pages, limit);
}

// The same of every segment, or of none.
bool reserve_everywhere(Slot caller, std::uint64_t bytes, bool trim) {
  for (Slot t = 0; t < threads(); ++t) {
    if (reserve_on(caller, t, bytes, trim)) continue;
    while (t-- > 0) raise_global_begin(t, static_cast<std::uint32_t>(bytes / kHeapPage));
    return false;
  }
  return true;
}

// `preferred` bytes of every segment, or else `needed`. Returns how many, 0: neither.
std::uint64_t reserve(Slot caller, std::uint64_t needed, std::uint64_t preferred) {
  if (reserve_everywhere(caller, preferred, false)) return preferred;
  return reserve_everywhere(caller, needed, true) ? needed : 0;
}

}  // namespace

std::uint64_t global_allocate(Slot caller, std::uint64_t bytes, BlockUse use) {
  for (;;) {
    const AllocateReply found = heap_call(caller, AllocateGlobal{bytes, use, HeapGrowth::kAllowed});
    switch (found.status) {
      case AllocateStatus::kAllocated:
        return found.offset;
      case AllocateStatus::kFull:
        return 0;
      case AllocateStatus::kBusy:
        wait_for_extension(caller);
        break;
      case AllocateStatus::kShort: {
        const std::uint64_t added =
            reserve(caller, found.shortage, std::max(found.shortage, heap_layout.step));
        const auto end = heap_call(caller, EndExtension{added, bytes, use, 0});
        if (end.offset != 0 || added == 0) return end.offset;
        break;  // another thread allocated what was added: once more
      }
    }
  }
}

std::uint64_t global_extend(Slot caller, std::uint64_t needed, std::uint64_t preferred) {
  auto begun = heap_call(caller, BeginExtension{});
  const std::uint64_t before = begun.begin;
  while (begun.granted == 0) {
    wait_for_extension(caller);
    begun = heap_call(caller, BeginExtension{});
  }
  const bool enough = before > begun.begin && before - begun.begin >= needed;
  const std::uint64_t added = enough ? 0 : reserve(caller, needed, preferred);
  const auto end = heap_call(caller, EndExtension{added, 0, BlockUse::kData, 0});
  return enough || added != 0 ? end.begin : 0;
}

bool global_trim(Slot caller) {
  using Status = TrimGlobal::Status;
  auto trimmed = heap_call(caller, TrimGlobal{});
  while (trimmed.status == Status::kBusy) {
    wait_for_extension(caller);
    trimmed = heap_call(caller, TrimGlobal{});
  }
  if (trimmed.status == Status::kNothing) return false;
  const auto pages = static_cast<std::uint32_t>(trimmed.bytes / kHeapPage);
  for (Slot t = 0; t < threads(); ++t) raise_global_begin(t, pages);
  heap_call(caller, EndExtension{0, 0, BlockUse::kData, 0});
  return true;
}

}  // namespace upcr
