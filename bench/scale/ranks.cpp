// SPDX-License-Identifier: BSD-3-Clause
// The ranks' half: one process of a job as the product makes it, over a conduit that hands packets to the
// simulator, and what each rank does. Every static object here, and in the product, is a rank's own
// (images.hpp). No debug library: what is run is what users run.
#include <cstring>
#include <memory>
#include <new>

#include "bench/scale/machine.hpp"
#include "conduits/core/barrier/barrier.hpp"
#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/job/job.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/rma/rma_over_am.hpp"
#include "include/upcr/barrier.h"
#include "include/upcr/coll.h"
#include "include/upcr/coll_reduce.h"
#include "include/upcr/lock.h"
#include "upcr/access/data.hpp"
#include "upcr/coll/api/attach.hpp"
#include "upcr/coll/call/call.hpp"
#include "upcr/segment/runtime_area.hpp"
#include "upcr/state/runtime.hpp"
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
    unsigned taken = 0;
    const auto take = [](void* context, const AmArrival& a) { static_cast<AmSink*>(context)->deliver(a); };
    // AmSink's functions are the engine's own for the conduit.
    while (taken < budget && machine_.receive(rank_, take, &sink)) ++taken;
    return taken;
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
  SimBootstrap(Rank rank, Rank size, const Tables& tables) : tables_(tables) {
    rank_ = rank;
    size_ = size;
  }
  void allgather(const void*, std::size_t bytes, void* all) override {
    if (bytes != sizeof(Rank)) fatal("internal error: a simulated rank asks for what it cannot know");
    std::memcpy(all, tables_.rank_of.data(), size_ * sizeof(Rank));
  }
  void barrier() override {}
  void finalize() override {}
  [[noreturn]] void global_exit(int status) override { std::_Exit(status); }
  [[noreturn]] void abort(int status) override { std::_Exit(status); }

 private:
  const Tables& tables_;
};

// Makes `own` share the memory of `common`: no rank writes to it, and a rank is never destroyed.
template <typename T>
void share(std::vector<T>& own, const std::vector<T>& common) {
  std::memcpy(static_cast<void*>(&own), static_cast<const void*>(&common), sizeof own);
}

bool in_my_segment(void* context, std::uint64_t address, std::size_t n) {
  const Job& j = *static_cast<const Job*>(context);
  return j.segments.mine(j.topology, address, n);
}

void place(Topology& t, const Plan& plan, Rank rank) {
  t.rank = t.machine_first = t.host_first = t.window_group_first = t.host_name = rank;
  t.size = plan.size;
  share(t.first_slot, plan.tables->first_slot);
  share(t.rank_of, plan.tables->rank_of);
}

void make_memory(Job& j, const Plan& plan, Rank rank) {
  j.doorbells.plan(j.memory_file, j.topology);
  plan_barrier(j);
  coll::plan(j);
  const MemoryFile::Area front = j.memory_file.reserve(0);
  Topology alone;
  j.memory_file.create(*j.bootstrap, alone, 0, 1, kSegment);
  j.doorbells.attach(j.memory_file);
  j.segments.bytes = kSegment;
  share(j.segments.mapped, plan.tables->mapped);
  share(j.segments.remote, plan.tables->remote);
  char* const segment = j.memory_file.at<char>(front) - front.offset + j.memory_file.segments_offset();
  plan.tables->remote[rank] = plan.tables->mapped[rank] = reinterpret_cast<std::uintptr_t>(segment);
}

void make_engine(Job& j) {
  AmEngine::Config config;
  config.rank = j.topology.rank;
  config.size = j.topology.size;
  config.writable = in_my_segment;
  config.context = &j;
  j.engine = std::make_unique<AmEngine>(*j.conduit, config);
  register_rma_handlers(*j.engine, in_my_segment, &j);
}

