// SPDX-License-Identifier: BSD-3-Clause
// Semaphores and signalling puts: the calls. The value is in the memory of the semaphore's thread. Threads
// that have it mapped access it directly (sem_state.hpp), others by message (sem_remote.hpp).
//
// A thread that waits where the semaphore is mapped sleeps on its doorbell, which the semaphore names. A
// thread of another host is queued by the handler at the owner's process.
#include <sched.h>

#include <new>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "include/upcr/access_rep.h"
#include "include/upcr/heap.h"
#include "include/upcr/sem.h"
#include "upcr/access/check.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/pointer/sptr_text.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"
#include "upcr/sync/sem_remote.hpp"
#include "upcr/sync/sem_state.hpp"

namespace upcr {
namespace {

void check_amount(const char* function, std::size_t n) {
#if UPCR_DEBUG
  if (n > BUPC_SEM_MAXVALUE)
    fatal("%s: %zu is more than a semaphore's value can be, BUPC_SEM_MAXVALUE = %d", function, n,
          BUPC_SEM_MAXVALUE);
#endif
}

// The semaphore if it is mapped here, else null.
Sem* find(const char* function, upcr_pshared_ptr_t s, SharedAddr* at) {
  const upcr_shared_ptr_t p = upcr_pshared_to_shared(s);
  if (upcr_isnull_pshared(s)) fatal("%s: the semaphore is null", function);
  check_access(function, p, 0, sizeof(Sem), 0);
  *at = decode(p);
  auto* const here = static_cast<Sem*>(mapped(*at));
  if (here != nullptr && here->mark != kLiveSem)
    fatal("%s: %s is %s", function, PointerText(p).c_str(),
          here->mark == kFreedSem ? "a semaphore that was freed" : "no semaphore; bupc_sem_alloc makes them");
  return here;
}

void post(const char* function, upcr_pshared_ptr_t s, std::size_t n, bool counted) {
  ThreadCtx& c = ctx(function);
  check_amount(function, n);
  SharedAddr at;
  Sem* const here = find(function, s, &at);
  const observe::Span span(observe::Kind::kSemPost, {0, observe::kNobody, at.thread});
  upcri_fence();
  if (here != nullptr) {
    post_mapped(*here, n, c.thread, counted);
    serve_remote_waiters();
    return;
  }
  post_remote(at, n, c.thread, counted);
}

bool acquire(const char* function, upcr_pshared_ptr_t s, std::size_t n, bool wait, bool counted) {
  ThreadCtx& c = ctx(function);
  check_amount(function, n);
  SharedAddr at;
  Sem* const here = find(function, s, &at);
  const observe::Span span(observe::Kind::kSemWait, {0, observe::kNobody, at.thread});
  upcri_fence();
  bool got;
  if (here == nullptr) {
    got = acquire_remote(at, n, c.thread, wait, counted);
  } else {
    check_acquire(*here, n, c.thread, counted);
    got = try_acquire(*here, n);
    if (!got && wait) {
      register_sleeper(*here, c.thread + 1);
      job().progress.wait_until(c.thread, {"a semaphore of a UPC thread", at.thread},
                                [&] { return got || (got = try_acquire(*here, n)); });
    } else if (!got) {
      if (job().progress.poll() == 0 && job().oversubscribed) ::sched_yield();
      got = try_acquire(*here, n);
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
  const observe::Span span(observe::Kind::kSemPost, {bytes, observe::kNobody, at.thread});
  upcri_fence();
  if (here != nullptr) {
    if (bytes != 0) atomic_copy(mapped(to), src, bytes);
    post_mapped(*here, n, c.thread, false);
    serve_remote_waiters();
    return;
  }
  put_and_post_remote(to, src, bytes, at, n, c.thread);
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

extern "C" {

UPCRI_API upcr_pshared_ptr_t bupc_sem_alloc(int flags) {
  ThreadCtx& c = ctx("bupc_sem_alloc");
  const std::uint32_t all = checked_flags("bupc_sem_alloc", flags);
  const upcr_shared_ptr_t p = upcr_alloc(64);
  auto* const s = new (c.segment + upcr_addrfield_shared(p)) Sem{};
  s->flags = all;
  s->mark = kLiveSem;
  return upcr_shared_to_pshared(p);
}

UPCRI_API void bupc_sem_free(upcr_pshared_ptr_t s) {
  ctx("bupc_sem_free");
  if (upcr_isnull_pshared(s)) return;
  SharedAddr at;
  (void)find("bupc_sem_free", s, &at);
  put_word({at.thread, at.offset + offsetof(Sem, mark)}, kFreedSem);
  upcr_free(upcr_pshared_to_shared(s));
}

UPCRI_API void bupc_sem_post(upcr_pshared_ptr_t s) { post("bupc_sem_post", s, 1, false); }
UPCRI_API void bupc_sem_postN(upcr_pshared_ptr_t s, size_t n) { post("bupc_sem_postN", s, n, true); }
UPCRI_API void bupc_sem_wait(upcr_pshared_ptr_t s) { (void)acquire("bupc_sem_wait", s, 1, true, false); }
UPCRI_API void bupc_sem_waitN(upcr_pshared_ptr_t s, size_t n) {
  (void)acquire("bupc_sem_waitN", s, n, true, true);
}
UPCRI_API int bupc_sem_try(upcr_pshared_ptr_t s) {
  return acquire("bupc_sem_try", s, 1, false, false) ? 1 : 0;
}
UPCRI_API int bupc_sem_tryN(upcr_pshared_ptr_t s, size_t n) {
  return acquire("bupc_sem_tryN", s, n, false, true) ? 1 : 0;
}

UPCRI_API void bupc_memput_signal(upcr_shared_ptr_t dst, const void* src, size_t nbytes, upcr_pshared_ptr_t s,
                                  size_t n) {
  put_signal("bupc_memput_signal", dst, src, nbytes, s, n);
}

UPCRI_API void bupc_memput_signal_async(upcr_shared_ptr_t dst, const void* src, size_t nbytes,
                                        upcr_pshared_ptr_t s, size_t n) {
  put_signal("bupc_memput_signal_async", dst, src, nbytes, s, n);
}

}  // extern "C"
}  // namespace upcr
