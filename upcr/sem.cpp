// SPDX-License-Identifier: BSD-3-Clause
// Semaphores and signalling puts. The value is in the memory of the semaphore's thread. Who has it mapped
// works on it directly, others by message: kSemPost(place, n, who [, destination + data]), which nobody
// answers, and kSemTake(place, n, who, call, wait) -> kSemTaken(call, got).
//
// A thread that waits where the semaphore is mapped sleeps on its doorbell, and the semaphore says whose bell
// to ring. A thread that waits from afar is noted by the handler at the owner's process, which has one place
// for each thread of the job; whoever polls there next serves it as soon as the value allows.
#include "upcr/sem.hpp"

#include <sched.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>

#include "conduits/base/report.hpp"
#include "conduits/core/progress.hpp"
#include "conduits/core/rma.hpp"
#include "include/upcr/access_rep.h"
#include "include/upcr/heap.h"
#include "include/upcr/sem.h"
#include "upcr/access_check.hpp"
#include "upcr/data.hpp"
#include "upcr/sptr_text.hpp"
#include "upcr/thread_ctx.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kLive = 0x65726f68706d6573, kFreed = 0x6465657266206d65;
constexpr std::uint32_t kNobody = 0, kMany = ~std::uint32_t{0};

// In shared memory, 64 bytes of its own.
struct Sem {
  std::atomic<std::uint64_t> value;
  std::uint64_t mark;
  std::atomic<std::uint32_t> sleeper;  // whose doorbell to ring: kNobody, a thread + 1, or all of the host
  std::uint32_t flags;
  std::atomic<std::uint32_t> producer, consumer;  // debug: the thread + 1 that was the first
};

// ---- rules that only debug builds check
// --------------------------------------------------------------------

void check_only(const char* what, std::atomic<std::uint32_t>& first, Slot who, const char* promise) {
#if UPCR_DEBUG
  std::uint32_t seen = 0;
  if (!first.compare_exchange_strong(seen, who + 1) && seen != who + 1)
    fatal("%s: UPC thread %u, after UPC thread %u, on a semaphore that was allocated with %s", what, who,
          seen - 1, promise);
#endif
}

void check_amount(const char* function, std::size_t n) {
#if UPCR_DEBUG
  if (n > BUPC_SEM_MAXVALUE)
    fatal("%s: %zu is more than a semaphore's value can be, BUPC_SEM_MAXVALUE = %d", function, n,
          BUPC_SEM_MAXVALUE);
#endif
}

void check_integer(const char* what, const Sem& s, std::uint64_t n, bool many) {
#if UPCR_DEBUG
  if ((s.flags & BUPC_SEM_BOOLEAN) != 0 && (many || n > 1))
    fatal("%s: %llu at once on a semaphore that was allocated with BUPC_SEM_BOOLEAN; use the form without N",
          what, static_cast<unsigned long long>(n));
#endif
}

// ---- on a semaphore that is mapped here; handlers too
// ------------------------------------------------------

void ring_sleepers(Sem& s) noexcept {
  const std::uint32_t sleeper = s.sleeper.load(std::memory_order_seq_cst);
  if (sleeper == kMany)
    job().doorbells.ring_host();
  else if (sleeper != kNobody)
    ring(sleeper - 1);
}

void post_here(Sem& s, std::uint64_t n, Slot who, bool many) {
  if (n == 0) return;
  check_integer("a post", s, n, many);
  if ((s.flags & BUPC_SEM_SPRODUCER) != 0) check_only("a post", s.producer, who, "BUPC_SEM_SPRODUCER");
  if ((s.flags & BUPC_SEM_BOOLEAN) != 0) {
    s.value.exchange(1, std::memory_order_seq_cst);
  } else {
    [[maybe_unused]] const std::uint64_t before = s.value.fetch_add(n, std::memory_order_seq_cst);
#if UPCR_DEBUG
    if (before + n > BUPC_SEM_MAXVALUE)
      fatal("a post of %llu by UPC thread %u takes a semaphore from %llu beyond BUPC_SEM_MAXVALUE = %d",
            static_cast<unsigned long long>(n), who, static_cast<unsigned long long>(before),
            BUPC_SEM_MAXVALUE);
#endif
  }
  ring_sleepers(s);
}

bool take_here(Sem& s, std::uint64_t n) noexcept {
  std::uint64_t value = s.value.load(std::memory_order_acquire);
  while (value >= n)
    if (s.value.compare_exchange_weak(value, value - n, std::memory_order_seq_cst)) return true;
  return false;
}