void make_thread(Job& j) {
  Runtime& r = runtime();
  r.threads = j.topology.slots();
  r.contexts = std::make_unique<ThreadCtx[]>(1);
  ThreadCtx& c = r.contexts[0];
  c.thread = j.topology.rank;
  c.segment = reinterpret_cast<char*>(j.segments.mapped[c.thread]);
  coll::attach(j);
  r.stage.store(Stage::kRunning);
  enter_thread(0);
  lock_thread_init(c);
}

void attach(const Plan& plan, Rank rank) {
  Job& j = job();
  j.bootstrap = std::make_unique<SimBootstrap>(rank, plan.size, *plan.tables);
  j.conduit = std::make_unique<SimConduit>(*plan.machine, rank);
  place(j.topology, plan, rank);
  make_memory(j, plan, rank);
  make_engine(j);
  attach_barrier(j);
  set_wait_policy({});
  set_spin_wait(false);  // modelled time does not go on while a rank spins
  publish_layout(rank, plan.size);
  publish_window();
  make_thread(j);
  j.attached = true;
}

// ---- what the ranks do

// Where things are, at the same offset on every rank.
constexpr std::size_t kSource = kFirstObjectOffset, kTarget = kSource + kSegment / 4,
                      kSum = kTarget + kSegment / 4, kLock = kSum + 64, kCounter = kLock + 64;
static_assert(kCounter + 64 <= kSegment);
constexpr int kNoSync = coll::kInNoSync | coll::kOutNoSync;
constexpr unsigned long long kAdd = 1;  // UPC_ADD of UPC 1.3

char byte_of(std::size_t i) { return static_cast<char>(i * 7 + 1); }

bool broadcast(const Plan& plan, char* segment, Rank rank) {
  if (rank == 0)
    for (std::size_t i = 0; i < plan.bytes; ++i) segment[kSource + i] = byte_of(i);
  std::memset(segment + kTarget, 0, plan.bytes);
  bupc_all_broadcast(encode({0, kTarget}), encode({0, kSource}), plan.bytes, kNoSync);
  for (std::size_t i = 0; i < plan.bytes; ++i)
    if (segment[kTarget + i] != byte_of(i)) return false;
  return true;
}

bool reduce(const Plan& plan, char* segment, Rank rank) {
  const long mine = static_cast<long>(rank) + 1, n = static_cast<long>(plan.size);
  std::memcpy(segment + kSource, &mine, sizeof mine);
  upcri_reduce(UPCRI_REDUCE, UPCRI_TYPE_L, encode({0, kSum}), encode({0, kSource}), kAdd, plan.size, 1,
               nullptr, kNoSync);
  long sum;
  std::memcpy(&sum, segment + kSum, sizeof sum);
  return rank != 0 || sum == n * (n + 1) / 2;
}

bool barrier(Rank) {
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

bool work(const Plan& plan, char* segment, Rank rank, Op op) {
  switch (op) {
    case Op::kBarrier:
      return barrier(rank);
    case Op::kBroadcast:
      return broadcast(plan, segment, rank);
    case Op::kReduce:
      return reduce(plan, segment, rank);
    case Op::kLock:
      return count_under_lock();
    case Op::kConnect:
      return barrier(rank) && broadcast(plan, segment, rank) && reduce(plan, segment, rank);
    case Op::kCount:
      break;
  }
  return false;
}

bool run(const Plan& plan, Rank rank, Op op) {
  char* const segment = ctx().segment;
  std::memset(segment + kLock, 0, 128);
  bool right = work(plan, segment, rank, op);
  plan.machine->finish(rank);
  while (!plan.machine->over()) {
    if (make_progress() == 0 && !plan.machine->over()) plan.machine->sleep(rank);
  }
  if (op == Op::kLock && rank == 0) {
    std::uint64_t count;
    std::memcpy(&count, segment + kCounter, sizeof count);
    right &= count == plan.size;
  }
  return right;
}

void load() { configure(); }

}  // namespace

const Program& ranks_program() noexcept {
  static constexpr Program program = {load, attach, run};
  return program;
}

}  // namespace upcr::scale
