// SPDX-License-Identifier: BSD-3-Clause
#include "bench/scale/simulator.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench/scale/libc.hpp"

namespace upcr::scale {
namespace {

Simulator* the_running = nullptr;

// A rank that has yielded so often without receiving anything is assumed to wait for a packet.
constexpr std::uint32_t kMaxYields = 64;

struct Later {
  template <typename T>
  bool operator()(const T& a, const T& b) const noexcept {
    return a.time != b.time ? a.time > b.time : a.number > b.number;
  }
};

}  // namespace

// By value, arguments and payload behind it, both aligned to 8 bytes.
struct Simulator::Packet {
  Rank source;
  AmHeader head;
  std::uint32_t* args() noexcept { return reinterpret_cast<std::uint32_t*>(this + 1); }
  char* payload() noexcept { return reinterpret_cast<char*>(args() + (head.nargs + 1) / 2 * 2); }
  static Packet* make(Rank source, const AmPacket& p) {
    static_assert(sizeof(Packet) % 4 == 0);
    const std::size_t room = sizeof(Packet) + 4u * ((p.head.nargs + 1) / 2 * 2) + p.head.length;
    auto* const packet = static_cast<Packet*>(std::malloc(room));
    packet->source = source;
    packet->head = p.head;
    if (p.head.nargs != 0) std::memcpy(packet->args(), p.args, p.head.nargs * sizeof(std::uint32_t));
    if (p.prefix_bytes != 0) std::memcpy(packet->payload(), p.prefix, p.prefix_bytes);
    if (p.body_bytes != 0) std::memcpy(packet->payload() + p.prefix_bytes, p.body, p.body_bytes);
    return packet;
  }
};

Simulator* Simulator::running() noexcept { return the_running; }

Simulator::Simulator(const Model& model, Rank ranks, std::size_t broadcast_bytes)
    : model_(model),
      ranks_(ranks),
      plan_{this, &tables_, ranks, broadcast_bytes},
      memory_(ranks),
      fibers_(ranks),
      hosts_(ranks) {
  tables_.remote.resize(ranks);
  tables_.mapped.resize(ranks + SegmentMap::kBeyond);
  sim_ranks_.reserve(ranks);
  for (Rank r = 0; r < ranks; ++r) {
    leave();
    libc::set_next_piece(memory_.piece(r));
    const libc::Counted counted(&heap_);
    sim_ranks_.push_back(new SimRank(plan_, r));
    running_rank_ = r;
  }
}

void Simulator::leave() {
  if (running_rank_ == kNone) return;
  tables_.mapped[running_rank_] = 0;
  sim_ranks_[running_rank_]->leave();
  running_rank_ = kNone;
}

void Simulator::enter(Rank rank) {
  if (running_rank_ == rank) return;
  leave();
  running_rank_ = rank;
  tables_.mapped[rank] = tables_.remote[rank];
  sim_ranks_[rank]->enter();
}

void Simulator::push(Nanos time, Rank rank, std::uint32_t token) {
  events_.push_back({time, number_++, rank, token});
  std::push_heap(events_.begin(), events_.end(), Later());
}

void Simulator::wake(Rank rank, Nanos at) {
  Host& h = hosts_[rank];
  at = std::max(at, h.clock);
  if (!h.sleeping || at >= h.wakes_at) return;
  h.wakes_at = at;
  push(at, rank, kWake);
}

void Simulator::body(void* self, std::uint32_t rank) {
  Simulator& s = *static_cast<Simulator*>(self);
  if (!s.sim_ranks_[rank]->run(s.op_)) s.outcome_.right = false;
}

void Simulator::resume(Rank rank) {
  Host& h = hosts_[rank];
  h.sleeping = false;
  h.wakes_at = kNever;
  enter(rank);
  the_running = this;
  {
    const libc::Counted counted(&heap_);
    fibers_.resume(rank);
  }
  the_running = nullptr;
}

void Simulator::sleep(Rank rank) {
  const libc::Uncounted uncounted;
  Host& h = hosts_[rank];
  h.sleeping = true;
  h.refused = false;
  h.yields = 0;
  if (!h.inbox.empty()) wake(rank, h.inbox.front().time);
  fibers_.stop();
}

void Simulator::yield_running() {
  Host& h = hosts_[running_rank_];
  if (++h.yields > kMaxYields) sleep(running_rank_);
}

void Simulator::finish(Rank rank) {
  hosts_[rank].finished = hosts_[rank].clock;
  ++finished_;
}

bool Simulator::send(Rank from, Rank to, const AmPacket& p) {
  const libc::Uncounted uncounted;
  Host &source = hosts_[from], &target = hosts_[to];
  // A request's sender is connected, though this side's service thread may not have handled the event yet.
  const bool is_reply = (p.head.flags & kAmReply) != 0;
  if (connections_ != nullptr && !is_reply && !connections_->is_connected(from, to)) {
    connections_->connect(from, to, source.clock);
    source.refused = true;
    return false;
  }
  const std::uint64_t bytes = sizeof(AmHeader) + p.head.nargs * sizeof(std::uint32_t) + p.head.length;
  source.clock += model_.overhead;
  const Nanos leaves = std::max(source.clock, source.sends_from);
  source.sends_from = leaves + model_.port(bytes);
  const Nanos arrives = std::max(source.sends_from + model_.latency, target.receives_from);
  target.receives_from = arrives + model_.port(bytes);
  target.inbox.push_back({arrives, number_++, Packet::make(from, p)});
  std::push_heap(target.inbox.begin(), target.inbox.end(), Later());
  ++on_wire_;
  ++source.sent;
  outcome_.bytes += bytes;
  wake(to, arrives);
  return true;
}

bool Simulator::pending(Rank rank) const {
  const Host& h = hosts_[rank];
  return !h.inbox.empty() && h.inbox.front().time <= h.clock;
}

bool Simulator::receive(Rank rank, void (*deliver)(void*, const AmArrival&), void* context) {
  Host& h = hosts_[rank];
  if (!pending(rank) && !events_.empty() && events_.front().time < h.clock) {
    const libc::Uncounted uncounted;
    h.sleeping = true;
    wake(rank, h.clock);
    fibers_.stop();
  }
  // A rank whose send was refused would poll for a connection: it sleeps, and is woken when there is one.
  if (!pending(rank) && h.refused && !over_) sleep(rank);
  if (!pending(rank)) return false;
  std::pop_heap(h.inbox.begin(), h.inbox.end(), Later());
  Packet* const packet = h.inbox.back().packet;
  h.inbox.pop_back();
  h.clock += model_.overhead;
  h.yields = 0;
  --on_wire_;
  deliver(context, {packet->source, packet->head, packet->args(), packet->payload()});
  std::free(packet);
  return true;
}

void Simulator::loop() {
  while (!events_.empty()) {
    const Event e = events_.front();
    std::pop_heap(events_.begin(), events_.end(), Later());
    events_.pop_back();
    if (e.token != kWake) {
      connections_->on_event(e.rank, e.token, e.time);
      continue;
    }
    Host& h = hosts_[e.rank];
    if (!h.sleeping || h.wakes_at != e.time) continue;  // it has been woken sooner
    h.clock = std::max(h.clock, e.time);
    resume(e.rank);
  }
}

void Simulator::report_deadlock() const {
  Rank first = 0;
  while (hosts_[first].finished != kNever) ++first;
  std::fprintf(
      stderr,
      "upcr_scale: deadlock: %u of %u ranks wait for packets that no rank sends, the first of them rank %u\n",
      ranks_ - finished_, ranks_, first);
  std::exit(1);
}

Outcome Simulator::run(Op op) {
  op_ = op;
  outcome_ = {};
  finished_ = 0;
  over_ = false;
  connections_ = op == Op::kConnect ? std::make_unique<ConnectionTable>(ranks_, model_, *this) : nullptr;
  for (Rank r = 0; r < ranks_; ++r) {
    Host& h = hosts_[r];
    h.clock = h.sends_from = h.receives_from = 0;
    h.finished = kNever;
    h.sent = 0;
    h.sleeping = true;
    h.refused = false;
    h.wakes_at = kNever;
    fibers_.prepare(r, body, this);
    wake(r, 0);
  }
  loop();
  if (finished_ != ranks_ || on_wire_ != 0) report_deadlock();
  over_ = true;
  for (Rank r = 0; r < ranks_; ++r) wake(r, 0);
  loop();
  for (const Host& h : hosts_) {
    outcome_.messages += h.sent;
    outcome_.most_messages = std::max(outcome_.most_messages, h.sent);
    outcome_.time = std::max(outcome_.time, h.finished);
  }
  if (connections_ != nullptr) outcome_.connections = connections_->max_connections();
  connections_.reset();
  return outcome_;
}

Simulator::Footprint Simulator::footprint() const {
  std::uint64_t shared = 0;
  for (const Rank r : {Rank{0}, ranks_ / 2, ranks_ - 1})
    shared = std::max<std::uint64_t>(shared, memory_.touched(r));
  constexpr std::uint64_t kBeyond = SegmentMap::kBeyond * sizeof(std::uintptr_t);  // a process has its own
  return {static_cast<std::uint64_t>(heap_) / ranks_ + kBeyond, tables_.bytes(), shared};
}

}  // namespace upcr::scale
