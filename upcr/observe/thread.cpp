// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/observe/thread.hpp"

#include <algorithm>
#include <utility>

#include "conduits/core/progress/wait_observer.hpp"
#include "upcr/observe/mask.hpp"
#include "upcr/observe/settings.hpp"
#include "upcr/observe/thread_path.hpp"

namespace upcr::observe {
namespace {

// A line's accesses of which all are timed, before only a sample of them is.
constexpr std::uint64_t kAllTimed = 64;
// The mean below which an access is short. Of one in the sample that takes this many times as long only so
// much is scaled: what delayed it, another process on its CPU, need not have happened to those that were not
// timed.
constexpr std::uint64_t kShortNs = 1000, kMostScaled = 16;
// One of 16 is timed: the gaps between these are 15 in the mean, from 0 to 30.
constexpr std::uint64_t kGaps = 31, kStandsFor = (kGaps + 1) / 2;

// How often both clocks are read, in ticks: after a crash the length of a tick is known as of then.
constexpr std::uint64_t kClockInterval = 1 << 16;

std::uint64_t beyond(std::uint64_t value, std::uint64_t limit) noexcept {
  return value > limit ? value - limit : 0;
}

}  // namespace

Thread::Thread(const ThreadCtx& thread, std::unique_ptr<RecordMemory> record, std::unique_ptr<Trace> trace)
    : thread_(thread.thread),
      threads_(job().topology.slots()),
      reading_(least_reading()),
      counting_(settings().statistics),
      counts_(record->view().counts()),
      pairs_(record->view().pairs()),
      message_cells_(kMaxCells),
      random_(thread.thread * 0x9e3779b97f4a7c15u + 1),
      record_(std::move(record)),
      trace_(std::move(trace)) {
  // Nothing is allocated while the program runs, in whose allocator's hooks these functions may be called.
  positions_.reserve(kMaxCells);
  positions_.push_back({});
  held_.reserve(64);
  regions_.reserve(64);
}

// When there are too many lines, operations of further ones are counted without theirs; kKinds cells are kept
// back for that.
std::uint32_t Thread::add_cell(const LineTable::Key& key) noexcept {
  const auto kind = static_cast<Kind>(key.line_and_kind >> 32);
  const int line = static_cast<int>(key.line_and_kind & ~0u);
  if (key.file != nullptr && positions_.size() >= kMaxCells - kKinds - 1) {
    ++record_->view().header().lost;
    return cell_of(kind, {});
  }
  const bool traced = trace_ != nullptr && trace_->wants(kind);
  const std::uint32_t cell = record_->add_cell(
      kind, key.file, line,
      static_cast<std::uint16_t>((traced ? kCellTraced : 0) | (is_sampled(kind) ? kCellSampled : 0)));
  positions_.push_back({key.file, line});
  LineTable::Slot& slot = lines_.find(key);
  slot.key = key;
  slot.cell = cell;
  if (trace_ != nullptr) trace_->add_cell(cell, kind, key.file, line);
  return cell;
}

// A part of the accesses that are short is timed; of all others each one is.
[[gnu::noinline]] void Thread::choose_timing(CellCounts& c) noexcept {
  open_.apart = open_.access.bytes > kShortBytes;
  open_.sampled = !open_.apart && gap_of(c) == 0;
  if (open_.sampled || open_.apart)
    observe_this_threads_waits = true;
  else
    --gap_of(c);  // of a traced one
}

std::uint64_t Thread::short_limit() noexcept {
  if (short_limit_ != 0) return short_limit_;
  const RecordHeader& h = record_->view().header();
  const Moment now = Moment::now();
  const std::uint64_t ns = std::max<std::uint64_t>(now.ns - h.start_ns, 1);
  return short_limit_ = std::max<std::uint64_t>((now.ticks - h.start_ticks) * kShortNs / ns, 1);
}

// Only a sample of the cell's operations is timed.
bool Thread::is_short(const CellCounts& c) noexcept {
  return c.timed >= kAllTimed && c.short_time < c.timed * short_limit();
}

// A linear congruential generator, with the constants of Knuth's MMIX.
std::uint32_t Thread::random_gap() noexcept {
  random_ = random_ * 6364136223846793005u + 1442695040888963407u;
  return static_cast<std::uint32_t>(((random_ >> 32) * kGaps) >> 32);
}

void Thread::add_pair_time(std::uint64_t time, std::uint64_t waited) noexcept {
  const Slot end = farther_end();
  if (end >= threads_) return;
  Pair::OfKind& pair = pairs_[end].kinds[open_.pair_kind];
  pair.time += time;
  pair.waited += waited;
}

// `time`: without that of long waits.
void Thread::add_time(CellCounts& c, std::uint64_t time) noexcept {
  const std::uint64_t waited =
      is_wait(open_.kind) ? time : std::min(time, beyond(open_.waited, open_.long_wait));
  if (open_.apart || (c.flags & kCellSampled) == 0) {
    ++c.apart;
    c.time += time;
    c.waited += waited;
    add_pair_time(time, waited);
    return;
  }
  const std::uint64_t most = kMostScaled * short_limit();
  const bool stands_for_others = is_short(c);
  ++c.timed;
  c.short_time += std::min(time, most);
  if (stands_for_others) {
    ++c.sampled;
    c.time += beyond(time, most);
    c.waited += beyond(waited, most);
    c.sample_time += std::min(time, most);
    c.sample_waited += std::min(waited, most);
    add_pair_time(beyond(time, most) + kStandsFor * std::min(time, most),
                  beyond(waited, most) + kStandsFor * std::min(waited, most));
  } else {
    ++c.apart;
    c.time += time;
    c.waited += waited;
    add_pair_time(time, waited);
  }
  if (is_short(c)) gap_of(c) = random_gap();
}

// `now`: the operation's end, if it is stamped.
[[gnu::noinline]] void Thread::add_times(CellCounts& c, std::uint64_t now) noexcept {
  if (open_.long_wait != 0) {
    c.time += open_.long_wait;
    c.waited += open_.long_wait;
    add_pair_time(open_.long_wait, open_.long_wait);
    if (!open_.stamped) return;
  }
  observe_this_threads_waits = false;
  if (open_.sampled || open_.apart) add_time(c, beyond(now - open_.start, open_.long_wait));
  if (counting_ && now - record_->view().header().last_ticks > kClockInterval) record_->read_clocks();
}

[[gnu::noinline]] bool Thread::passes_mask(std::uint32_t cell, bool own) const noexcept {
  return trace_mask.lets_pass(record_->view().keys()[cell].kind, own);
}

void Thread::lock_acquired(std::uint64_t lock) noexcept {
  if ((state_ & kOpen) == 0 || held_.size() == held_.capacity()) return;
  held_.push_back({lock, ticks(), open_.cell});
}

void Thread::lock_released(std::uint64_t lock) noexcept {
  const auto found = std::find_if(held_.begin(), held_.end(), [&](const Held& h) { return h.lock == lock; });
  if (found == held_.end()) return;
  counts_[found->cell].held += ticks() - found->since;
  held_.erase(found);
}

void Thread::region_began(const char* name) noexcept {
  if (on() && regions_.size() < regions_.capacity()) regions_.push_back({name, ticks()});
}

void Thread::region_over(const char* name) noexcept {
  const auto found =
      std::find_if(regions_.rbegin(), regions_.rend(), [&](const Region& r) { return r.name == name; });
  if (found == regions_.rend()) return;
  const std::uint32_t cell = cell_of(Kind::kUser, {name, 0});
  CellCounts& c = counts_[cell];
  const std::uint64_t time = ticks() - found->start;
  ++c.count;
  c.time += time;
  if ((c.flags & kCellTraced) != 0)
    add_event({.start = found->start,
               .duration = time,
               .waited = 0,
               .bytes = 0,
               .cell = static_cast<std::uint16_t>(cell),
               .flags = 0,
               .peer = kNobody});
  regions_.erase(std::next(found).base());
}

bool Thread::marks_at(const Position& at) noexcept {
  if (!on() || trace_ == nullptr || !trace_->wants(Kind::kMark) || !trace_mask.lets_pass(Kind::kMark, false))
    return false;
  mark_cells_[marks_++ % mark_cells_.size()] = cell_of(Kind::kMark, at);
  return true;
}

void Thread::mark(const char* text) noexcept {
  if (marks_ == 0) return;
  const std::uint32_t cell = mark_cells_[--marks_ % mark_cells_.size()];
  add_event({.start = ticks(),
             .duration = 0,
             .waited = trace_->text(text),
             .bytes = 0,
             .cell = static_cast<std::uint16_t>(cell),
             .flags = 0,
             .peer = kNobody});
}

[[gnu::noinline]] std::uint32_t Thread::find_message_cell(Kind kind) noexcept {
  const std::uint32_t cell = cell_of(kind, open_position());
  const unsigned i = static_cast<unsigned>(kind) - static_cast<unsigned>(Kind::kRequestShort);
  message_cells_[current_cell_][i] = static_cast<std::uint16_t>(cell);
  return cell;
}

void Thread::message_handled(Kind kind, std::size_t bytes, std::uint64_t start, std::uint64_t time,
                             const MessageEnd& end) noexcept {
  if (!on()) return;
  const bool completes =
      kind == Kind::kReplyHandler && time == 0 && open_.requests == 1 && open_.peer == end.peer;
  open_.replied = completes ? start : 0;
  std::uint32_t cell = message_cell(kind);
  if (__builtin_expect(cell == 0, 0)) cell = find_message_cell(kind);
  CellCounts& c = counts_[cell];
  count_message(c, bytes);
  c.time += time;
  if ((c.flags & kCellTraced) != 0) message_event(cell, bytes, start, time, end);
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
  if (!on()) return;
  const std::uint32_t cell = cell_of(kind, {});
  if ((counts_[cell].flags & kCellTraced) != 0)
    add_event({.start = ticks(),
               .duration = 0,
               .waited = second,
               .bytes = value,
               .cell = static_cast<std::uint16_t>(cell),
               .flags = 0,
               .peer = kNobody});
}

bool Thread::set_on(bool on) noexcept {
  const bool before = this->on();
  state_ = on ? state_ & ~unsigned{kOff} : state_ | kOff;
  return before;
}

std::vector<char> Thread::block() const {
  record_->read_clocks();
  return record_->view().block();
}

}  // namespace upcr::observe
