// SPDX-License-Identifier: BSD-3-Clause
// The state of one UPC thread of this process, which ctx() finds by a thread-local pointer. It exists before
// the thread's first UPC action and after its last; only its own thread uses it.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/model/completion.hpp"
#include "conduits/core/model/topology.hpp"
#include "include/upcr/types.h"

namespace upcr {

struct EopPool;    // upcr/access/nb: explicit handles
struct IoState;    // upcr/io: open files
struct LockNodes;  // upcr/sync/lock: queue nodes
namespace gupc {
class Transfers;  // upcr/gupc: transfers of the gmem layer
}
namespace observe {
class Thread;  // upcr/observe: what is counted of the thread
}
namespace coll {
struct Member;  // upcr/coll: teams and messages
}

// The last collective call of the program, for reports of waits. `names`: of the `count` values.
struct CollectiveRecord {
  static constexpr unsigned kMaxValues = 3;
  const char* function = nullptr;
  std::uint64_t team = 0;
  std::uint32_t call = 0;
  bool inside = false;  // it has not ended
  unsigned count = 0;
  const char* const* names = nullptr;
  std::uint64_t values[kMaxValues] = {};
};

struct ThreadCtx {
  Slot thread = 0;          // the UPC thread number, also its slot
  int local_index = 0;      // in its process
  char* segment = nullptr;  // start of its segment here
  char** argv = nullptr;    // its copy of the command line; never freed

  // Source position for messages (UPCR_SET_SRCPOS, or the macros of a debug build).
  const char* file = nullptr;
  int line = 0;

  // Barrier state machine.
  bool notified = false;
  int notify_value = 0, notify_flags = 0;
  std::uint64_t barriers = 0;  // of the program, that it has completed

  // Implicit non-blocking operations, and the access region that collects them while it is open.
  Pending implicit_puts, implicit_gets;
  bool in_region = false;
  Pending* region = nullptr;
  EopPool* eops = nullptr;

  LockNodes* locks = nullptr;
  gupc::Transfers* transfers = nullptr;
  coll::Member* coll = nullptr;
  CollectiveRecord collective;
  IoState* io = nullptr;
  void* gasp = nullptr;  // the context of a measurement tool, once this thread has reported an event
  bool gasp_off = false;
  observe::Thread* observed = nullptr;  // while the program is observed
  std::uint64_t small_broadcasts = 0;   // upcr/barrier/small_broadcast
  bool exiting = false;
};

// The calling UPC thread's; nullptr on a thread that is not a UPC thread.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local ThreadCtx* current_ctx;

inline ThreadCtx* ctx_or_null() noexcept { return current_ctx; }
// Fatal if the calling thread is not a UPC thread ("<function> called before ..." wording).
ThreadCtx& ctx(const char* function = nullptr);

}  // namespace upcr
