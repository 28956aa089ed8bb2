// SPDX-License-Identifier: BSD-3-Clause
// Synchronisation of non-blocking collectives, by the same rules as that of puts and gets.
#include "conduits/api/gasnet/coll/call.hpp"
#include "conduits/api/gasnet/state/client.hpp"
#include "conduits/api/gasnet/state/polling.hpp"
#include "conduits/api/gasnet/state/thread.hpp"
#include "conduits/core/progress/progress.hpp"

namespace upcr::gasnet {
namespace {

void check(const char* function) {
  require_attached(function);
  check_free_thread(function);
}

struct Sweep {
  std::size_t ended = 0, left = 0;
};
// Frees the operations of the array that are done; returns how many these are, and how many are not.
Sweep sweep(gasnet_coll_handle_t* handles, std::size_t count) {
  Sweep s;
  for (std::size_t i = 0; i < count; ++i) {
    if (handles[i] == GASNET_COLL_INVALID_HANDLE) continue;
    if (!handles[i]->done()) {
      ++s.left;
      continue;
    }
    delete handles[i];
    handles[i] = GASNET_COLL_INVALID_HANDLE;
    ++s.ended;
  }
  return s;
}

}  // namespace

extern "C" {

GASNETI_API void gasnet_coll_wait_sync(gasnet_coll_handle_t handle) {
  check(__func__);
  if (handle == GASNET_COLL_INVALID_HANDLE) return;
  handle->wait();
  delete handle;
}

GASNETI_API int gasnet_coll_try_sync(gasnet_coll_handle_t handle) {
  check(__func__);
  poll_with_yield();
  return sweep(&handle, 1).left == 0 ? GASNET_OK : GASNET_ERR_NOT_READY;
}

GASNETI_API void gasnet_coll_wait_sync_all(gasnet_coll_handle_t* handles, size_t count) {
  check(__func__);
  for (std::size_t i = 0; i < count; ++i) {
    gasnet_coll_wait_sync(handles[i]);
    handles[i] = GASNET_COLL_INVALID_HANDLE;
  }
}

GASNETI_API int gasnet_coll_try_sync_all(gasnet_coll_handle_t* handles, size_t count) {
  check(__func__);
  poll_with_yield();
  return sweep(handles, count).left == 0 ? GASNET_OK : GASNET_ERR_NOT_READY;
}

GASNETI_API void gasnet_coll_wait_sync_some(gasnet_coll_handle_t* handles, size_t count) {
  check(__func__);
  bool some = false;
  job().progress.wait_until(my_slot(), {__func__, count}, [&] {
    if (some) return true;
    const Sweep s = sweep(handles, count);
    return some = s.ended != 0 || s.left == 0;
  });
}

GASNETI_API int gasnet_coll_try_sync_some(gasnet_coll_handle_t* handles, size_t count) {
  check(__func__);
  poll_with_yield();
  const Sweep s = sweep(handles, count);
  return s.ended != 0 || s.left == 0 ? GASNET_OK : GASNET_ERR_NOT_READY;
}

}  // extern "C"

}  // namespace upcr::gasnet
