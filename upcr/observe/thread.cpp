// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/thread.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>

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

// The names of a block, each of them once.
class Names {
 public:
  std::uint32_t offset_of(const char* name) {
    if (name == nullptr) return 0;
    const auto [found, added] = offsets_.try_emplace(name, static_cast<std::uint32_t>(text_.size()));
    if (added)
      text_.insert(text_.end(), found->first.c_str(), found->first.c_str() + found->first.size() + 1);
    return found->second;
  }
  const std::vector<char>& text() const { return text_; }

 private:
  std::vector<char> text_ = {'\0'};
  std::map<std::string, std::uint32_t> offsets_;
};

template <typename T>
void append(std::vector<char>& block, const T* first, std::size_t count) {
  const char* const bytes = reinterpret_cast<const char*>(first);
  block.insert(block.end(), bytes, bytes + count * sizeof(T));
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
  if (last_ < keys_.size() && keys_[last_] == key) return last_;
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
  return last_ = slots_[slot] - 1;
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

void Thread::record(std::uint32_t cell, std::uint64_t start, std::uint64_t time, std::uint64_t waited,
                    const Access& access) noexcept {
  if (!trace_->wants(keys_[cell].kind)) return;
  trace_->add({start, time, waited, access.bytes, cell, access.to < threads_ ? access.to : access.from});
}

void Thread::end() noexcept {
  const std::uint64_t time = ticks() - open_.start;
  depth_ = 0;
  const std::uint32_t cell = cell_of(open_.kind, open_.at);
  Counts& c = counts_[cell];
  if (trace_ != nullptr)
    record(cell, open_.start, time, is_wait(open_.kind) ? time : open_.waited, open_.access);
  ++c.count;
  c.bytes += open_.access.bytes;
  c.time += time;
  c.waited += is_wait(open_.kind) ? time : open_.waited;
  ++c.sizes[bucket_of(open_.access.bytes)];
  switch (reach(open_.access)) {
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
  if (trace_ != nullptr) record(cell, found->start, time, 0, {});
  regions_.erase(std::next(found).base());
}

void Thread::message_sent(Kind kind, std::size_t bytes, std::uint32_t to) noexcept {
  if (!on_) return;
  const std::uint32_t cell = cell_of(kind, depth_ != 0 ? open_.at : Position{});
  Counts& c = counts_[cell];
  ++c.count;
  c.bytes += bytes;
  ++c.sizes[bucket_of(bytes)];
  if (trace_ != nullptr && trace_->wants(kind)) trace_->add({ticks(), 0, 0, bytes, cell, to});
}

bool Thread::set_on(bool on) noexcept {
  const bool before = on_;
  on_ = on;
  return before;
}

std::vector<char> Thread::block() const {
  const Moment now = Moment::now();
  const TickLength tick(start_, now);
  Names names;
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    Cell cell{keys_[i].kind, names.offset_of(keys_[i].file), keys_[i].line, 0, counts_[i]};
    for (std::uint64_t* time : {&cell.counts.time, &cell.counts.waited, &cell.counts.held})
      *time = tick.ns(*time);
    cells.push_back(cell);
  }
  BlockHeader header{};
  header.magic = kBlockMagic;
  header.thread = thread_;
  header.threads = threads_;
  header.cells = static_cast<std::uint32_t>(cells.size());
  header.name_bytes = static_cast<std::uint32_t>(names.text().size());
  header.rank = rank_;
  header.ranks = ranks_;
  header.duration = now.ns - start_.ns;
  header.lost = lost_;
  (void)::gethostname(header.host, sizeof header.host - 1);
  std::vector<char> block;
  block.reserve(block_bytes(header));
  append(block, &header, 1);
  append(block, cells.data(), cells.size());
  append(block, pairs_.data(), pairs_.size());
  append(block, names.text().data(), names.text().size());
  return block;
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

}  // namespace detail
}  // namespace upcr::observe
