// SPDX-License-Identifier: BSD-3-Clause
// Dissemination between groups: see barrier_exchange.hpp for the protocol.
#include "conduits/core/barrier_exchange.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

#include "conduits/base/report.hpp"

namespace upcr {
namespace {

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

void BarrierExchange::attach(Shared* shared, AmEngine* engine, std::vector<Rank> leaders,
                             std::uint32_t group) {
  shared_ = shared;
  engine_ = engine;
  leaders_ = std::move(leaders);
  group_ = group;
  const std::uint64_t groups = leaders_.size();
  // As few rounds as kOneRound allows, then the smallest radix that does with them.
  for (rounds_ = 0; !reaches(kOneRound, rounds_, groups);) ++rounds_;
  if (rounds_ > kMaxRounds) fatal("internal error: a barrier over %zu groups", leaders_.size());
  for (radix_ = 1; !reaches(radix_, rounds_, groups);) ++radix_;
  std::uint64_t distance = 1;
  for (unsigned i = 0; i < rounds_; ++i, distance *= radix_) {
    distance_[i] = distance;
    targets_[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(radix_ - 1, (groups - 1) / distance));
  }
}

BarrierExchange::Place& BarrierExchange::place(std::uint32_t phase) noexcept {
  Place& p = shared_->places[phase & 1];
  if (p.phase != phase) {
    for (unsigned i = 0; i < kMaxRounds; ++i) UPCR_ASSERT(p.unsent[i] == 0);
    p = Place{};
    p.phase = phase;
  }
  return p;
}

// Releases for sending every round whose predecessor is complete.
void BarrierExchange::open_rounds(Place& p) noexcept {
  while (p.here && p.rounds_open < rounds_ &&
         (p.rounds_open == 0 || p.received[p.rounds_open - 1] == targets_[p.rounds_open - 1])) {
    p.unsent[p.rounds_open] = first_bits(targets_[p.rounds_open]);
    ++p.rounds_open;
    shared_->due.store(1, std::memory_order_relaxed);
  }
}

BarrierExchange::Outcome BarrierExchange::outcome(const Place& p) const noexcept {
  Outcome o;
  o.complete = p.here && p.rounds_open == rounds_ && p.received[rounds_ - 1] == targets_[rounds_ - 1];
  o.due = due();
  if (o.complete) o.summary = p.summary;
  return o;
}

BarrierExchange::Outcome BarrierExchange::group_here(std::uint32_t phase, const BarrierSummary& mine) {
  const std::lock_guard<SpinLock> guard(shared_->lock);
  Place& p = place(phase);
  p.here = true;
  p.summary.join(mine);
  open_rounds(p);
  return outcome(p);
}

BarrierExchange::Outcome BarrierExchange::record(const std::uint32_t* args, unsigned nargs,
                                                 std::uint32_t done) {
  BarrierSummary theirs;
  if (nargs != kArgs || args[1] >= rounds_ || args[0] - done - 1 > 1 || !theirs.decode(args + 2))
    fatal(
        "internal error: a barrier message that fits no barrier: %u arguments, phase %u, round %u, after "
        "phase %u",
        nargs, nargs > 0 ? args[0] : 0, nargs > 1 ? args[1] : 0, done);
  const std::lock_guard<SpinLock> guard(shared_->lock);
  Place& p = place(args[0]);
  if (++p.received[args[1]] > targets_[args[1]])
    fatal("internal error: a barrier message too many: phase %u, round %u", args[0], args[1]);
  p.summary.join(theirs);
  open_rounds(p);
  return outcome(p);
}

// One round's worth; the older phase first. False: nothing was left.
bool BarrierExchange::take(Batch* batch) noexcept {
  const std::lock_guard<SpinLock> guard(shared_->lock);
  const unsigned older =
      static_cast<std::int32_t>(shared_->places[0].phase - shared_->places[1].phase) < 0 ? 0 : 1;
  for (unsigned i = 0; i < 2; ++i) {
    Place& p = shared_->places[older ^ i];
    for (unsigned round = 0; round < rounds_; ++round) {
      if (p.unsent[round] == 0) continue;
      *batch = {p.phase, round, p.unsent[round], p.summary};
      p.unsent[round] = 0;
      return true;
    }
  }
  shared_->due.store(0, std::memory_order_relaxed);
  return false;
}

void BarrierExchange::put_back(const Batch& batch) noexcept {
  const std::lock_guard<SpinLock> guard(shared_->lock);
  Place& p = shared_->places[batch.phase & 1];
  UPCR_ASSERT(p.phase == batch.phase);
  p.unsent[batch.round] |= batch.targets;
  shared_->due.store(1, std::memory_order_relaxed);
}

// Returns the targets that there was no room for.
std::uint64_t BarrierExchange::send(const Batch& batch, bool may_wait) {
  std::uint32_t args[kArgs] = {batch.phase, batch.round};
  batch.summary.encode(args + 2);
  AmMessage message;
  message.internal = true;
  message.handler = static_cast<std::uint8_t>(InternalHandler::kBarrier);
  message.args = args;
  std::uint64_t refused = 0;
  for (std::uint64_t left = batch.targets; left != 0; left &= left - 1) {
    const auto j = static_cast<std::uint64_t>(std::countr_zero(left)) + 1;
    const Rank to = leaders_[(group_ + j * distance_[batch.round]) % leaders_.size()];
    if (may_wait)
      engine_->request(to, message);
    else if (engine_->try_request(to, message) == Status::kNoResource)
      refused |= left & -left;
  }
  return refused;
}

bool BarrierExchange::send_due(bool may_wait) {
  Batch refused[2 * kMaxRounds];
  unsigned n = 0;
  for (Batch batch; n < 2 * kMaxRounds && take(&batch);) {
    batch.targets = send(batch, may_wait);
    if (batch.targets != 0) refused[n++] = batch;
  }
  for (unsigned i = 0; i < n; ++i) put_back(refused[i]);
  return n == 0;
}

}  // namespace upcr
