// SPDX-License-Identifier: BSD-3-Clause
// Simulates the library without debugging checks, which users run.
#include "bench/scale/ranks.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/rma/atomic.hpp"
#include "include/upcr/barrier.h"
#include "include/upcr/coll.h"
#include "include/upcr/coll_reduce.h"
#include "include/upcr/lock.h"
#include "upcr/access/data.hpp"
#include "upcr/coll/api/attach.hpp"
#include "upcr/coll/call/call.hpp"
#include "upcr/segment/runtime_area.hpp"
#include "upcr/sync/lock.hpp"

namespace upcr::scale {
namespace {

class SimConduit final : public Conduit {
 public:
  SimConduit(Machine& machine, Rank rank) : machine_(machine), rank_(rank) {
    caps_.max_medium = 8192;
    caps_.shares_memory_only = true;  // the sender wakes the receiver
  }
  const char* name() const noexcept override { return "simulated"; }
  Status attach(const AttachInfo&) override { return Status::kOk; }
  // A packet is refused only while there is no connection: there is room for any reply.
  Status am_send(Rank to, const AmPacket& packet) override {
    return machine_.send(rank_, to, packet) ? Status::kOk : Status::kNoResource;
  }
  unsigned poll(unsigned budget, AmSink& sink) override {
    unsigned received = 0;
    const auto deliver = [](void* context, const AmArrival& a) { static_cast<AmSink*>(context)->deliver(a); };
    // The engine implements AmSink.
    while (received < budget && machine_.receive(rank_, deliver, &sink)) ++received;
    return received;
  }
  bool pending() const noexcept override { return machine_.pending(rank_); }
  Status detach() override { return Status::kOk; }

