// SPDX-License-Identifier: BSD-3-Clause
// bupc_extern_*: UPC for C code that does not include upcr.h. Thin layers over the upcr_ calls, with the
// thread checked in every build.
#include "include/bupc_extern.h"

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/barrier.h"
#include "include/upcr/heap.h"
#include "include/upcr/idents.h"
#include "include/upcr/init.h"
#include "include/upcr/layout.h"
#include "upcr/barrier/small_broadcast.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

// The owner and offset of a local pointer. Fatal if it points to no shared memory, or not to `thread`'s.
SharedAddr owner_of(void* ptr, int thread, const char* function) {
  SharedAddr a;
  if (!job().segments.find(job().topology, ptr, &a.thread, &a.offset))
    fatal("%s: %p is not in any UPC thread's shared memory", function, ptr);
  if (thread != -1 && a.thread != static_cast<Slot>(thread))
    fatal("%s: %p belongs to UPC thread %u, not %d", function, ptr, a.thread, thread);
  return a;
}

void check_attached(const char* function) {
  if (runtime().stage.load(std::memory_order_relaxed) < Stage::kAttached)
    fatal("%s called before UPC runtime initialized; call bupc_init() or bupc_init_reentrant() first",
          function);
}

}  // namespace
extern "C" {

UPCRI_API int bupc_extern_mythread(void) { return static_cast<int>(ctx("bupc_extern_mythread").thread); }

UPCRI_API int bupc_extern_threads(void) {
  check_attached("bupc_extern_threads");
  return static_cast<int>(upcr_threads());
}

UPCRI_API char* bupc_extern_getenv(const char* env_name) {
  check_attached("bupc_extern_getenv");
  return upcr_getenv(env_name);
}

UPCRI_API void bupc_extern_notify(int barrier_id) {
  ctx("bupc_extern_notify");
  upcr_notify(barrier_id, 0);
}
UPCRI_API void bupc_extern_wait(int barrier_id) {
  ctx("bupc_extern_wait");
  upcr_wait(barrier_id, 0);
}
UPCRI_API void bupc_extern_barrier(int barrier_id) {
  ctx("bupc_extern_barrier");
  upcr_barrier(barrier_id, 0);
}

UPCRI_API void* bupc_extern_alloc(size_t bytes) {
  ctx("bupc_extern_alloc");
  if (bytes == 0) return nullptr;
  return upcr_shared_to_local(upcr_alloc(bytes));
}

UPCRI_API void* bupc_extern_all_alloc(size_t nblocks, size_t blocksz) {
  const ThreadCtx& c = ctx("bupc_extern_all_alloc");
  const SharedAddr a = decode(upcr_all_alloc(nblocks, blocksz));
  const bool has_part = !a.null() && (nblocks > 1 || c.thread == a.thread);
  return has_part ? c.segment + a.offset : nullptr;
}

UPCRI_API void bupc_extern_free(void* ptr, int thread) {
  ctx("bupc_extern_free");
  if (ptr != nullptr) upcr_free(encode(owner_of(ptr, thread, "bupc_extern_free")));
}

UPCRI_API void bupc_extern_all_free(void* ptr, int thread) {
  ThreadCtx& c = ctx("bupc_extern_all_free");
  // Parts have the same offset on all threads, and thread 0 always has one: its pointer is used.
  SmallValue object{};
  if (ptr != nullptr) object.words[0] = owner_of(ptr, thread, "bupc_extern_all_free").offset;
  object = small_broadcast(c, 0, object);
  upcr_all_free(encode({0, object.words[0]}));
}

UPCRI_API int bupc_extern_threadof(void* ptr) {
  ctx("bupc_extern_threadof");
  SharedAddr a;
  return job().segments.find(job().topology, ptr, &a.thread, &a.offset) ? static_cast<int>(a.thread) : -1;
}

UPCRI_API void bupc_extern_process_thread_layout(int* upcthreads_in_process,
                                                 int* first_upcthread_in_process) {
  check_attached("bupc_extern_process_thread_layout");
  const Topology& t = job().topology;
  if (upcthreads_in_process != nullptr) *upcthreads_in_process = static_cast<int>(t.my_slots());
  if (first_upcthread_in_process != nullptr)
    *first_upcthread_in_process = static_cast<int>(t.my_first_slot());
}

UPCRI_API void bupc_extern_config_info(const char** upcr_config_str, const char** gasnet_config_str,
                                       const char** upcr_version_str, int* upcr_runtime_spec_major,
                                       int* upcr_runtime_spec_minor, int* upcr_debug, int* upcr_pthreads,
                                       size_t* upcr_pagesize) {
  if (upcr_config_str != nullptr) *upcr_config_str = UPCR_CONFIG_STRING;
  if (gasnet_config_str != nullptr) *gasnet_config_str = GASNET_CONFIG_STRING;
  if (upcr_version_str != nullptr) *upcr_version_str = UPCR_VERSION;
  if (upcr_runtime_spec_major != nullptr) *upcr_runtime_spec_major = UPCR_RUNTIME_SPEC_MAJOR;
  if (upcr_runtime_spec_minor != nullptr) *upcr_runtime_spec_minor = UPCR_RUNTIME_SPEC_MINOR;
  if (upcr_debug != nullptr) *upcr_debug = UPCR_DEBUG;
  if (upcr_pthreads != nullptr) *upcr_pthreads = 1;  // any program may have several UPC threads per process
  if (upcr_pagesize != nullptr) *upcr_pagesize = UPCR_PAGESIZE;
}

}  // extern "C"
}  // namespace upcr