void check_take(Sem& s, std::uint64_t n, Slot who, bool many) {
  check_integer("a wait", s, n, many);
  if ((s.flags & BUPC_SEM_SCONSUMER) != 0) check_only("a wait", s.consumer, who, "BUPC_SEM_SCONSUMER");
}

// Before the look at the value that decides about sleeping.
void announce(Sem& s, std::uint32_t sleeper) noexcept {
  std::uint32_t seen = kNobody;
  if (!s.sleeper.compare_exchange_strong(seen, sleeper) && seen != sleeper) s.sleeper.store(kMany);
}

// ---- messages
// ----------------------------------------------------------------------------------------------

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

template <typename T>
T unpacked(const std::uint32_t* args, unsigned nargs, Rank source) {
  if (nargs != sizeof(T) / 4)
    fatal("a malformed semaphore message from rank %u: %u arguments", source, nargs);
  T value;
  std::memcpy(&value, args, sizeof value);
  return value;
}

template <typename T>
AmMessage message(InternalHandler handler, const T& content, std::uint32_t (&args)[sizeof(T) / 4]) {
  std::memcpy(args, &content, sizeof content);
  AmMessage m;
  m.internal = true;
  m.handler = static_cast<std::uint8_t>(handler);
  m.args = args;
  return m;
}

void check_mine(Rank source, std::uint64_t address, std::size_t bytes) {
  if (!job().segments.mine(job().topology, address, bytes))
    fatal("rank %u wants to signal %zu bytes at %#llx, outside this process's segment", source, bytes,
          static_cast<unsigned long long>(address));
}

Sem& received(Rank source, std::uint64_t address) {
  check_mine(source, address, sizeof(Sem));
  Sem& s = *reinterpret_cast<Sem*>(address);
  if (s.mark != kLive)
    fatal("a process uses what is %s, at %#llx in this process's memory (rank %u)",
          s.mark == kFreed ? "a semaphore that was freed" : "no semaphore",
          static_cast<unsigned long long>(address), source);
  return s;
}

// Threads that wait here from afar. One place each, as a thread waits for one thing at a time.
struct FarWaiter {
  Sem* sem = nullptr;  // null: the place is free
  std::uint64_t n = 0, call = 0;
  Rank rank = 0;
};
struct FarWaiters {
  SpinLock lock;
  std::atomic<std::uint32_t> count{0};
  std::unique_ptr<FarWaiter[]> places;  // by thread
};
FarWaiters far;

void serve_far_waiters(void*) {
  if (far.count.load(std::memory_order_acquire) == 0) return;
  const Slot slots = job().topology.slots();
  for (Slot t = 0; t < slots; ++t) {
    TakenArgs taken{0, 1};
    Rank rank;
    {
      const std::lock_guard guard(far.lock);
      FarWaiter& w = far.places[t];
      if (w.sem == nullptr || !take_here(*w.sem, w.n)) continue;
      taken.call = w.call;
      rank = w.rank;
      w.sem = nullptr;
      far.count.fetch_sub(1, std::memory_order_relaxed);
    }
    std::uint32_t args[sizeof taken / 4];
    job().engine->request(rank, message(InternalHandler::kSemTaken, taken, args));
  }
}

void on_post(AmToken& token, const std::uint32_t* args, unsigned nargs, void* data, std::size_t bytes,
             void*) {
  const auto post = unpacked<PostArgs>(args, nargs, token.source);
  Sem& s = received(token.source, post.sem);
  if (post.dst != 0) {  // data of a Long message is in place
    check_mine(token.source, post.dst, bytes);
    atomic_copy(reinterpret_cast<void*>(post.dst), data, bytes);
  }
  post_here(s, post.n, post.who, post.many != 0);
}

void on_take(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto take = unpacked<TakeArgs>(args, nargs, token.source);
  Sem& s = received(token.source, take.sem);
  if (take.who >= job().topology.slots() || job().topology.rank_of[take.who] != token.source)
    fatal("a malformed semaphore message from rank %u: UPC thread %u", token.source, take.who);
  check_take(s, take.n, take.who, take.many != 0);
  const std::lock_guard guard(far.lock);
  if (take.wait != 0) announce(s, kMany);
  const bool got = take_here(s, take.n);
  if (!got && take.wait != 0) {
    far.places[take.who] = {&s, take.n, take.call, token.source};
    far.count.fetch_add(1, std::memory_order_release);
    return;
  }
  std::uint32_t back[sizeof(TakenArgs) / 4];
  token.engine.reply(token, message(InternalHandler::kSemTaken, TakenArgs{take.call, got ? 1u : 0u}, back));
}