 private:
  Machine& machine_;
  const Rank rank_;
};

// Each rank is alone on its host, so its result is known in advance: the only all-gather is of the lowest
// rank of each window group, which is the rank itself.
class SimBootstrap final : public Bootstrap {
 public:
  SimBootstrap(Rank rank, Rank size) {
    rank_ = rank;
    size_ = size;
  }
  void allgather(const void*, std::size_t bytes, void* all) override {
    if (bytes != sizeof(Rank))
      fatal("internal error: a simulated rank calls an all-gather that is not modelled");
    std::iota(static_cast<Rank*>(all), static_cast<Rank*>(all) + size_, Rank{0});
  }
  void barrier() override {}
  void polling_barrier(const std::function<void()>&) override {}
  void finalize() override {}
  [[noreturn]] void global_exit(int status) override { std::_Exit(status); }
  [[noreturn]] void abort(int status) override { std::_Exit(status); }
};

// Makes `own` share the memory of `common`: no rank writes to it, and a rank is never destroyed.
template <typename T>
void share(std::vector<T>& own, const std::vector<T>& common) {
  std::memcpy(static_cast<void*>(&own), static_cast<const void*>(&common), sizeof own);
}

// Offsets in the segment, the same on every rank.
constexpr std::size_t kSource = kFirstObjectOffset, kTarget = kSource + kSegment / 4,
                      kSum = kTarget + kSegment / 4, kLock = kSum + 64, kCounter = kLock + 64;
static_assert(kCounter + 64 <= kSegment);
constexpr int kNoSync = coll::kInNoSync | coll::kOutNoSync;
constexpr unsigned long long kAdd = 1;  // UPC_ADD of UPC 1.3

char byte_of(std::size_t i) { return static_cast<char>(i * 7 + 1); }

bool barrier() {
  upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
  return true;
}

// A free lock is zero-filled memory. Its holder increments a counter in two steps, which are a critical
// section.
bool count_under_lock() {
  const upcr_shared_ptr_t lock = encode({0, kLock});
  upcr_lock(lock);
  const std::uint64_t count = get_word({0, kCounter});
  put_word({0, kCounter}, count + 1);
  upcr_unlock(lock);
  return true;
}

}  // namespace

void SimRank::enter() noexcept {
  the_runtime = &runtime_;
  publish_layout(rank_, plan_.size);
  enter_thread(0);
  std::copy(lock_entries_.begin(), lock_entries_.end(), upcri_lock_entries);
}

void SimRank::leave() noexcept {
  for (std::size_t i = 0; i < lock_entries_.size(); ++i)
    lock_entries_[i] = std::exchange(upcri_lock_entries[i], {});
}

void SimRank::share_topology() {
  Topology& t = runtime_.job.topology;
  t.rank = t.machine_first = t.host_first = t.window_group_first = t.host_name = rank_;
  t.size = plan_.size;
  t.first_slot = FirstSlots::regular(1, plan_.size);
  t.rank_of = RankOfSlot::regular(1);
}

void SimRank::make_memory() {
  Job& j = runtime_.job;
  j.doorbells.plan(j.memory_file, j.topology);
  j.barrier.plan(j.memory_file, j.topology);
  coll::plan(j);
  const MemoryFile::Area front = j.memory_file.reserve(0);
  Topology alone;
  j.memory_file.create(*j.bootstrap, alone, 0, 1, kSegment);
  j.doorbells.attach(j.memory_file);
  j.segments.bytes = kSegment;
  share(j.segments.mapped, plan_.tables->mapped);
  j.segments.remote = SlotAddresses(plan_.tables->remote.data(), plan_.tables->remote.size());
  char* const segment = j.memory_file.at<char>(front) - front.offset + j.memory_file.segments_offset();
  plan_.tables->remote[rank_] = plan_.tables->mapped[rank_] = reinterpret_cast<std::uintptr_t>(segment);
}

void SimRank::make_thread() {
  Job& j = runtime_.job;
  runtime_.threads = j.topology.slots();
  runtime_.contexts = std::make_unique<ThreadCtx[]>(1);
  ThreadCtx& c = runtime_.contexts[0];
  c.thread = j.topology.rank;
  c.segment = reinterpret_cast<char*>(j.segments.mapped[c.thread]);
  enter();
  publish_window();
  coll::attach(j);
  runtime_.stage.store(Stage::kRunning);
  lock_thread_init(c);
}

SimRank::SimRank(const Plan& plan, Rank rank) : plan_(plan), rank_(rank) {
  Job& j = runtime_.job;
  j.bootstrap = std::make_unique<SimBootstrap>(rank, plan.size);
  j.conduit = std::make_unique<SimConduit>(*plan.machine, rank);
  share_topology();
  make_memory();
  j.make_engine();
  j.atomics.attach(*j.conduit, *j.engine, j.progress, j.memory_file, j.topology, j.segments);
  j.barrier.attach(*j.bootstrap, j.memory_file, j.topology, j.doorbells, *j.engine, j.progress, true);
  j.progress.set_spin_wait(false);  // modelled time does not advance while a rank spins
  make_thread();
  j.attached = true;
}

bool SimRank::broadcast() {
  char* const segment = runtime_.contexts[0].segment;
  if (rank_ == 0)
    for (std::size_t i = 0; i < plan_.bytes; ++i) segment[kSource + i] = byte_of(i);
  std::memset(segment + kTarget, 0, plan_.bytes);
  bupc_all_broadcast(encode({0, kTarget}), encode({0, kSource}), plan_.bytes, kNoSync);
  for (std::size_t i = 0; i < plan_.bytes; ++i)
    if (segment[kTarget + i] != byte_of(i)) return false;
  return true;
}

bool SimRank::reduce() {
  char* const segment = runtime_.contexts[0].segment;
  const long mine = static_cast<long>(rank_) + 1, n = static_cast<long>(plan_.size);
  std::memcpy(segment + kSource, &mine, sizeof mine);
  upcri_reduce(UPCRI_REDUCE, UPCRI_TYPE_L, encode({0, kSum}), encode({0, kSource}), kAdd, plan_.size, 1,
               nullptr, kNoSync);
  long sum;
  std::memcpy(&sum, segment + kSum, sizeof sum);
  return rank_ != 0 || sum == n * (n + 1) / 2;
}

bool SimRank::work(Op op) {
  switch (op) {
    case Op::kBarrier:
      return barrier();
    case Op::kBroadcast:
      return broadcast();
    case Op::kReduce:
      return reduce();
    case Op::kLock:
      return count_under_lock();
    case Op::kConnect:
      return barrier() && broadcast() && reduce();
    case Op::kCount:
      break;
  }
  return false;
}

bool SimRank::run(Op op) {
  char* const segment = runtime_.contexts[0].segment;
  std::memset(segment + kLock, 0, 128);
  bool right = work(op);
  plan_.machine->finish(rank_);
  while (!plan_.machine->over()) {
    if (runtime_.job.progress.poll() == 0 && !plan_.machine->over()) plan_.machine->sleep(rank_);
  }
  if (op == Op::kLock && rank_ == 0) {
    std::uint64_t count;
    std::memcpy(&count, segment + kCounter, sizeof count);
    right &= count == plan_.size;
  }
  return right;
}

}  // namespace upcr::scale
