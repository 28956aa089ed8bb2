// SPDX-License-Identifier: BSD-3-Clause
// Dissemination between groups: see barrier/exchange.hpp for the protocol.
#include "conduits/core/barrier/exchange.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

#include "conduits/core/am/args.hpp"
#include "conduits/core/base/report/error.hpp"

namespace upcr {
namespace {

constexpr Rank kNoRank = ~Rank{0};

constexpr std::uint64_t first_bits(unsigned n) {
  return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
}

// Is radix^rounds >= groups?
bool reaches(std::uint64_t radix, unsigned rounds, std::uint64_t groups) {
  std::uint64_t reach = 1;
  for (unsigned i = 0; i < rounds && reach < groups; ++i) reach *= radix;
  return reach >= groups;
}

}  // namespace

void BarrierExchange::attach(Shared* shared, AmEngine* engine, WindowGroups window_groups,
                             std::uint32_t group) {
  shared_ = shared;
  engine_ = engine;
  groups_ = std::move(window_groups);
  group_ = group;
  const std::uint64_t groups = groups_.count();
  const Rank largest = groups_.largest();
  // As few rounds as kOneRound allows, then the smallest radix that is sufficient for them.
  for (rounds_ = 0; !reaches(kOneRound, rounds_, groups);) ++rounds_;
  if (rounds_ > kMaxRounds) fatal("internal error: a barrier over %u groups", groups_.count());
  for (radix_ = 1; !reaches(radix_, rounds_, groups);) ++radix_;
  std::uint64_t distance = 1;
  for (unsigned i = 0; i < rounds_; ++i, distance *= radix_) {
    distance_[i] = distance;
    targets_[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(radix_ - 1, (groups - 1) / distance));
    copies_[i] = std::min(largest, kMaxMessages / targets_[i]);
  }
}

BarrierExchange::PhaseState& BarrierExchange::phase_state(std::uint32_t phase) noexcept {
  PhaseState& p = shared_->phases[phase & 1];
  if (p.phase != phase) {
    p = PhaseState{};
    p.phase = phase;
  }
  return p;
}

// Does a later phase use the PhaseState of this one? Under the lock.
bool BarrierExchange::is_over(std::uint32_t phase) const noexcept {
  return static_cast<std::int32_t>(shared_->phases[phase & 1].phase - phase) > 0;
}

// Is there a target among these messages to which no copy has been sent?
bool BarrierExchange::is_urgent(unsigned round, std::uint64_t messages,
                                std::uint64_t sent_to) const noexcept {
  std::uint64_t targets = 0;
  for (unsigned copy = 0; copy < copies_[round]; ++copy) targets |= messages >> copy * targets_[round];
  return (targets & first_bits(targets_[round]) & ~sent_to) != 0;
}

// Under the lock.
void BarrierExchange::raise_due(bool urgent) noexcept {
  if (urgent)
    shared_->due.store(Due::kMessages, std::memory_order_relaxed);
  else if (!due())
    shared_->due.store(Due::kCopies, std::memory_order_relaxed);
}

// Permits the sending of every round whose predecessor is complete.
void BarrierExchange::open_rounds(PhaseState& p) noexcept {
  while (p.arrived && p.rounds_open < rounds_ &&
         (p.rounds_open == 0 || p.received[p.rounds_open - 1] == first_bits(targets_[p.rounds_open - 1]))) {
    p.unsent[p.rounds_open] = first_bits(targets_[p.rounds_open] * copies_[p.rounds_open]);
    ++p.rounds_open;
    raise_due(true);
  }
}

BarrierExchange::Outcome BarrierExchange::outcome(const PhaseState& p) const noexcept {
  Outcome o;
  o.complete =
      p.arrived && p.rounds_open == rounds_ && p.received[rounds_ - 1] == first_bits(targets_[rounds_ - 1]);
  o.due = due();
  if (o.complete) o.summary = p.summary;
  return o;
}

BarrierExchange::Outcome BarrierExchange::group_arrived(std::uint32_t phase, const BarrierSummary& mine) {
  const std::lock_guard<SpinLock> guard(shared_->lock);
  PhaseState& p = phase_state(phase);
  p.arrived = true;
  p.summary.join(mine);
  open_rounds(p);
  return outcome(p);
}

BarrierExchange::Outcome BarrierExchange::record(const Message& message, std::uint32_t done) {
  BarrierSummary theirs;
  const std::uint32_t phase = message.phase, round = message.round, target = message.target;
  const auto ahead = static_cast<std::int32_t>(phase - done);
  if (round >= rounds_ || target - 1 >= targets_[round] || ahead > 2 ||
      !theirs.decode(message.summary.data()))
    fatal(
        "internal error: a barrier message that fits no barrier: phase %u, round %u, target %u, after phase "
        "%u",
        phase, round, target, done);
  const std::uint64_t bit = std::uint64_t{1} << (target - 1);
  const std::lock_guard<SpinLock> guard(shared_->lock);
  // A later copy changes nothing, so a phase is completed once.
  if (ahead <= 0 || is_over(phase)) return {false, due(), {}};
  PhaseState& p = phase_state(phase);
  if ((p.received[round] & bit) != 0) return {false, due(), {}};
  p.received[round] |= bit;
  p.summary.join(theirs);
  open_rounds(p);
  return outcome(p);
}

// The unsent messages of one round, of the older phase first. False: there were none.
bool BarrierExchange::next_batch(Batch* batch) noexcept {
  const std::lock_guard<SpinLock> guard(shared_->lock);
  const unsigned older =
      static_cast<std::int32_t>(shared_->phases[0].phase - shared_->phases[1].phase) < 0 ? 0 : 1;
  for (unsigned i = 0; i < 2; ++i) {
    PhaseState& p = shared_->phases[older ^ i];
    for (unsigned round = 0; round < rounds_; ++round) {
      if (p.unsent[round] == 0) continue;
      *batch = {p.phase, round, p.unsent[round], p.sent_to[round], p.summary};
      p.unsent[round] = 0;
      return true;
    }
  }
  shared_->due.store(Due::kNothing, std::memory_order_relaxed);
  return false;
}

void BarrierExchange::put_back(const Batch& batch) noexcept {
  const std::lock_guard<SpinLock> guard(shared_->lock);
  PhaseState& p = shared_->phases[batch.phase & 1];
  if (p.phase != batch.phase) return;  // copies of a phase that is over
  p.unsent[batch.round] |= batch.messages;
  p.sent_to[batch.round] |= batch.sent_to;
  raise_due(is_urgent(batch.round, batch.messages, p.sent_to[batch.round]));
}

Rank BarrierExchange::receiver(const Batch& batch, std::uint64_t target, unsigned copy) const noexcept {
  const auto group = static_cast<std::uint32_t>((group_ + target * distance_[batch.round]) % groups_.count());
  const Rank size = groups_.size(group);
  return copy < size ? groups_.first(group) + (batch.phase + copy) % size : kNoRank;
}

// Leaves messages without room in the batch.
void BarrierExchange::send(Batch& batch) {
  Message message{batch.phase, static_cast<std::uint16_t>(batch.round), 0, {}};
  batch.summary.encode(message.summary.data());
  for (std::uint64_t left = batch.messages; left != 0; left &= left - 1) {
    const auto index = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint32_t target = index % targets_[batch.round] + 1;
    const Rank to = receiver(batch, target, index / targets_[batch.round]);
    if (to == kNoRank) {  // a small group
      batch.messages &= ~(left & -left);
      continue;
    }
    message.target = static_cast<std::uint16_t>(target);
    const auto args = to_args(message);
    if (engine_->try_request(to, internal_message(InternalHandler::kBarrier, args)) == Status::kNoResource)
      continue;
    batch.messages &= ~(left & -left);
    batch.sent_to |= std::uint64_t{1} << (target - 1);
  }
}

void BarrierExchange::send_due(ProgressEngine* progress) {
  Batch left[2 * kMaxRounds];
  unsigned n = 0;
  for (Batch batch; n < 2 * kMaxRounds && next_batch(&batch);) {
    send(batch);
    while (progress != nullptr && is_urgent(batch.round, batch.messages, batch.sent_to)) {
      // The other processes make room only if this one handles its arrivals. The receiver may compute for
      // long; meanwhile this process serves its peers.
      if (progress->poll() == 0) cpu_relax_or_yield();
      send(batch);
    }
    if (batch.messages != 0) left[n++] = batch;
  }
  for (unsigned i = 0; i < n; ++i) put_back(left[i]);
}

}  // namespace upcr
