// SPDX-License-Identifier: BSD-3-Clause
// Semaphores that are not mapped here, by message: kSemPost(semaphore, n, caller [, destination + data]),
// which has no reply, and kSemAcquire(semaphore, n, caller, call, wait) -> kSemAcquired(call, got).
#include "upcr/sync/sem_remote.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "conduits/core/am/args.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_work.hpp"
#include "conduits/core/rma/rma.hpp"
#include "upcr/state/handlers.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/sync/sem_state.hpp"

namespace upcr {
namespace {

struct PostArgs {
  std::uint64_t sem, n, dst;  // dst: where the data of a Medium message belongs
  std::uint32_t who, many;
};
struct TakeArgs {
  std::uint64_t sem, n, call;
  std::uint32_t who, wait, many, pad;
};
struct TakenArgs {
  std::uint64_t call, got;
};
// What the caller waits for; its address travels with the request.
struct TakeCall {
  Pending pending;
  bool got = false;
};

void check_mine(Rank source, std::uint64_t address, std::size_t bytes) {
  if (!job().segments.mine(job().topology, address, bytes))
    fatal("rank %u wants to signal %zu bytes at %#llx%s", source, bytes,
          static_cast<unsigned long long>(address),
          job().segments.why_refused(job().topology, address).c_str());
}

Sem& received(Rank source, std::uint64_t address) {
  check_mine(source, address, sizeof(Sem));
  Sem& s = *reinterpret_cast<Sem*>(address);
  if (s.mark != kLiveSem)
    fatal("a process uses what is %s, at %#llx in this process's memory (rank %u)",
          s.mark == kFreedSem ? "a semaphore that was freed" : "no semaphore",
          static_cast<unsigned long long>(address), source);
  return s;
}

// Threads that wait here from afar, in the order in which they came. A thread waits for one thing at a time,
// so there is room for all; served by whoever polls here next.
struct FarWaiter {
  Sem* sem;
  std::uint64_t n, call;
  Rank rank;
};
struct FarWaiters {
  SpinLock lock;
  std::atomic<std::uint32_t> count{0};
  std::unique_ptr<FarWaiter[]> waiting;

  // Takes the first out whose semaphore has enough. False: nobody's has.
  bool serve_one(FarWaiter* served) {
    const std::lock_guard guard(lock);
    const std::uint32_t n = count.load(std::memory_order_relaxed);
    FarWaiter* const end = waiting.get() + n;
    FarWaiter* const w =
        std::find_if(waiting.get(), end, [](const FarWaiter& f) { return try_acquire(*f.sem, f.n); });
    if (w == end) return false;
    *served = *w;
    std::move(w + 1, end, w);
    count.store(n - 1, std::memory_order_relaxed);
    job().progress.work().end();
    return true;
  }

  // Takes it for the caller; else, when it `waits`, notes it. True: taken.
  bool take(const FarWaiter& f, bool waits) {
    const std::lock_guard guard(lock);
    if (waits) register_sleeper(*f.sem, kWholeHost);
    if (try_acquire(*f.sem, f.n)) return true;
    if (!waits) return false;
    const std::uint32_t n = count.load(std::memory_order_relaxed);
    waiting[n] = f;
    count.store(n + 1, std::memory_order_release);
    job().progress.work().begin();
    return false;
  }
};
FarWaiters far;

void on_post(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
             void*) {
  const auto post = from_args<PostArgs>(args, nargs, token.source, "post of a semaphore");
  Sem& s = received(token.source, post.sem);
  if (post.dst != 0) {  // data of a Long message is in place
    check_mine(token.source, post.dst, bytes);
    atomic_copy(reinterpret_cast<void*>(post.dst), data, bytes);
  }
  post_mapped(s, post.n, post.who, post.many != 0);
}

void on_take(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto take = from_args<TakeArgs>(args, nargs, token.source, "wait for a semaphore");
  Sem& s = received(token.source, take.sem);
  if (take.who >= job().topology.slots() || job().topology.rank_of[take.who] != token.source)
    fatal("a malformed semaphore message from rank %u: UPC thread %u", token.source, take.who);
  check_acquire(s, take.n, take.who, take.many != 0);
  const bool got = far.take({&s, take.n, take.call, token.source}, take.wait != 0);
  if (!got && take.wait != 0) return;
  token.engine.reply(
      token, internal_message(UpcHandler::kSemAcquired, to_args(TakenArgs{take.call, got ? 1u : 0u})));
}

void on_taken(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto taken = from_args<TakenArgs>(args, nargs, token.source, "answer of a semaphore");
  auto* const call = reinterpret_cast<TakeCall*>(taken.call);
  call->got = taken.got != 0;
  call->pending.complete();
}

unsigned poll_far_waiters(void*) {
  serve_remote_waiters();
  return 0;
}

}  // namespace

void serve_remote_waiters() {
  if (far.count.load(std::memory_order_acquire) == 0) return;
  for (FarWaiter w; far.serve_one(&w);)
    job().engine->request(w.rank, internal_message(UpcHandler::kSemAcquired, to_args(TakenArgs{w.call, 1})));
}

void post_remote(SharedAddr at, std::size_t n, Slot who, bool many) {
  if (n == 0) return;  // nobody takes it, so nobody could tell when the semaphore may be freed
  const PostArgs post{remote_address(at), n, 0, who, many ? 1u : 0u};
  job().engine->request(rank_of(at), internal_message(UpcHandler::kSemPost, to_args(post)));
}

void put_and_post_remote(SharedAddr to, const void* src, std::size_t bytes, SharedAddr at, std::size_t n,
                         Slot who) {
  if (bytes == 0) return post_remote(at, n, who, false);
  const bool one_packet = bytes <= job().engine->max_medium();
  const std::uint64_t dest = remote_address(to);
  const auto args = to_args(PostArgs{remote_address(at), n, one_packet ? dest : 0, who, 0});
  AmMessage m = internal_message(UpcHandler::kSemPost, args, src, bytes);
  if (!one_packet) m.category = AmCategory::kLong;
  m.dest = dest;
  job().engine->request(rank_of(at), m);
}

bool acquire_remote(SharedAddr at, std::size_t n, Slot who, bool wait, bool many) {
  TakeCall call;
  call.pending.add();
  const TakeArgs take{remote_address(at), n, reinterpret_cast<std::uint64_t>(&call), who, wait ? 1u : 0u,
                      many ? 1u : 0u,     0};
  job().engine->request(rank_of(at), internal_message(UpcHandler::kSemAcquire, to_args(take)));
  wait_for(call.pending, "a semaphore of a UPC thread", at.thread);
  return call.got;
}

void attach_semaphores(Job& job) {
  far.waiting = std::make_unique<FarWaiter[]>(job.topology.slots());
  job.engine->set_internal(UpcHandler::kSemPost, on_post, nullptr);
  job.engine->set_internal(UpcHandler::kSemAcquire, on_take, nullptr);
  job.engine->set_internal(UpcHandler::kSemAcquired, on_taken, nullptr);
  job.progress.add_hook(poll_far_waiters, nullptr);
}

}  // namespace upcr
