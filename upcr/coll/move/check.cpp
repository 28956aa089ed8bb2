// SPDX-License-Identifier: BSD-3-Clause
// Debug checks of the collectives that move data. See move/check.hpp.
#include "upcr/coll/move/check.hpp"

#include "conduits/core/base/report/error.hpp"
#include "upcr/access/check.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/pointer/sptr_text.hpp"

namespace upcr::coll {

#if UPCR_DEBUG
namespace {

// An argument that points to shared memory.
struct Region {
  const char* name;
  upcr_shared_ptr_t pointer;
  bool everywhere;       // one part on each thread, starting with thread 0; else all on one thread
  std::uint64_t blocks;  // of nbytes, on each thread concerned
};

void check_size(Call& call, std::size_t nbytes) {
  if (nbytes == 0)
    fatal("%s: argument nbytes is 0 on UPC thread %u; it must be greater than 0", call.function(),
          call.ctx().thread);
}

void check_region(Call& call, const Region& r, std::size_t nbytes) {
  std::size_t bytes;
  if (__builtin_mul_overflow(nbytes, r.blocks, &bytes))
    fatal("%s: argument nbytes is %zu on UPC thread %u; %llu such blocks are more than any memory can hold",
          call.function(), nbytes, call.ctx().thread, static_cast<unsigned long long>(r.blocks));
  check_access(call.function(), r.pointer, 0, bytes, UPCRI_NB_BULK);
  if (r.everywhere && call.team().key == 0 && upcr_threadof_shared(r.pointer) != 0)
    fatal("%s: argument %s of UPC thread %u is %s; it must have affinity to thread 0", call.function(),
          r.name, call.ctx().thread, PointerText(r.pointer).c_str());
}

// Is there a thread on which both have bytes in common?
void check_overlap(Call& call, const Region& a, std::size_t a_bytes, const Region& b, std::size_t b_bytes) {
  if (!a.everywhere && !b.everywhere && decode(a.pointer).thread != decode(b.pointer).thread) return;
  const std::uint64_t first = decode(a.pointer).offset, second = decode(b.pointer).offset;
  if (first >= second + b_bytes || second >= first + a_bytes) return;
  fatal("%s: arguments %s and %s of UPC thread %u overlap: %zu bytes at %s, %zu at %s", call.function(),
        a.name, b.name, call.ctx().thread, a_bytes, PointerText(a.pointer).c_str(), b_bytes,
        PointerText(b.pointer).c_str());
}

void check_same(Call& call, const Region& dst, const Region& src, std::size_t nbytes, const Region* perm) {
  static const char* const names[] = {"nbytes",        "flags",         "thread of dst", "offset of dst",
                                      "thread of src", "offset of src", "offset of perm"};
  const SharedAddr d = decode(dst.pointer), s = decode(src.pointer);
  const std::uint64_t values[] = {
      nbytes,   static_cast<std::uint64_t>(call.in() | call.out()), d.thread, d.offset, s.thread,
      s.offset, perm != nullptr ? decode(perm->pointer).offset : 0};
  check_single_valued(call, names, values, perm != nullptr ? 7 : 6);
}

void check(Call& call, const Region& dst, const Region& src, std::size_t nbytes, const Region* perm) {
  check_size(call, nbytes);
  check_region(call, dst, nbytes);
  check_region(call, src, nbytes);
  if (perm != nullptr) check_region(call, *perm, sizeof(int));
  check_overlap(call, dst, dst.blocks * nbytes, src, src.blocks * nbytes);
  if (perm != nullptr) check_overlap(call, dst, nbytes, *perm, sizeof(int));
  check_same(call, dst, src, nbytes, perm);
}

}  // namespace

void check_move(Call& call, Collective what, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
                std::size_t nbytes) {
  const std::uint64_t all = call.team().size;
  const bool to_all = what == Collective::kGatherAll || what == Collective::kExchange;
  const bool root_takes = what == Collective::kGather;
  const bool root_sends = what == Collective::kBroadcast || what == Collective::kScatter;
  const bool many = what == Collective::kScatter || what == Collective::kExchange;
  check(call, {"dst", dst, !root_takes, root_takes || to_all ? all : 1},
        {"src", src, !root_sends, many ? all : 1}, nbytes, nullptr);
}

void check_permute(Call& call, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, upcr_pshared_ptr_t perm,
                   std::size_t nbytes) {
  const Region region{"perm", upcr_pshared_to_shared(perm), true, 1};
  check(call, {"dst", dst, true, 1}, {"src", src, true, 1}, nbytes, &region);
}
#endif

void check_target(Call& call, int target) {
  if (target < 0 || static_cast<TeamRank>(target) >= call.team().size)
    fatal("%s: argument perm: perm[%u] is %d; it must be the number of one of the %u threads",
          call.function(), call.ctx().thread, target, call.team().size);
  check_only_one(call, static_cast<TeamRank>(target));
}

}  // namespace upcr::coll
