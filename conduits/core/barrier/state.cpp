// SPDX-License-Identifier: BSD-3-Clause
// The barrier inside a window group.
//
// Three forms. One group of up to kFlatBarrierMax threads, a flat barrier: each thread writes phase and value
// as one word into a line that they share; all have arrived when every word has this phase. One larger group:
// the last thread to arrive combines the values and publishes the phase. Several groups: as the second form,
// but the last thread to arrive passes the group's summary to the exchange, and the handler that completes
// the exchange publishes the phase.
//
// Memory order. Everything before a thread's notify happens before everything after any thread has seen that
// the phase is complete:
//   words     each thread's store(release) of its own word pairs with the readers' load(acquire) of it.
//   counter   every arrival is a read-modify-write with acq_rel: they form one release sequence, so the last
//             one has acquired all others; store(done, release) passes that on to each load(done, acquire).
//             The counter's reset is ordered before done, so the next phase's arrivals come after it.
//   exchange  the last arriver takes the lock after the above; each message is sent by a thread that held
//             the lock later, and a delivered message happens after its sending; the handler takes the
//             lock of its own group, and the call that completes the phase took it last of all.
// Each thread has two words, one for each parity of the phase: a peer may be one phase ahead, and then it has
// written the other word. It writes this one again at phase + 2, after it saw this thread's word (or done) of
// phase + 1, which this thread stored after it had read the peer's word. So a word is of its phase or of two
// phases before, and the last bits of the phase are sufficient. Likewise the summary beside `done` is written
// again only after all threads have arrived at the next phase, and each has read the result before that.
#include "conduits/core/barrier/state.hpp"

#include <algorithm>

#include "conduits/core/am/args.hpp"

namespace upcr {
namespace {

constexpr Slot kNoSlot = ~Slot{0};

}  // namespace

std::size_t Barrier::area_bytes(const Topology& t) {
  return t.window_group_slots() * sizeof(Line) + sizeof(Group);
}

void Barrier::attach(void* area, const Topology& t, const Doorbells& doorbells, AmEngine* engine,
                     std::vector<Rank> leaders) {
  first_slot_ = t.window_group_first_slot();
  slots_ = t.window_group_slots();
  lines_ = static_cast<Line*>(area);
  group_ = reinterpret_cast<Group*>(lines_ + slots_);
  doorbells_ = &doorbells;
  networked_ = leaders.size() > 1;
  flat_ = !networked_ && slots_ <= kFlatBarrierMax;
  words_ = flat_ ? group_->arrival[0] : lines_->arrival;
  stride_ = (flat_ ? sizeof group_->arrival[0] : sizeof(Line)) / sizeof *words_;
  if (!networked_) return;
  const auto mine = std::lower_bound(leaders.begin(), leaders.end(), t.window_group_first) - leaders.begin();
  exchange_.attach(&group_->exchange, engine, WindowGroups(std::move(leaders), t.size),
                   static_cast<std::uint32_t>(mine));
  engine->set_internal(InternalHandler::kBarrier, &Barrier::on_message, this);
}

void Barrier::notify(Slot slot, BarrierValue value, Arrival arrival) {
  Line& mine = line(slot);
  const std::uint32_t phase = mine.phase.load(std::memory_order_relaxed) + 1;
  mine.mine = word_of(phase, value, arrival);
  word(slot - first_slot_, phase).store(mine.mine, std::memory_order_release);
  mine.phase.store(phase, std::memory_order_release);  // for ahead()
  if (flat_) return ring_others(slot);
  if (group_->arrivals.fetch_add(1, std::memory_order_acq_rel) + 1 == slots_) last_arrived(slot, phase);
}

void Barrier::last_arrived(Slot slot, std::uint32_t phase) {
  group_->arrivals.store(0, std::memory_order_relaxed);
  const BarrierSummary summary = combine(phase);
  if (networked_) {
    complete_if(exchange_.group_arrived(phase, summary), phase);
    send_due(nullptr);
  } else {
    release(phase, summary);
    ring_others(slot);
  }
}

BarrierSummary Barrier::combine(std::uint32_t phase) const noexcept {
  BarrierSummary all;
  for (Slot i = 0; i < slots_; ++i)
    all.add(first_slot_ + i, value_in(word(i, phase).load(std::memory_order_relaxed)));
  return all;
}

void Barrier::release(std::uint32_t phase, const BarrierSummary& summary) {
  group_->summary = summary;
  group_->done.store(phase, std::memory_order_release);
}

// Releases the group if that step of the exchange was the last one. Runs in handlers too.
void Barrier::complete_if(const BarrierExchange::Outcome& outcome, std::uint32_t phase) {
  if (!outcome.complete) return;
  release(phase, outcome.summary);
  ring_others(kNoSlot);
}

void Barrier::on_message(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t,
                         void* self) {
  auto& barrier = *static_cast<Barrier*>(self);
  const std::uint32_t done = barrier.group_->done.load(std::memory_order_relaxed);
  const auto message = from_args<BarrierExchange::Message>(args, nargs, token.source, "barrier message");
  const BarrierExchange::Outcome outcome = barrier.exchange_.record(message, done);
  barrier.complete_if(outcome, message.phase);
  if (outcome.due) barrier.ring_others(kNoSlot);  // a thread that waits sends the next round
}

void Barrier::send_due(ProgressEngine* progress) {
  if (!due()) return;
  exchange_.send_due(progress);
  // A thread of the group that waits sends the messages without room: it may wait for room.
  if (urgent()) ring_others(kNoSlot);
}

BarrierResult Barrier::result(Slot slot) const noexcept {
  if (!flat_) return group_->summary.result();
  bool same_value = false;
  (void)arrived(slot, &same_value);
  return same_value ? agreed(slot) : combine(phase(slot)).result();  // agreed() is a shortcut
}

void Barrier::ring_others(Slot slot) const noexcept {
  if (!doorbells_->has(first_slot_)) return;
  Doorbell* const bells = &doorbells_->of(first_slot_);
  for (Slot i = 0; i < slots_; ++i)
    if (first_slot_ + i != slot) bells[i].ring();
}

}  // namespace upcr
