// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/thread.hpp"

#include <algorithm>
#include <utility>

#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr::observe {
namespace {

std::size_t hash(const char* file, int line, Kind kind) noexcept {
  const std::uint64_t word = reinterpret_cast<std::uintptr_t>(file) ^
                             (static_cast<std::uint64_t>(static_cast<unsigned>(line)) << 32) ^
                             (static_cast<std::uint64_t>(kind) << 56);
  return static_cast<std::size_t>((word * 0x9e3779b97f4a7c15u) >> 40);
}

}  // namespace

Thread::Thread(const ThreadCtx& thread, std::unique_ptr<Trace> trace)
    : thread_(thread.thread),
      threads_(job().topology.slots()),
      rank_(job().topology.rank),
      ranks_(job().topology.size),
      start_(Moment::now()),
      slots_(kSlots),
      pairs_(threads_),
      trace_(std::move(trace)) {
  // Nothing is allocated while the program runs, in whose allocator's hooks these functions may be called.
  keys_.reserve(kMaxCells);
  counts_.reserve(kMaxCells);
  held_.reserve(64);
  regions_.reserve(64);
}

std::uint32_t Thread::find_slot(const Key& key) const noexcept {
  std::uint32_t slot = static_cast<std::uint32_t>(hash(key.file, key.line, key.kind)) % kSlots;
  while (slots_[slot] != 0 && keys_[slots_[slot] - 1] != key) slot = (slot + 1) % kSlots;
  return slot;
}

// When there are too many lines, operations of further ones are counted without theirs; kKinds cells are kept
// back for that.
std::uint32_t Thread::cell_of(Kind kind, const Position& at) noexcept {
  Key key{at.file, at.line, kind};
  std::uint32_t& last = last_[static_cast<unsigned>(kind)];
  if (last < keys_.size() && keys_[last] == key) return last;
  std::uint32_t slot = find_slot(key);
  if (slots_[slot] == 0) {
    if (at.file != nullptr && keys_.size() >= kMaxCells - kKinds) {
      ++lost_;
      return cell_of(kind, {});
    }
    keys_.push_back(key);
    counts_.push_back({});
    slots_[slot] = static_cast<std::uint32_t>(keys_.size());
    if (trace_ != nullptr) trace_->add_cell(slots_[slot] - 1, kind, at.file, at.line);
  }
  return last = slots_[slot] - 1;
}

inline Reach Thread::reach(Slot owner) const noexcept {
  if (owner == thread_) return Reach::kLocal;
  if (owner >= threads_) return Reach::kNone;
  return job().segments.mapped[owner] != 0 ? Reach::kMapped : Reach::kRemote;
}

inline Reach Thread::reach(const Access& access) const noexcept {
  return std::max(reach(access.from), reach(access.to));
}

inline void Thread::count_pair(const Access& access) noexcept {
  if (access.from < threads_) {
    ++pairs_[access.from].reads;
    pairs_[access.from].read_bytes += access.bytes;
  }
  if (access.to < threads_) {
    ++pairs_[access.to].writes;
    pairs_[access.to].written_bytes += access.bytes;
  }
}

bool Thread::begin(Kind kind, const Access& access, const Position& at) noexcept {
  if (depth_ != 0 || !on_) return false;
  depth_ = 1;
  open_.kind = kind;
  open_.access = access;
  open_.at = at;
  open_.waited = 0;
  open_.start = ticks();
  return true;
}

void Thread::record(std::uint32_t cell, const PartEvent& event) noexcept {
  if (trace_ == nullptr || !trace_->wants(keys_[cell].kind)) return;
  static_assert(kMaxCells <= 1u << 16);
  PartEvent e = event;
  e.cell = static_cast<std::uint16_t>(cell);
  trace_->add(e);
}

void Thread::end() noexcept {
  const std::uint64_t time = ticks() - open_.start;
  depth_ = 0;
  const std::uint32_t cell = cell_of(open_.kind, open_.at);
  Counts& c = counts_[cell];
  const std::uint64_t waited = is_wait(open_.kind) ? time : open_.waited;
  const Reach reached = reach(open_.access);
  if (trace_ != nullptr)
    record(cell, {.start = open_.start,
                  .duration = time,
                  .waited = waited,
                  .bytes = open_.access.bytes,
                  .cell = 0,
                  .flags = static_cast<std::uint16_t>(reached == Reach::kRemote ? kPartRemote : 0),
                  .peer = peer_of(open_.access)});
  ++c.count;
  c.bytes += open_.access.bytes;
  c.time += time;
  c.waited += waited;
  ++c.sizes[bucket_of(open_.access.bytes)];
  switch (reached) {
    case Reach::kNone:
      break;
    case Reach::kLocal:
      ++c.local;
      break;
    case Reach::kMapped:
      ++c.mapped;
      break;
    case Reach::kRemote:
      ++c.remote;
      break;
  }
  count_pair(open_.access);
}

