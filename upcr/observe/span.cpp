// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/span.hpp"

#include "upcr/observe/thread_path.hpp"

namespace upcr::observe::detail {

bool begin(Kind kind, const Access& access) noexcept {
  ThreadCtx* const c = ctx_or_null();
  if (c == nullptr || c->observed == nullptr) return false;
  const bool counted = c->observed->begin({c->file, c->line}, kind, access);
#if !UPCR_DEBUG
  // A position is that of one call: the next one may be of a file that reports none.
  if (counted) c->file = nullptr;
#endif
  return counted;
}

void end() noexcept {
  if (Thread* const t = current()) t->end();
}

void lock_acquired(std::uint64_t lock) noexcept {
  if (Thread* const t = current()) t->lock_acquired(lock);
}

void lock_released(std::uint64_t lock) noexcept {
  if (Thread* const t = current()) t->lock_released(lock);
}

void in_flight(std::int64_t change) noexcept {
  if (Thread* const t = current()) t->in_flight(change);
}

void implicit_started(bool get, std::size_t bytes) noexcept {
  if (Thread* const t = current()) t->implicit_started(get, bytes);
}

void implicit_over(bool gets, bool puts) noexcept {
  if (Thread* const t = current()) t->implicit_over(gets, puts);
}

void heap_used(std::uint64_t local, std::uint64_t global) noexcept {
  if (Thread* const t = current()) t->counter(Kind::kHeapBytes, local, global);
}

}  // namespace upcr::observe::detail
