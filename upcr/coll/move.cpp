// SPDX-License-Identifier: BSD-3-Clause
// The collectives that move data (include/upcr/coll.h): each thread reads from, or writes to, the memory of
// the others. UPC threads.
#include <cstring>

#include "conduits/base/report.hpp"
#include "include/upcr/coll.h"
#include "upcr/coll/call.hpp"
#include "upcr/data.hpp"

namespace upcr::coll {
namespace {

SharedAddr at(Slot thread, SharedAddr base, std::uint64_t bytes) { return {thread, base.offset + bytes}; }

struct Move {
  Move(const char* function, upcr_shared_ptr_t to, upcr_shared_ptr_t from, std::size_t nbytes, int flags)
      : c(upcr::ctx(function)),
        call(c, world(c), function, flags),
        dst(decode(to)),
        src(decode(from)),
        n(nbytes),
        me(call.team().me),
        size(call.team().size) {
    static const char* const names[] = {"dst", "src", "nbytes", "flags"};
    const std::uint64_t values[] = {pack(dst), pack(src), n, static_cast<std::uint64_t>(flags)};
    check_single_valued(call, names, values, 4);
    call.enter();
  }
  ~Move() { call.leave(); }

  void everybody_touches_mine() {
    for (TeamRank m = 0; m < size; ++m) call.touched_by(m);
  }
  void get(SharedAddr to_mine, SharedAddr from) {
    call.wait_entered(from.thread);
    get_bytes(mapped(to_mine), from, n);
  }
  void put(SharedAddr to, SharedAddr from_mine) {
    call.wait_entered(to.thread);
    put_bytes(to, mapped(from_mine), n);
  }

  ThreadCtx& c;
  Call call;
  SharedAddr dst, src;
  std::size_t n;
  TeamRank me, size;
};

}  // namespace
}  // namespace upcr::coll

using namespace upcr;
using namespace upcr::coll;

extern "C" {

void bupc_all_broadcast(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags) {
  Move m("upc_all_broadcast", dst, src, nbytes, flags);
  if (m.me == m.src.thread) m.everybody_touches_mine();
  m.get(at(m.me, m.dst, 0), m.src);
  m.call.finished_with(m.src.thread);
}

void bupc_all_scatter(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags) {
  Move m("upc_all_scatter", dst, src, nbytes, flags);
  if (m.me == m.src.thread) m.everybody_touches_mine();
  m.get(at(m.me, m.dst, 0), at(m.src.thread, m.src, m.me * m.n));
  m.call.finished_with(m.src.thread);
}

void bupc_all_gather(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags) {
  Move m("upc_all_gather", dst, src, nbytes, flags);
  if (m.me == m.dst.thread) m.everybody_touches_mine();
  m.put(at(m.dst.thread, m.dst, m.me * m.n), at(m.me, m.src, 0));
  m.call.finished_with(m.dst.thread);
}

void bupc_all_gather_all(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags) {
  Move m("upc_all_gather_all", dst, src, nbytes, flags);
  m.everybody_touches_mine();
  for (TeamRank i = 0; i < m.size; ++i) {
    const TeamRank from = (m.me + i) % m.size;
    m.get(at(m.me, m.dst, from * m.n), at(from, m.src, 0));
    m.call.finished_with(from);
  }
}

void bupc_all_exchange(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, size_t nbytes, int flags) {
  Move m("upc_all_exchange", dst, src, nbytes, flags);
  m.everybody_touches_mine();
  for (TeamRank i = 0; i < m.size; ++i) {
    const TeamRank from = (m.me + i) % m.size;
    m.get(at(m.me, m.dst, from * m.n), at(from, m.src, m.me * m.n));
    m.call.finished_with(from);
  }
}

void bupc_all_permute(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, upcr_pshared_ptr_t perm, size_t nbytes,
                      int flags) {
  Move m("upc_all_permute", dst, src, nbytes, flags);
  int target;
  std::memcpy(&target, mapped(at(m.me, decode(perm), 0)), sizeof target);
  const auto to = static_cast<TeamRank>(target);
  if (to >= m.size)
    fatal("upc_all_permute: perm[%u] is %d; it must be one of the %u threads", m.me, target, m.size);
  if (to != m.me) m.call.touched_by_somebody();
  m.put(at(to, m.dst, 0), at(m.me, m.src, 0));
  m.call.finished_with(to, true);
}

}  // extern "C"
