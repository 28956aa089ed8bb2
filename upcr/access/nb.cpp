// SPDX-License-Identifier: BSD-3-Clause
// Non-blocking operations: starting, synchronising, collecting in access regions. Called by the inlined code
// of nb.h and bulk.h on UPC threads, not in a handler. An operation on memory mapped here is complete when
// issued.
#include "upcr/access/nb.hpp"

#include <sched.h>

#include <atomic>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "upcr/access/check.hpp"
#include "upcr/access/data.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

SharedAddr address_of(upcr_shared_ptr_t p, std::ptrdiff_t offset) noexcept {
  SharedAddr a = decode(p);
  a.offset += static_cast<std::uint64_t>(offset);
  return a;
}

void strict_fence(unsigned how) {
  if ((how & UPCRI_NB_STRICT) != 0) upcri_fence();
}

// After a test that found nothing complete: runs the progress engine, and yields the CPU if there are more
// threads than CPUs.
void after_failed_try() {
  if (job().progress.poll() == 0 && job().oversubscribed) sched_yield();
}

#if UPCR_DEBUG
void count_implicit(ThreadCtx& c, const char* function, unsigned how) {
  EopPool& pool = eop_pool(c);
  const bool get = (how & UPCRI_NB_GET) != 0, scalar = (how & UPCRI_NB_BULK) == 0;
  ++(get ? pool.implicit_gets : pool.implicit_puts);
  if (scalar) ++(get ? pool.implicit_scalar_gets : pool.implicit_scalar_puts);
  pool.last_implicit = {function, c.file, c.line};
}

void check_implicit_sync(ThreadCtx& c, const char* function) {
  check_no_strict(c, function, nullptr);
  if (c.in_region)
    fatal("%s inside an access region (begun at %s:%d); end the region and synchronise its handle", function,
          c.eops->region->issued.file != nullptr ? c.eops->region->issued.file : "?",
          c.eops->region->issued.line);
}

void forget_implicit(ThreadCtx& c, bool gets, bool puts) {
  if (c.eops == nullptr) return;
  if (gets) c.eops->implicit_gets = c.eops->implicit_scalar_gets = 0;
  if (puts) c.eops->implicit_puts = c.eops->implicit_scalar_puts = 0;
}

// Strict operations are synchronised by the strict functions, other operations by the other functions.
void check_kind(ThreadCtx& c, const char* function, const Eop* eop, unsigned how) {
  check_no_strict(c, function, eop);
  if ((eop->how & UPCRI_NB_STRICT) != (how & UPCRI_NB_STRICT))
    fatal("%s: the operation %s at %s:%d is %sstrict; use upcr_wait_syncnb%s or upcr_try_syncnb%s", function,
          eop->issued.function, eop->issued.file != nullptr ? eop->issued.file : "?", eop->issued.line,
          (eop->how & UPCRI_NB_STRICT) != 0 ? "" : "not ", (eop->how & UPCRI_NB_STRICT) != 0 ? "_strict" : "",
          (eop->how & UPCRI_NB_STRICT) != 0 ? "_strict" : "");
}
#else
void count_implicit(ThreadCtx&, const char*, unsigned) {}
void check_implicit_sync(ThreadCtx&, const char*) {}
void forget_implicit(ThreadCtx&, bool, bool) {}
void check_kind(ThreadCtx&, const char*, const Eop*, unsigned) {}
#endif

// The operation of a handle that the program passed to `function`.
Eop* checked_eop(ThreadCtx& c, const char* function, upcr_handle_t handle, unsigned how) {
  Eop* eop = from_handle(c, function, handle);
  check_kind(c, function, eop, how);
  return eop;
}

// Releases the completed operations of the array; counts them, and those in flight.
struct Sweep {
  std::size_t ended = 0, left = 0;
};
Sweep sweep(ThreadCtx& c, const char* function, upcr_handle_t* handles, std::size_t count) {
  Sweep s;
  for (std::size_t i = 0; i < count; ++i) {
    if (handles[i] == UPCR_INVALID_HANDLE) continue;
    Eop* eop = checked_eop(c, function, handles[i], 0);
    if (!eop->pending.done()) {
      ++s.left;
      continue;
    }
    release_eop(c, eop);
    handles[i] = UPCR_INVALID_HANDLE;
    ++s.ended;
  }
  return s;
}

bool implicit_done(const ThreadCtx& c, bool gets, bool puts) {
  return (!gets || c.implicit_gets.done()) && (!puts || c.implicit_puts.done());
}

}  // namespace

