// SPDX-License-Identifier: BSD-3-Clause
// The GASP events of files that `upcc --stats` compiled (include/upcr/instrument/span.h): each is an
// operation with its line. Operations that are not inlined report themselves too (span.hpp), inside of the
// events, where they count as parts of them.
#include <cstdarg>
#include <cstring>
#include <mutex>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/layout.h"
#include "upcr/observe/thread_path.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/state/thread_ctx.hpp"

#define UPCR_GASP 1
#define UPCR_STATS 1
#include "include/gasp_upc.h"
#include "include/pupc.h"

namespace upcr::observe {
namespace {

Slot thread_of(const void* pointer_to_shared) noexcept {
  return decode(*static_cast<const upcr_shared_ptr_t*>(pointer_to_shared)).thread;
}

// The arguments of an event, behind the position.
enum class Form {
  kNone,
  kPut,     // int relaxed, PTS *dst, const void *src, size_t nbytes
  kGet,     // int relaxed, void *dst, PTS *src, size_t nbytes
  kTo,      // PTS *dst, const void *src, size_t nbytes
  kFrom,    // void *dst, PTS *src, size_t nbytes
  kCopy,    // PTS *dst, PTS *src, size_t nbytes
  kFill,    // PTS *dst, int c, size_t nbytes
  kAtomic,  // PTS *, size_t nbytes
  kMove,    // as kCopy; a collective: no accesses of one thread to another's memory
  kThird,   // PTS *, PTS *, PTS *, size_t nbytes
  kReduce,  // PTS *, PTS *, unsigned long long, size_t nelems, size_t, void *, int, type
  kBytes,   // size_t nbytes
  kBlocks,  // size_t nblocks, size_t nbytes
  kOwner,   // PTS * of what is accessed
};

struct Event {
  unsigned tag;
  Kind kind;
  Form form;
};
constexpr Event kEvents[] = {
    {GASP_UPC_GET, Kind::kGet, Form::kGet},
    {GASP_UPC_PUT, Kind::kPut, Form::kPut},
    {GASP_UPC_NB_GET_INIT, Kind::kNbGet, Form::kGet},
    {GASP_UPC_NB_PUT_INIT, Kind::kNbPut, Form::kPut},
    {GASP_UPC_NB_SYNC, Kind::kSync, Form::kNone},
    {GASP_BUPC_NB_TRYSYNC, Kind::kSync, Form::kNone},
    {GASP_UPC_MEMGET, Kind::kMemget, Form::kFrom},
    {GASP_UPC_MEMPUT, Kind::kMemput, Form::kTo},
    {GASP_UPC_MEMCPY, Kind::kMemcpy, Form::kCopy},
    {GASP_UPC_MEMSET, Kind::kMemset, Form::kFill},
    {GASP_BUPC_NB_MEMGET_INIT, Kind::kNbGet, Form::kFrom},
    {GASP_BUPC_NB_MEMPUT_INIT, Kind::kNbPut, Form::kTo},
    {GASP_BUPC_NB_MEMCPY_INIT, Kind::kNbCopy, Form::kCopy},
    {UPCR_STATS_NB_SET, Kind::kNbSet, Form::kFill},
    {UPCR_STATS_ATOMIC, Kind::kAtomic, Form::kAtomic},
    {GASP_UPC_NOTIFY, Kind::kNotify, Form::kNone},
    {GASP_UPC_WAIT, Kind::kBarrier, Form::kNone},
    {GASP_UPC_LOCK, Kind::kLock, Form::kOwner},
    {GASP_UPC_LOCK_ATTEMPT, Kind::kLockAttempt, Form::kOwner},
    {GASP_UPC_UNLOCK, Kind::kUnlock, Form::kOwner},
    {GASP_UPC_ALLOC, Kind::kAlloc, Form::kBytes},
    {GASP_UPC_GLOBAL_ALLOC, Kind::kAlloc, Form::kBlocks},
    {GASP_UPC_ALL_ALLOC, Kind::kAllAlloc, Form::kBlocks},
    {GASP_UPC_FREE, Kind::kFree, Form::kNone},
    {GASP_UPC_GLOBAL_LOCK_ALLOC, Kind::kLockAlloc, Form::kNone},
    {GASP_UPC_ALL_LOCK_ALLOC, Kind::kLockAlloc, Form::kNone},
    {GASP_UPC_LOCK_FREE, Kind::kFree, Form::kNone},
    {GASP_UPC_ALL_BROADCAST, Kind::kBroadcast, Form::kMove},
    {GASP_UPC_ALL_SCATTER, Kind::kScatter, Form::kMove},
    {GASP_UPC_ALL_GATHER, Kind::kGather, Form::kMove},
    {GASP_UPC_ALL_GATHER_ALL, Kind::kGatherAll, Form::kMove},
    {GASP_UPC_ALL_EXCHANGE, Kind::kExchange, Form::kMove},
    {GASP_UPC_ALL_PERMUTE, Kind::kPermute, Form::kThird},
    {GASP_UPC_ALL_REDUCE, Kind::kReduce, Form::kReduce},
    {GASP_UPC_ALL_PREFIX_REDUCE, Kind::kPrefixReduce, Form::kReduce},
};

const Event* find_event(unsigned tag) noexcept {
  for (const Event& event : kEvents)
    if (event.tag == tag) return &event;
  return nullptr;
}

// Bytes of an element of a reduction, by gasp_upc_reduction_t.
constexpr std::size_t kElementBytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8, sizeof(long double)};

Access access_of(Form form, va_list args) noexcept {
  Access a;
  const auto target = [&] { return thread_of(va_arg(args, const void*)); };
  const auto skip_pointer = [&] { (void)va_arg(args, const void*); };
  switch (form) {
    case Form::kNone:
      break;
    case Form::kPut:
      (void)va_arg(args, int);
      [[fallthrough]];
    case Form::kTo:
      a.to = target();
      skip_pointer();
      a.bytes = va_arg(args, std::size_t);
      break;
    case Form::kGet:
      (void)va_arg(args, int);
      [[fallthrough]];
    case Form::kFrom:
      skip_pointer();
      a.from = target();
      a.bytes = va_arg(args, std::size_t);
      break;
    case Form::kCopy:
      a.to = target();
      a.from = target();
      a.bytes = va_arg(args, std::size_t);
      break;
    case Form::kFill:
      a.to = target();
      (void)va_arg(args, int);
      a.bytes = va_arg(args, std::size_t);
      break;
    case Form::kAtomic:
      a.to = target();
      a.bytes = va_arg(args, std::size_t);
      break;
    case Form::kThird:
      skip_pointer();
      [[fallthrough]];
    case Form::kMove:
      skip_pointer();
      skip_pointer();
      a.bytes = va_arg(args, std::size_t);
      break;
    case Form::kReduce: {
      skip_pointer();
      skip_pointer();
      (void)va_arg(args, unsigned long long);
      const std::size_t elements = va_arg(args, std::size_t);
      (void)va_arg(args, std::size_t);
      skip_pointer();
      (void)va_arg(args, int);
      a.bytes = elements * kElementBytes[static_cast<unsigned>(va_arg(args, int)) % 11];
      break;
    }
    case Form::kBytes:
      a.bytes = va_arg(args, std::size_t);
      break;
    case Form::kBlocks:
      a.bytes = va_arg(args, std::size_t);
      a.bytes *= va_arg(args, std::size_t);
      break;
    case Form::kOwner:
      a.to = target();
      break;
  }
  return a;
}

static_assert(UPCRI_STATS_GET == static_cast<unsigned>(Kind::kGet) &&
              UPCRI_STATS_PUT == static_cast<unsigned>(Kind::kPut) &&
              UPCRI_STATS_NB_GET == static_cast<unsigned>(Kind::kNbGet) &&
              UPCRI_STATS_NB_PUT == static_cast<unsigned>(Kind::kNbPut) &&
              UPCRI_STATS_ATOMIC == static_cast<unsigned>(Kind::kAtomic));

Thread* thread(gasp_context_t context) noexcept { return reinterpret_cast<Thread*>(context); }

// The names of the program's regions, by their tags, for all threads of the process. Never freed: cells keep
// them.
struct Regions {
  std::mutex lock;
  std::vector<const char*> names;
};
Regions& regions() {
  static auto* const all = new Regions;
  return *all;
}

const char* region_name(unsigned tag) {
  Regions& all = regions();
  const std::lock_guard guard(all.lock);
  const unsigned i = tag - GASP_UPC_USEREVT_START;
  return i < all.names.size() ? all.names[i] : "?";
}

}  // namespace

