// SPDX-License-Identifier: BSD-3-Clause
// Semaphores that are not mapped here, by message: kSemPost(semaphore, n, caller [, destination + data]),
// which has no reply, and kSemAcquire(semaphore, n, caller, call, wait) -> kSemAcquired(call, got).
#include "upcr/sync/sem_remote.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "conduits/core/am/args.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/progress/progress_work.hpp"
#include "conduits/core/rma/rma.hpp"
#include "upcr/state/handlers.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/sync/sem_state.hpp"

namespace upcr {
namespace {

struct PostArgs {
  std::uint64_t sem, n, dst;  // dst: the destination of a Medium message's data
  std::uint32_t caller, counted;
};
struct AcquireArgs {
  std::uint64_t sem, n, call;
  std::uint32_t caller, wait, counted, pad;
};
struct AcquiredArgs {
  std::uint64_t call, got;
};
// The reply that the requester waits for; its address travels with the request.
struct AcquireCall {
  Pending pending;
  bool got = false;
};

void check_mine(Rank source, std::uint64_t address, std::size_t bytes) {
  if (!job().segments.mine(job().topology, address, bytes))
    fatal("rank %u wants to signal %zu bytes at %#llx%s", source, bytes,
          static_cast<unsigned long long>(address),
          job().segments.why_refused(job().topology, address).c_str());
}

Sem& semaphore_at(Rank source, std::uint64_t address) {
  check_mine(source, address, sizeof(Sem));
  Sem& s = *reinterpret_cast<Sem*>(address);
  if (s.mark != kLiveSem)
    fatal("a process uses what is %s, at %#llx in this process's memory (rank %u)",
          s.mark == kFreedSem ? "a semaphore that was freed" : "no semaphore",
          static_cast<unsigned long long>(address), source);
  return s;
}

// In the order of their requests. A thread waits for one semaphore at a time, which bounds their number.
// Served by the next thread that polls here.
struct RemoteWaiters {
  SpinLock lock;
  std::atomic<std::uint32_t> count{0};
  std::unique_ptr<RemoteWaiter[]> waiting;

  // Removes the first one whose semaphore has enough, after acquiring for it. False: there is none.
  bool serve_one(RemoteWaiter* served) {
    const std::lock_guard guard(lock);
    const std::uint32_t n = count.load(std::memory_order_relaxed);
    RemoteWaiter* const end = waiting.get() + n;
    RemoteWaiter* const w =
        std::find_if(waiting.get(), end, [](const RemoteWaiter& f) { return try_acquire(*f.sem, f.n); });
    if (w == end) return false;
    *served = *w;
    std::move(w + 1, end, w);
    count.store(n - 1, std::memory_order_relaxed);
    job().progress.work().end();
    return true;
  }

  // True: acquired for the requester; else it is queued if it `waits`.
  bool acquire(const RemoteWaiter& f, bool waits) {
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
RemoteWaiters remote_waiters;

void on_post(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
             void*) {
  const auto post = from_args<PostArgs>(args, nargs, token.source, "post of a semaphore");
  Sem& s = semaphore_at(token.source, post.sem);
  if (post.dst != 0) {  // the data of a Long message is in place already
    check_mine(token.source, post.dst, bytes);
    atomic_copy(reinterpret_cast<void*>(post.dst), data, bytes);
  }
  post_mapped(s, post.n, post.caller, post.counted != 0);
}

void on_acquire(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto wanted = from_args<AcquireArgs>(args, nargs, token.source, "wait for a semaphore");
  Sem& s = semaphore_at(token.source, wanted.sem);
  if (wanted.caller >= job().topology.slots() || job().topology.rank_of[wanted.caller] != token.source)
    fatal("a malformed semaphore message from rank %u: UPC thread %u", token.source, wanted.caller);
  check_acquire(s, wanted.n, wanted.caller, wanted.counted != 0);
  const bool got = remote_waiters.acquire({&s, wanted.n, wanted.call, token.source}, wanted.wait != 0);
  if (!got && wanted.wait != 0) return;
  token.engine.reply(
      token, internal_message(UpcHandler::kSemAcquired, to_args(AcquiredArgs{wanted.call, got ? 1u : 0u})));
}

void on_acquired(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto reply = from_args<AcquiredArgs>(args, nargs, token.source, "reply of a semaphore");
  auto* const call = reinterpret_cast<AcquireCall*>(reply.call);
  call->got = reply.got != 0;
  call->pending.complete();
}

unsigned poll_remote_waiters(void*) {
  serve_remote_waiters();
  return 0;
}

}  // namespace

void serve_remote_waiters() {
  if (remote_waiters.count.load(std::memory_order_acquire) == 0) return;
  for (RemoteWaiter w; remote_waiters.serve_one(&w);)
    job().engine->request(w.rank,
                          internal_message(UpcHandler::kSemAcquired, to_args(AcquiredArgs{w.call, 1})));
}

void post_remote(SharedAddr at, std::size_t n, Slot caller, bool counted) {
  if (n == 0) return;  // nothing waits for it, so the program could not know when it may free the semaphore
  const PostArgs post{remote_address(at), n, 0, caller, counted ? 1u : 0u};
  job().engine->request(rank_of(at), internal_message(UpcHandler::kSemPost, to_args(post)));
}

void put_and_post_remote(SharedAddr to, const void* src, std::size_t bytes, SharedAddr at, std::size_t n,
                         Slot caller) {
  if (bytes == 0) return post_remote(at, n, caller, false);
  const bool one_packet = bytes <= job().engine->max_medium();
  const std::uint64_t dest = remote_address(to);
  const auto args = to_args(PostArgs{remote_address(at), n, one_packet ? dest : 0, caller, 0});
  AmMessage m = internal_message(UpcHandler::kSemPost, args, src, bytes);
  if (!one_packet) m.category = AmCategory::kLong;
  m.dest = dest;
  job().engine->request(rank_of(at), m);
}

bool acquire_remote(SharedAddr at, std::size_t n, Slot caller, bool wait, bool counted) {
  AcquireCall call;
  call.pending.add();
  const AcquireArgs wanted{
      remote_address(at), n, reinterpret_cast<std::uint64_t>(&call), caller, wait ? 1u : 0u,
      counted ? 1u : 0u,  0};
  job().engine->request(rank_of(at), internal_message(UpcHandler::kSemAcquire, to_args(wanted)));
  job().progress.wait_until(caller, {"a semaphore of a UPC thread", at.thread},
                            [&] { return call.pending.done(); });
  return call.got;
}

void attach_semaphores(Job& job) {
  remote_waiters.waiting = std::make_unique_for_overwrite<RemoteWaiter[]>(job.topology.slots());
  job.engine->set_internal(UpcHandler::kSemPost, on_post, nullptr);
  job.engine->set_internal(UpcHandler::kSemAcquire, on_acquire, nullptr);
  job.engine->set_internal(UpcHandler::kSemAcquired, on_acquired, nullptr);
  job.progress.add_hook(poll_remote_waiters, nullptr);
}

}  // namespace upcr
