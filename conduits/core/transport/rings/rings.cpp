// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/transport/rings/rings.hpp"

#include <mutex>
#include <new>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr {

// The memory: two rings for each ordered pair of sharers, [from][to][request, reply]; then the set of senders
// to each.
inline Ring* Rings::rings_of(Rank from, Rank to) const noexcept {
  return static_cast<Ring*>(memory_) +
         2 * (std::size_t{from - sharers_.first} * sharers_.size + (to - sharers_.first));
}

void Rings::attach(void* memory, RankRange sharers, RankRange connected, const Topology& t, Doorbell* bells,
                   bool multithreaded, const char* conduit) {
  me_ = t.rank;
  memory_ = memory;
  sharers_ = sharers;
  connected_ = connected;
  multithreaded_ = multithreaded;
  conduit_ = conduit;
  const Slot first_slot = t.first_slot[sharers.first];
  const Rank my_number = t.rank - sharers.first;
  char* const sets = static_cast<char*>(memory) + std::size_t{2} * sharers.size * sharers.size * kRingBytes;
  const auto set_of = [&](Rank r) {
    return reinterpret_cast<SenderSet*>(sets + (r - sharers.first) * SenderSet::bytes(sharers.size));
  };
  announced_to_me_ = set_of(t.rank);
  known_senders_.assign(SenderSet::words(sharers.size), 0);
  out_ = std::vector<Outgoing>(connected.size);
  for (Rank r = connected.first; r < connected.first + connected.size; ++r) {
    if (r == t.rank) continue;
    Ring* const to = rings_of(t.rank, r);
    Outgoing& out = out_[r - connected.first];
    out.requests.attach(to);
    out.replies.attach(to + 1);
    out.bells = bells + (t.first_slot[r] - first_slot);
    out.bells_end = bells + (t.first_slot[r + 1] - first_slot);
    out.target = set_of(r);
    out.me = my_number;
  }
  // Not touched before senders are added: a job of a thousand processes has a million pairs, and most are
  // never used.
  static_assert(std::is_trivially_destructible_v<Incoming>);
  in_.reset(static_cast<Incoming*>(std::aligned_alloc(alignof(Incoming), connected.size * sizeof(Incoming))));
  if (in_ == nullptr) fatal("no memory for the rings of %u processes", connected.size);
}

[[gnu::noinline]] void Rings::Outgoing::announce_and_ring() noexcept {
  if (!announced.load(std::memory_order_relaxed)) {
    announced.store(true, std::memory_order_relaxed);
    target->announce(me);
  }
  for (Doorbell* bell = bells; bell != bells_end; ++bell) bell->ring();
}

[[gnu::noinline]] void Rings::add_senders() noexcept {
  const std::uint32_t changes = announced_to_me_->changes();
  std::size_t n = senders_.load(std::memory_order_relaxed);
  announced_to_me_->take_new(known_senders_, [&](Rank number) {
    const Rank source = sharers_.first + number;
    if (!reach(source)) return;
    Incoming& in = *new (&in_[n++]) Incoming;
    Ring* const from = rings_of(source, me_);
    in.requests.attach(from);
    in.replies.attach(from + 1);
    in.source = source;
    in.reply_writer = &out_[source - connected_.first].replies;
  });
  senders_.store(n, std::memory_order_release);
  known_changes_.store(changes, std::memory_order_relaxed);
}

bool Rings::request_slot_locked(Outgoing& out, AmHeader head, const std::uint32_t* args) noexcept {
  {
    const std::lock_guard guard(out.lock);
    if (!out.requests.push_slot(head, args)) return false;
  }
  return out.sent();
}

Status Rings::send(Rank to, const AmPacket& packet) noexcept {
  Outgoing& out = out_[to - connected_.first];
  Status status;
  if ((packet.head.flags & kAmReply) != 0) {
    status = out.replies.push(packet);
  } else {
    const auto guard = lock_if(out.lock, multithreaded_);
    status = out.requests.push(packet);
  }
  if (status == Status::kOk) (void)out.sent();
  return status;
}

}  // namespace upcr