void on_taken(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t, void*) {
  const auto taken = unpacked<TakenArgs>(args, nargs, token.source);
  auto* call = reinterpret_cast<TakeCall*>(taken.call);
  call->got = taken.got != 0;
  call->pending.complete();
}

// ---- calls
// -------------------------------------------------------------------------------------------------

// The semaphore when it is mapped here, else null.
Sem* find(const char* function, upcr_pshared_ptr_t s, SharedAddr* at) {
  const upcr_shared_ptr_t p = upcr_pshared_to_shared(s);
  if (upcr_isnull_pshared(s)) fatal("%s: the semaphore is null", function);
  check_access(function, p, 0, sizeof(Sem), 0);
  *at = decode(p);
  auto* const here = static_cast<Sem*>(mapped(*at));
  if (here != nullptr && here->mark != kLive)
    fatal("%s: %s is %s", function, PointerText(p).c_str(),
          here->mark == kFreed ? "a semaphore that was freed" : "no semaphore; bupc_sem_alloc makes them");
  return here;
}

void post(const char* function, upcr_pshared_ptr_t s, std::size_t n, bool many) {
  ThreadCtx& c = ctx(function);
  check_amount(function, n);
  SharedAddr at;
  Sem* const here = find(function, s, &at);
  upcri_fence();
  if (here != nullptr) {
    post_here(*here, n, c.thread, many);
    serve_far_waiters(nullptr);
    return;
  }
  const PostArgs post{remote_address(at), n, 0, c.thread, many ? 1u : 0u};
  std::uint32_t args[sizeof post / 4];
  job().engine->request(rank_of(at), message(InternalHandler::kSemPost, post, args));
}

bool take_far(ThreadCtx& c, SharedAddr at, std::size_t n, bool wait, bool many) {
  TakeCall call;
  call.pending.add();
  const TakeArgs take{remote_address(at), n, reinterpret_cast<std::uint64_t>(&call), c.thread, wait ? 1u : 0u,
                      many ? 1u : 0u,     0};
  std::uint32_t args[sizeof take / 4];
  job().engine->request(rank_of(at), message(InternalHandler::kSemTake, take, args));
  wait_for(call.pending, "a semaphore of a UPC thread", at.thread);
  return call.got;
}

bool take(const char* function, upcr_pshared_ptr_t s, std::size_t n, bool wait, bool many) {
  ThreadCtx& c = ctx(function);
  check_amount(function, n);
  SharedAddr at;
  Sem* const here = find(function, s, &at);
  upcri_fence();
  bool got;
  if (here == nullptr) {
    got = take_far(c, at, n, wait, many);
  } else {
    check_take(*here, n, c.thread, many);
    got = take_here(*here, n);
    if (!got && wait) {
      announce(*here, c.thread + 1);
      wait_until(c.thread, {"a semaphore of a UPC thread", at.thread},
                 [&] { return got || (got = take_here(*here, n)); });
    } else if (!got) {
      if (make_progress() == 0 && job().oversubscribed) ::sched_yield();
      got = take_here(*here, n);
    }
  }
  upcri_fence();
  return got;
}

void put_signal(const char* function, upcr_shared_ptr_t dst, const void* src, std::size_t bytes,
                upcr_pshared_ptr_t s, std::size_t n) {
  ThreadCtx& c = ctx(function);
  check_amount(function, n);
  check_access(function, dst, 0, bytes, 0);
  check_private(function, src, bytes);
  SharedAddr at;
  Sem* const here = find(function, s, &at);
  const SharedAddr to = decode(dst);
  if (bytes != 0 && to.thread != at.thread)
    fatal("%s: the destination is UPC thread %u's, the semaphore UPC thread %u's; they must be of one thread",
          function, to.thread, at.thread);
  upcri_fence();
  if (here != nullptr) {
    if (bytes != 0) atomic_copy(mapped(to), src, bytes);
    post_here(*here, n, c.thread, false);
    serve_far_waiters(nullptr);
    return;
  }
  const bool one_packet = bytes <= job().engine->max_medium();
  const std::uint64_t dest = bytes != 0 ? remote_address(to) : 0;
  const PostArgs post{remote_address(at), n, one_packet ? dest : 0, c.thread, 0};
  std::uint32_t args[sizeof post / 4];
  AmMessage m = message(InternalHandler::kSemPost, post, args);
  if (bytes != 0) {
    m.category = one_packet ? AmCategory::kMedium : AmCategory::kLong;
    m.data = src;
    m.bytes = bytes;
    m.dest = dest;
  }
  job().engine->request(rank_of(at), m);
}