extern "C" {

UPCRI_API gasp_context_t upcri_stats_context(void) {
  Thread* const t = current();
  return t != nullptr && t->on() ? reinterpret_cast<gasp_context_t>(t) : nullptr;
}

UPCRI_API void upcri_stats_notify(gasp_context_t context, unsigned int tag, gasp_evttype_t type,
                                  const char* file, int line, int column, ...) {
  if (tag >= GASP_UPC_USEREVT_START && tag <= GASP_UPC_USEREVT_END) {
    // An atomic one is a region of no length.
    if (type != GASP_END) thread(context)->region_began(region_name(tag));
    if (type != GASP_START) thread(context)->region_over(region_name(tag));
    return;
  }
  const Event* const event = find_event(tag);
  if (event == nullptr || type == GASP_ATOMIC) return;
  if (type == GASP_END) return thread(context)->end_nested();
  va_list args;
  va_start(args, column);
  const Access access = access_of(event->form, args);
  va_end(args);
  thread(context)->begin_nested({file, line}, event->kind, access);
}

UPCRI_API void upcri_stats_access(gasp_context_t context, unsigned kind, const char* file, int line,
                                  upcr_thread_t owner, size_t bytes) {
  Access access{bytes, kNobody, kNobody};
  (kind == UPCRI_STATS_GET || kind == UPCRI_STATS_NB_GET ? access.from : access.to) = owner;
  thread(context)->begin_nested({file, line}, static_cast<Kind>(kind), access);
}

UPCRI_API void upcri_stats_end(gasp_context_t context) { thread(context)->end_nested(); }

UPCRI_API unsigned int upcri_stats_create_event(const char* name, const char*) {
  Regions& all = regions();
  const std::lock_guard guard(all.lock);
  unsigned tag = GASP_UPC_USEREVT_START;
  for (const char* known : all.names) {
    if (std::strcmp(known, name) == 0) return tag;
    ++tag;
  }
  if (tag > GASP_UPC_USEREVT_END)
    fatal("pupc_create_event(\"%s\"): there are %u events already, the most that there can be", name,
          GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1);
  all.names.push_back(::strdup(name));
  return tag;
}

UPCRI_API int upcri_stats_control(int on) {
  Thread* const t = current();
  return t != nullptr && t->set_on(on != 0) ? 1 : 0;
}

}  // extern "C"
}  // namespace upcr::observe
