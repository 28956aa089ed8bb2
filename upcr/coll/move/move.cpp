// SPDX-License-Identifier: BSD-3-Clause
// The C API of the collectives that move data (include/upcr/coll.h). UPC threads.
#include "include/upcr/coll.h"

#include <cstring>

#include "upcr/coll/call/call.hpp"
#include "upcr/coll/move/check.hpp"
#include "upcr/coll/move/move.hpp"
#include "upcr/observe/span.hpp"

namespace upcr::coll {
namespace {

observe::Kind kind_of(Collective what) noexcept {
  switch (what) {
    case Collective::kBroadcast:
      return observe::Kind::kBroadcast;
    case Collective::kScatter:
      return observe::Kind::kScatter;
    case Collective::kGather:
      return observe::Kind::kGather;
    case Collective::kGatherAll:
      return observe::Kind::kGatherAll;
    default:
      return observe::Kind::kExchange;
  }
}

void move(const char* function, Collective what, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
          std::size_t nbytes, int flags) {
  const observe::Span span(kind_of(what), {nbytes});
  Call call(upcr::ctx(function), world(upcr::ctx(function)), function, flags);
  check_move(call, what, dst, src, nbytes);
  Move m{call, decode(dst), decode(src), nbytes};
  m.root = what == Collective::kGather ? m.dst.thread : m.src.thread;
  static constexpr const char* kNames[] = {"nbytes", "the root's thread"};
  call.note_arguments(kNames, {nbytes, m.root});
  if (!move_by_flags(m, what)) call.run(run_collective(m, what));
}

}  // namespace

extern "C" {

UPCRI_API void bupc_all_broadcast(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags) {
  move("upc_all_broadcast", Collective::kBroadcast, dst, src, nbytes, flags);
}

UPCRI_API void bupc_all_scatter(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags) {
  move("upc_all_scatter", Collective::kScatter, dst, src, nbytes, flags);
}

UPCRI_API void bupc_all_gather(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags) {
  move("upc_all_gather", Collective::kGather, dst, src, nbytes, flags);
}

UPCRI_API void bupc_all_gather_all(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags) {
  move("upc_all_gather_all", Collective::kGatherAll, dst, src, nbytes, flags);
}

UPCRI_API void bupc_all_exchange(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags) {
  move("upc_all_exchange", Collective::kExchange, dst, src, nbytes, flags);
}

UPCRI_API void bupc_all_permute(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, upcr_pshared_ptr_t perm,
                                size_t nbytes, int flags) {
  const char* const function = "upc_all_permute";
  const observe::Span span(observe::Kind::kPermute, {nbytes});
  ThreadCtx& c = upcr::ctx(function);
  Call call(c, world(c), function, flags);
  check_permute(call, dst, src, perm, nbytes);
  const Move m{call, decode(dst), decode(src), nbytes};
  call.enter();
  int target;
  std::memcpy(&target, mapped({c.thread, decode(perm).offset}), sizeof target);
  check_target(call, target);
  call.run(permute(m, target));
  call.leave();
}

}  // extern "C"

}  // namespace upcr::coll