// The flags with their defaults. Fatal when they contradict each other.
std::uint32_t checked_flags(const char* function, int flags) {
  struct Pair {
    int first, second;
    const char *first_name, *second_name;
  };
  constexpr Pair kPairs[] = {
      {BUPC_SEM_BOOLEAN, BUPC_SEM_INTEGER, "BUPC_SEM_BOOLEAN", "BUPC_SEM_INTEGER"},
      {BUPC_SEM_SPRODUCER, BUPC_SEM_MPRODUCER, "BUPC_SEM_SPRODUCER", "BUPC_SEM_MPRODUCER"},
      {BUPC_SEM_SCONSUMER, BUPC_SEM_MCONSUMER, "BUPC_SEM_SCONSUMER", "BUPC_SEM_MCONSUMER"},
  };
  const auto given = static_cast<unsigned>(flags);
  int known = 0;
  for (const Pair& p : kPairs) {
    known |= p.first | p.second;
    if ((flags & p.first) != 0 && (flags & p.second) != 0)
      fatal("%s: %s and %s exclude each other (flags %#x)", function, p.first_name, p.second_name, given);
    if ((flags & (p.first | p.second)) == 0) flags |= p.second;
  }
  if ((flags & ~known) != 0)
    fatal("%s: flags %#x have bits that are no BUPC_SEM_ flags: %#x", function, given,
          given & ~static_cast<unsigned>(known));
  return static_cast<std::uint32_t>(flags);
}

}  // namespace

void attach_semaphores(Job& job) {
  far.places = std::make_unique<FarWaiter[]>(job.topology.slots());
  job.engine->set_internal(InternalHandler::kSemPost, on_post, nullptr);
  job.engine->set_internal(InternalHandler::kSemTake, on_take, nullptr);
  job.engine->set_internal(InternalHandler::kSemTaken, on_taken, nullptr);
  add_progress_hook(serve_far_waiters, nullptr);
}

}  // namespace upcr

using namespace upcr;

extern "C" {

upcr_pshared_ptr_t bupc_sem_alloc(int flags) {
  ThreadCtx& c = ctx("bupc_sem_alloc");
  const std::uint32_t all = checked_flags("bupc_sem_alloc", flags);
  const upcr_shared_ptr_t p = upcr_alloc(64);
  auto* const s = new (c.segment + upcr_addrfield_shared(p)) Sem{};
  s->flags = all;
  s->mark = kLive;
  return upcr_shared_to_pshared(p);
}

void bupc_sem_free(upcr_pshared_ptr_t s) {
  ctx("bupc_sem_free");
  if (upcr_isnull_pshared(s)) return;
  SharedAddr at;
  (void)find("bupc_sem_free", s, &at);
  put_word({at.thread, at.offset + offsetof(Sem, mark)}, kFreed);
  upcr_free(upcr_pshared_to_shared(s));
}

void bupc_sem_post(upcr_pshared_ptr_t s) { post("bupc_sem_post", s, 1, false); }
void bupc_sem_postN(upcr_pshared_ptr_t s, size_t n) { post("bupc_sem_postN", s, n, true); }
void bupc_sem_wait(upcr_pshared_ptr_t s) { (void)take("bupc_sem_wait", s, 1, true, false); }
void bupc_sem_waitN(upcr_pshared_ptr_t s, size_t n) { (void)take("bupc_sem_waitN", s, n, true, true); }
int bupc_sem_try(upcr_pshared_ptr_t s) { return take("bupc_sem_try", s, 1, false, false) ? 1 : 0; }
int bupc_sem_tryN(upcr_pshared_ptr_t s, size_t n) { return take("bupc_sem_tryN", s, n, false, true) ? 1 : 0; }

void bupc_memput_signal(upcr_shared_ptr_t dst, const void* src, size_t nbytes, upcr_pshared_ptr_t s,
                        size_t n) {
  put_signal("bupc_memput_signal", dst, src, nbytes, s, n);
}

void bupc_memput_signal_async(upcr_shared_ptr_t dst, const void* src, size_t nbytes, upcr_pshared_ptr_t s,
                              size_t n) {
  put_signal("bupc_memput_signal_async", dst, src, nbytes, s, n);
}

}  // extern "C"