Operation::Operation(ThreadCtx& c, const char* function, unsigned how, std::size_t bytes)
    : ctx_(c), bytes_(bytes), get_((how & UPCRI_NB_GET) != 0) {
  if ((how & UPCRI_NB_IMPLICIT) == 0) {
    eop_ = acquire_eop(c, function, how);
    pending_ = &eop_->pending;
  } else if (c.in_region) {
    pending_ = c.region;
    if ((how & UPCRI_NB_BULK) == 0) c.eops->region->value = 1;  // see upcr_end_nbi_accessregion()
  } else {
    pending_ = (how & UPCRI_NB_GET) != 0 ? &c.implicit_gets : &c.implicit_puts;
    count_implicit(c, function, how);
  }
}

// What is complete already, as all that goes to mapped memory, is not in flight.
void Operation::count_in_flight() noexcept {
  if (pending_->done()) return;
  Eop* const collects = eop_ != nullptr ? eop_ : ctx_.in_region ? ctx_.eops->region : nullptr;
  if (collects == nullptr) return observe::implicit_started(get_, bytes_);
  collects->in_flight += bytes_;
  observe::in_flight(static_cast<std::int64_t>(bytes_));
}

upcr_handle_t Operation::finish() {
  if (__builtin_expect(observe::counting, 0)) count_in_flight();
  if (eop_ == nullptr) return UPCR_INVALID_HANDLE;
  if (UPCR_DEBUG == 0 && eop_->pending.done()) {
    release_eop(ctx_, eop_);
    return UPCR_INVALID_HANDLE;
  }
  return to_handle(eop_);
}

