// SPDX-License-Identifier: BSD-3-Clause
// Synchronisation of non-blocking operations, and access regions. Client threads; not in a handler.
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/operation.hpp"
#include "conduits/api/gasnet/state/polling.hpp"
#include "conduits/api/gasnet/trace/trace.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "include/gasnet/extended.h"

namespace upcr::gasnet {
namespace {

// Frees the operations of the array that are done; returns how many these are, and how many are not.
struct Sweep {
  std::size_t ended = 0, left = 0;
};
Sweep sweep(ThreadState& t, const char* function, gasnet_handle_t* handles, std::size_t count) {
  Sweep s;
  for (std::size_t i = 0; i < count; ++i) {
    if (handles[i] == nullptr) continue;
    Op* op = from_handle(t, function, handles[i]);
    if (!op->pending.done()) {
      ++s.left;
      continue;
    }
    release_op(t, op);
    handles[i] = nullptr;
    ++s.ended;
  }
  return s;
}

bool done(const ThreadState& t, int which) {
  return ((which & GASNETI_PUTS) == 0 || t.puts.done()) && ((which & GASNETI_GETS) == 0 || t.gets.done());
}

}  // namespace

extern "C" {

GASNETI_API void gasneti_wait_nb(const char* function, gasnet_handle_t handle) {
  check_call(function);
  const Traced traced(Event::kSync);
  ThreadState& t = thread_state();
  Op* op = from_handle(t, function, handle);
  job().progress.wait_until(my_slot(), {"a non-blocking operation"}, [&] { return op->pending.done(); });
  release_op(t, op);
}

// A try polls the network, whatever its result: many clients serve messages by loops around it alone.
GASNETI_API int gasneti_try_nb(const char* function, gasnet_handle_t handle, int poll) {
  check_call(function);
  const Traced traced(Event::kSyncTry);
  if (handle == nullptr) {
    if (poll) job().progress.poll();
    return GASNET_OK;
  }
  ThreadState& t = thread_state();
  Op* op = from_handle(t, function, handle);
  if (!op->pending.done()) {
    if (poll) poll_with_yield();
    if (!op->pending.done()) return GASNET_ERR_NOT_READY;
  }
  release_op(t, op);
  return GASNET_OK;
}

GASNETI_API void gasneti_wait_nb_all(const char* function, gasnet_handle_t* handles, size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (handles[i] != nullptr) gasneti_wait_nb(function, handles[i]);
    handles[i] = nullptr;
  }
}

GASNETI_API int gasneti_try_nb_all(const char* function, gasnet_handle_t* handles, size_t count, int poll) {
  check_call(function);
  const Traced traced(Event::kSyncTry);
  ThreadState& t = thread_state();
  if (poll) job().progress.poll();
  if (sweep(t, function, handles, count).left == 0) return GASNET_OK;
  if (!poll) return GASNET_ERR_NOT_READY;
  poll_with_yield();
  return sweep(t, function, handles, count).left == 0 ? GASNET_OK : GASNET_ERR_NOT_READY;
}

GASNETI_API void gasneti_wait_nb_some(const char* function, gasnet_handle_t* handles, size_t count) {
  check_call(function);
  const Traced traced(Event::kSync);
  ThreadState& t = thread_state();
  bool some = false;  // set once operations have been freed
  job().progress.wait_until(my_slot(), {"one of several non-blocking operations", count}, [&] {
    if (some) return true;
    const Sweep s = sweep(t, function, handles, count);
    return some = s.ended != 0 || s.left == 0;
  });
}

GASNETI_API int gasneti_try_nb_some(const char* function, gasnet_handle_t* handles, size_t count, int poll) {
  check_call(function);
  const Traced traced(Event::kSyncTry);
  ThreadState& t = thread_state();
  if (poll) job().progress.poll();
  Sweep s = sweep(t, function, handles, count);
  if (s.ended == 0 && s.left != 0 && poll) {
    poll_with_yield();
    s = sweep(t, function, handles, count);
  }
  return s.ended != 0 || s.left == 0 ? GASNET_OK : GASNET_ERR_NOT_READY;
}

GASNETI_API int gasneti_sync_nbi(const char* function, int which, int wait) {
  check_call(function);
  const Traced traced(Event::kSyncNbi);
  ThreadState& t = thread_state();
#if UPCR_DEBUG
  if (t.region != nullptr)
    fatal("%s in an access region; end the region and synchronise its handle", function);
#endif
  if (wait) {
    job().progress.wait_until(my_slot(), {"implicit non-blocking operations"},
                              [&] { return done(t, which); });
  } else if (!done(t, which)) {
    poll_with_yield();
    if (!done(t, which)) return GASNET_ERR_NOT_READY;
  }
  return GASNET_OK;
}

GASNETI_API void gasnet_begin_nbi_accessregion(void) {
  constexpr const char* kName = "gasnet_begin_nbi_accessregion";
  check_call(kName);
  ThreadState& t = thread_state();
  if (t.region != nullptr) fatal("%s in an access region; they do not nest", kName);
  t.region = acquire_op(t, kName);
}

GASNETI_API gasnet_handle_t gasnet_end_nbi_accessregion(void) {
  constexpr const char* kName = "gasnet_end_nbi_accessregion";
  check_call(kName);
  ThreadState& t = thread_state();
  if (t.region == nullptr) fatal("%s without gasnet_begin_nbi_accessregion before it", kName);
  Op* op = t.region;
  t.region = nullptr;
#if !UPCR_DEBUG
  if (op->pending.done()) {
    release_op(t, op);
    return nullptr;
  }
#endif
  return to_handle(op);
}

}  // extern "C"

}  // namespace upcr::gasnet
