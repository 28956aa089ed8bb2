// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/state/operation.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/thread.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/spinlock.hpp"
#include "include/gasnet/tools/environment.h"

__thread gasneti_thread_t* gasneti_thread __attribute__((tls_model("initial-exec"))) = nullptr;

namespace upcr::gasnet {
namespace {

constexpr std::size_t kFirstChunk = 256, kLargestChunk = 16384;  // operations
// A limit against runaway programs; nothing has this size. Above GASNETT_MAX_THREADS: clients start that many
// workers beside their own threads.
constexpr std::int64_t kMaxThreads = 1024;

struct Threads {
  SpinLock lock;
  ThreadState* ended = nullptr;  // states without a thread
  std::int64_t living = 0;
};
constinit Threads threads{};

ThreadState& mine() noexcept { return *reinterpret_cast<ThreadState*>(gasneti_thread); }

// Returns the state to the pool when the thread ends.
struct StateReleaser {
  bool armed = false;
  ~StateReleaser() {
    if (!armed || gasneti_thread == nullptr) return;
    ThreadState& t = mine();
    gasneti_thread = nullptr;
    const std::lock_guard<SpinLock> guard(threads.lock);
    t.next = threads.ended;
    threads.ended = &t;
    --threads.living;
  }
};
thread_local StateReleaser state_releaser;

std::int64_t max_threads() {
  static const std::int64_t limit =
      std::min(gasnett_getenv_int_withdefault("GASNET_MAX_THREADS", kMaxThreads, 0), kMaxThreads);
  return limit;
}

// A state of an ended thread without operations in flight.
ThreadState* adopt_ended() {
  for (ThreadState** at = &threads.ended; *at != nullptr; at = &(*at)->next) {
    ThreadState* t = *at;
    if (!t->puts.done() || !t->gets.done() || t->region != nullptr) continue;
    *at = t->next;
    return t;
  }
  return nullptr;
}

ThreadState& acquire_state() {
  const std::int64_t limit = max_threads();
  ThreadState* t = nullptr;
  std::int64_t living;
  {
    const std::lock_guard<SpinLock> guard(threads.lock);
    living = ++threads.living;
    t = adopt_ended();
  }
  if (living > limit)
    fatal(
        "%lld threads of this node use GASNet at the same time, but GASNET_MAX_THREADS is %lld; let threads "
        "end, or raise it (at most %lld)",
        static_cast<long long>(living), static_cast<long long>(limit), static_cast<long long>(kMaxThreads));
  if (t == nullptr) t = new ThreadState;
  gasneti_thread = reinterpret_cast<gasneti_thread_t*>(t);
  state_releaser.armed = true;
  return *t;
}

#if UPCR_DEBUG
constexpr unsigned kNumberShift = 48;  // user addresses have 47 bits

// Every chunk of the process: a pointer outside of them is no handle, and is not dereferenced.
struct Chunk {
  Op* first;
  std::size_t count;
};
struct Chunks {
  std::mutex lock;
  std::vector<Chunk> all;
};
Chunks& chunks() {
  static Chunks* const one = new Chunks;
  return *one;
}

bool is_op(const Op* op) {
  const std::lock_guard<std::mutex> guard(chunks().lock);
  return std::any_of(chunks().all.begin(), chunks().all.end(), [&](const Chunk& c) {
    const auto offset = reinterpret_cast<std::uintptr_t>(op) - reinterpret_cast<std::uintptr_t>(c.first);
    return offset < c.count * sizeof(Op) && offset % sizeof(Op) == 0;
  });
}
#endif

void grow(ThreadState& t) {
  t.chunk = t.chunk == 0 ? kFirstChunk : std::min(t.chunk * 2, kLargestChunk);
  Op* ops = new Op[t.chunk];
  for (std::size_t i = t.chunk; i-- > 0;) {
    ops[i].next = t.free;
    t.free = &ops[i];
#if UPCR_DEBUG
    ops[i].number = 1;
#endif
  }
#if UPCR_DEBUG
  const std::lock_guard<std::mutex> guard(chunks().lock);
  chunks().all.push_back({ops, t.chunk});
#endif
}

}  // namespace

ThreadState& thread_state() {
  if (__builtin_expect(gasneti_thread == nullptr, 0)) return acquire_state();
  return mine();
}

Op* acquire_op(ThreadState& t, [[maybe_unused]] const char* function) {
  if (__builtin_expect(t.free == nullptr, 0)) grow(t);
  Op* op = t.free;
  t.free = op->next;
#if UPCR_DEBUG
  op->owner = &t;
  op->issued = function;
  op->live = 1;
  ++op->number;
#endif
  return op;
}

void release_op(ThreadState& t, Op* op) {
  op->live = 0;
  op->next = t.free;
  t.free = op;
}

#if UPCR_DEBUG

gasnet_handle_t to_handle(Op* op) {
  return reinterpret_cast<gasnet_handle_t>(reinterpret_cast<std::uintptr_t>(op) | std::uintptr_t{op->number}
                                                                                      << kNumberShift);
}

Op* from_handle(ThreadState& t, const char* function, gasnet_handle_t handle) {
  const auto bits = reinterpret_cast<std::uintptr_t>(handle);
  const auto number = static_cast<std::uint16_t>(bits >> kNumberShift);
  auto* op = reinterpret_cast<Op*>(bits & ((std::uintptr_t{1} << kNumberShift) - 1));
  if (!is_op(op))
    fatal("%s: %p is not the handle of an operation of this node", function, static_cast<void*>(handle));
  if (op->number != number || !op->live)
    fatal("%s: the handle %p was synchronised already; each operation is synchronised exactly once", function,
          static_cast<void*>(handle));
  if (op->owner != &t)
    fatal("%s: another thread issued this operation (%s); the thread that issued it must synchronise it",
          function, op->issued);
  return op;
}

void check_call(const char* function) {
  require_attached(function);
  require_free_thread(function);
}

void check_remote(const char* function, gasnet_node_t node, const void* address, std::size_t bytes) {
  check_call(function);
  if (node >= gasneti_state.nodes)
    fatal("%s: node %u is out of range: this job has the nodes 0 to %u", function, node,
          gasneti_state.nodes - 1);
  const gasneti_peer_t& peer = gasneti_state.peers[node];
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (bytes == 0 || (at >= peer.addr && at - peer.addr <= peer.size && bytes <= peer.size - (at - peer.addr)))
    return;
  fatal("%s: the address %p on node %u, with %zu bytes, is out of its segment, %p to %p (%zu bytes)",
        function, address, node, bytes, reinterpret_cast<void*>(peer.addr),
        reinterpret_cast<void*>(peer.addr + peer.size), static_cast<std::size_t>(peer.size));
}

#else

gasnet_handle_t to_handle(Op* op) { return op; }
Op* from_handle(ThreadState&, const char*, gasnet_handle_t handle) { return handle; }

#endif

Operation::Operation(const char* function, unsigned how, int which) : thread_(thread_state()) {
  if ((how & GASNETI_NB_IMPLICIT) == 0) {
    op_ = acquire_op(thread_, function);
    pending_ = &op_->pending;
  } else if (thread_.region != nullptr) {
    pending_ = &thread_.region->pending;
  } else {
    pending_ = which == GASNETI_PUTS ? &thread_.puts : &thread_.gets;
  }
}

gasnet_handle_t Operation::finish() {
  if (op_ == nullptr) return nullptr;
#if !UPCR_DEBUG
  if (op_->pending.done()) {
    release_op(thread_, op_);
    return nullptr;
  }
#endif
  return to_handle(op_);
}

}  // namespace upcr::gasnet