void Thread::lock_acquired(std::uint64_t lock) noexcept {
  if (depth_ == 0 || held_.size() == held_.capacity()) return;
  held_.push_back({lock, ticks(), cell_of(open_.kind, open_.at)});
}

void Thread::lock_released(std::uint64_t lock) noexcept {
  const auto found = std::find_if(held_.begin(), held_.end(), [&](const Held& h) { return h.lock == lock; });
  if (found == held_.end()) return;
  counts_[found->cell].held += ticks() - found->since;
  held_.erase(found);
}

void Thread::region_began(const char* name) noexcept {
  if (on_ && regions_.size() < regions_.capacity()) regions_.push_back({name, ticks()});
}

void Thread::region_over(const char* name) noexcept {
  const auto found =
      std::find_if(regions_.rbegin(), regions_.rend(), [&](const Region& r) { return r.name == name; });
  if (found == regions_.rend()) return;
  const std::uint32_t cell = cell_of(Kind::kUser, {name, 0});
  Counts& c = counts_[cell];
  const std::uint64_t time = ticks() - found->start;
  ++c.count;
  c.time += time;
  record(cell, {.start = found->start,
                .duration = time,
                .waited = 0,
                .bytes = 0,
                .cell = 0,
                .flags = 0,
                .peer = kNobody});
  regions_.erase(std::next(found).base());
}

void Thread::count_message(std::uint32_t cell, std::size_t bytes) noexcept {
  Counts& c = counts_[cell];
  ++c.count;
  c.bytes += bytes;
  ++c.sizes[bucket_of(bytes)];
}

void Thread::message_sent(Kind kind, std::size_t bytes, const MessageEnd& end) noexcept {
  if (!on_) return;
  const std::uint32_t cell = cell_of(kind, depth_ != 0 ? open_.at : Position{});
  count_message(cell, bytes);
  if (trace_ == nullptr || !trace_->wants(kind)) return;
  record(cell, {.start = ticks(),
                .duration = 0,
                .waited = end.number,
                .bytes = bytes,
                .cell = 0,
                .flags = 0,
                .peer = end.peer});
}

void Thread::message_handled(Kind kind, std::size_t bytes, std::uint64_t start,
                             const MessageEnd& end) noexcept {
  if (!on_) return;
  const std::uint64_t time = ticks() - start;
  const std::uint32_t cell = cell_of(kind, depth_ != 0 ? open_.at : Position{});
  count_message(cell, bytes);
  counts_[cell].time += time;
  record(cell, {.start = start,
                .duration = time,
                .waited = end.number,
                .bytes = bytes,
                .cell = 0,
                .flags = 0,
                .peer = end.peer});
}

void Thread::in_flight(std::int64_t change) noexcept {
  in_flight_ += static_cast<std::uint64_t>(change);
  counter(Kind::kBytesInFlight, in_flight_, 0);
}
void Thread::implicit_started(bool get, std::size_t bytes) noexcept {
  (get ? implicit_gets_ : implicit_puts_) += bytes;
  in_flight(static_cast<std::int64_t>(bytes));
}
void Thread::implicit_over(bool gets, bool puts) noexcept {
  std::uint64_t bytes = 0;
  if (gets) bytes += std::exchange(implicit_gets_, 0);
  if (puts) bytes += std::exchange(implicit_puts_, 0);
  if (bytes != 0) in_flight(-static_cast<std::int64_t>(bytes));
}

void Thread::counter(Kind kind, std::uint64_t value, std::uint64_t second) noexcept {
  if (!on_) return;
  record(cell_of(kind, {}), {.start = ticks(),
                             .duration = 0,
                             .waited = second,
                             .bytes = value,
                             .cell = 0,
                             .flags = 0,
                             .peer = kNobody});
}

bool Thread::set_on(bool on) noexcept {
  const bool before = on_;
  on_ = on;
  return before;
}

Thread* current() noexcept {
  const ThreadCtx* const c = ctx_or_null();
  return c != nullptr ? c->observed : nullptr;
}

namespace detail {

bool begin(Kind kind, const Access& access) noexcept {
  ThreadCtx* const c = ctx_or_null();
  if (c == nullptr || c->observed == nullptr) return false;
  const bool counted = c->observed->begin(kind, access, {c->file, c->line});
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

}  // namespace detail
}  // namespace upcr::observe