extern "C" {

UPCRI_API upcr_handle_t upcri_put_nb(const char* function, upcr_shared_ptr_t dest, ptrdiff_t offset,
                                     const void* src, size_t n, unsigned how) {
  check_access(function, dest, offset, n, how);
  check_private(function, src, n);
  const observe::Span span(observe::Kind::kNbPut, {n, observe::kNobody, upcr_threadof_shared(dest)});
  strict_fence(how);
  Operation op(ctx(function), function, how, n);
  Pending* local = (how & UPCRI_NB_BULK) != 0 ? &op.pending() : nullptr;
  put_bytes_nb(address_of(dest, offset), src, n, op.pending(), local);
  strict_fence(how);
  return op.finish();
}

UPCRI_API upcr_handle_t upcri_put_val_nb(const char* function, upcr_shared_ptr_t dest, ptrdiff_t offset,
                                         upcr_register_value_t value, size_t n, unsigned how) {
  return upcri_put_nb(function, dest, offset, &value, n, how);  // reusable on return
}

UPCRI_API upcr_handle_t upcri_get_nb(const char* function, void* dest, upcr_shared_ptr_t src,
                                     ptrdiff_t offset, size_t n, unsigned how) {
  check_access(function, src, offset, n, how);
  check_private(function, dest, n);
  const observe::Span span(observe::Kind::kNbGet, {n, upcr_threadof_shared(src)});
  strict_fence(how);
  Operation op(ctx(function), function, how, n);
  get_bytes_nb(dest, address_of(src, offset), n, op.pending());
  strict_fence(how);
  return op.finish();
}

UPCRI_API upcr_valget_handle_t upcri_get_val_nb(const char* function, upcr_shared_ptr_t src, ptrdiff_t offset,
                                                size_t n, unsigned how) {
  check_access(function, src, offset, n, how);
  const observe::Span span(observe::Kind::kNbGet, {n, upcr_threadof_shared(src)});
  strict_fence(how);
  Eop* eop = acquire_eop(ctx(function), function, how);
  eop->value = 0;
  get_bytes_nb(&eop->value, address_of(src, offset), n, eop->pending);
  if (observe::counting && !eop->pending.done()) {
    eop->in_flight = n;
    observe::in_flight(static_cast<std::int64_t>(n));
  }
  strict_fence(how);
  return reinterpret_cast<upcr_valget_handle_t>(to_handle(eop));
}

UPCRI_API upcr_register_value_t upcri_wait_valget(const char* function, upcr_valget_handle_t handle) {
  const observe::Span span(observe::Kind::kSync);
  ThreadCtx& c = ctx(function);
  Eop* eop = from_handle(c, function, reinterpret_cast<upcr_handle_t>(handle));
  check_no_strict(c, function, eop);
  wait_for(eop->pending, "a non-blocking get of a value");
  const upcr_register_value_t value = eop->value;
  strict_fence(eop->how);
  release_eop(c, eop);
  return value;
}

UPCRI_API void upcri_wait_nb(const char* function, upcr_handle_t handle, unsigned how) {
  const observe::Span span(observe::Kind::kSync);
  ThreadCtx& c = ctx(function);
  Eop* eop = checked_eop(c, function, handle, how);
  wait_for(eop->pending, "a non-blocking operation");
  strict_fence(how);
  release_eop(c, eop);
}

UPCRI_API int upcri_try_nb(const char* function, upcr_handle_t handle, unsigned how) {
  const observe::Span span(observe::Kind::kSync);
  ThreadCtx& c = ctx(function);
  Eop* eop = checked_eop(c, function, handle, how);
  if (!eop->pending.done()) {
    after_failed_try();
    if (!eop->pending.done()) return 0;
  }
  strict_fence(how);
  release_eop(c, eop);
  return 1;
}

UPCRI_API void upcri_wait_nb_all(const char* function, upcr_handle_t* handles, size_t count) {
  const observe::Span span(observe::Kind::kSync);
  for (std::size_t i = 0; i < count; ++i) {
    if (handles[i] != UPCR_INVALID_HANDLE) upcri_wait_nb(function, handles[i], 0);
    handles[i] = UPCR_INVALID_HANDLE;
  }
}

UPCRI_API int upcri_try_nb_all(const char* function, upcr_handle_t* handles, size_t count) {
  const observe::Span span(observe::Kind::kSync);
  ThreadCtx& c = ctx(function);
  if (sweep(c, function, handles, count).left == 0) return 1;
  after_failed_try();
  return sweep(c, function, handles, count).left == 0;
}

UPCRI_API void upcri_wait_nb_some(const char* function, upcr_handle_t* handles, size_t count) {
  const observe::Span span(observe::Kind::kSync);
  ThreadCtx& c = ctx(function);
  bool some = false;  // the test releases operations: not to be repeated once it has
  job().progress.wait_until(c.thread, {"one of several non-blocking operations", count}, [&] {
    if (some) return true;
    const Sweep s = sweep(c, function, handles, count);
    return some = s.ended != 0 || s.left == 0;
  });
}

UPCRI_API int upcri_try_nb_some(const char* function, upcr_handle_t* handles, size_t count) {
  const observe::Span span(observe::Kind::kSync);
  ThreadCtx& c = ctx(function);
  Sweep s = sweep(c, function, handles, count);
  if (s.ended == 0 && s.left != 0) {
    after_failed_try();
    s = sweep(c, function, handles, count);
  }
  return s.ended != 0 || s.left == 0;
}

UPCRI_API void upcri_wait_nbi(const char* function, int gets, int puts) {
  const observe::Span span(observe::Kind::kSync);
  ThreadCtx& c = ctx(function);
  check_implicit_sync(c, function);
  job().progress.wait_until(c.thread, {"implicit non-blocking operations"},
                            [&] { return implicit_done(c, gets != 0, puts != 0); });
  observe::implicit_over(gets != 0, puts != 0);
  forget_implicit(c, gets != 0, puts != 0);
}

UPCRI_API int upcri_try_nbi(const char* function, int gets, int puts) {
  const observe::Span span(observe::Kind::kSync);
  ThreadCtx& c = ctx(function);
  check_implicit_sync(c, function);
  if (!implicit_done(c, gets != 0, puts != 0)) {
    after_failed_try();
    if (!implicit_done(c, gets != 0, puts != 0)) return 0;
  }
  observe::implicit_over(gets != 0, puts != 0);
  forget_implicit(c, gets != 0, puts != 0);
  return 1;
}

UPCRI_API void upcr_begin_nbi_accessregion(void) {
  constexpr const char* kName = "upcr_begin_nbi_accessregion";
  ThreadCtx& c = ctx(kName);
  check_no_strict(c, kName, nullptr);
#if UPCR_DEBUG
  if (c.in_region)
    fatal("%s inside the access region that was begun at %s:%d; regions do not nest", kName,
          c.eops->region->issued.file != nullptr ? c.eops->region->issued.file : "?",
          c.eops->region->issued.line);
#endif
  Eop* eop = acquire_eop(c, kName, UPCRI_NB_REGION);
  eop->value = 0;
  c.eops->region = eop;
  c.region = &eop->pending;
  c.in_region = true;
}

UPCRI_API upcr_handle_t upcr_end_nbi_accessregion(void) {
  constexpr const char* kName = "upcr_end_nbi_accessregion";
  ThreadCtx& c = ctx(kName);
  check_no_strict(c, kName, nullptr);
  if (!c.in_region) fatal("%s without upcr_begin_nbi_accessregion before it", kName);
  Eop* eop = c.eops->region;
  c.eops->region = nullptr;
  c.region = nullptr;
  c.in_region = false;
#if UPCR_DEBUG
  if (eop->value != 0) {  // it has collected scalar operations, so it counts as one
    eop->how = 0;
    ++c.eops->scalars;
  }
#else
  if (eop->pending.done()) {
    release_eop(c, eop);
    return UPCR_INVALID_HANDLE;
  }
#endif
  return to_handle(eop);
}

}  // extern "C"
}  // namespace upcr
