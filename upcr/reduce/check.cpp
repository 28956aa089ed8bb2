// SPDX-License-Identifier: BSD-3-Clause
// Checks of arguments of reductions and sorts. Each error names the function, the argument, its value and the
// thread. See check.hpp.
#include "upcr/reduce/check.hpp"

#include "conduits/core/base/report/error.hpp"
#include "upcr/access/check.hpp"
#include "upcr/pointer/sptr_text.hpp"

namespace upcr::coll {

void check_prefix_affinity(Call& call, upcr_shared_ptr_t dst, upcr_shared_ptr_t src) {
  if (upcr_threadof_shared(dst) == upcr_threadof_shared(src) &&
      upcr_phaseof_shared(dst) == upcr_phaseof_shared(src))
    return;
  fatal("%s: dst %s and src %s differ on UPC thread %u; they must have the same thread and phase",
        call.function(), PointerText(dst).c_str(), PointerText(src).c_str(), call.ctx().thread);
}

#if UPCR_DEBUG

namespace {

// Pointers of either layout are compared as two words: the address field, and thread and phase.
std::uint64_t address_of(upcr_shared_ptr_t p) { return upcr_addrfield_shared(p); }
std::uint64_t thread_and_phase(upcr_shared_ptr_t p) {
  return std::uint64_t{upcr_phaseof_shared(p)} << 32 | upcr_threadof_shared(p);
}

// The bytes of this thread's part of an array, in its segment.
struct Part {
  std::uint64_t begin, end;
  bool overlaps(const Part& other) const { return begin < other.end && other.begin < end; }
};
Part my_part(Call& call, const ArrayArgument& array, const Layout& layout) {
  const Slot rank = layout.rank_of(call.ctx().thread);
  const std::uint64_t begin = layout.run_offset(rank, address_of(array.pointer), array.element_bytes);
  return {begin, begin + layout.count(rank) * array.element_bytes};
}

[[noreturn]] void refuse_overlap(Call& call, upcr_shared_ptr_t dst, const ArrayArgument& src) {
  fatal("%s: dst %s overlaps the %zu elements of %zu bytes of %s %s on UPC thread %u; they must not overlap",
        call.function(), PointerText(dst).c_str(), src.nelems, src.element_bytes, src.name,
        PointerText(src.pointer).c_str(), call.ctx().thread);
}

}  // namespace

void check_reduce_arguments(Call& call, upcr_shared_ptr_t dst, const ArrayArgument& src, upc_op_t op) {
  static constexpr const char* kNames[] = {
      "dst (address)", "dst (thread)", "src (address)", "src (thread)", "op", "nelems", "blk_size", "flags"};
  const std::uint64_t values[] = {address_of(dst),
                                  thread_and_phase(dst),
                                  address_of(src.pointer),
                                  thread_and_phase(src.pointer),
                                  op,
                                  src.nelems,
                                  src.blk_size,
                                  static_cast<unsigned>(call.in() | call.out())};
  check_single_valued(call, kNames, values, 8);
}

void check_sort_arguments(Call& call, const ArrayArgument& array) {
  static constexpr const char* kNames[] = {"array (address)", "array (thread)", "elem_size",
                                           "nelems",          "blk_size",       "flags"};
  const std::uint64_t values[] = {address_of(array.pointer),
                                  thread_and_phase(array.pointer),
                                  array.element_bytes,
                                  array.nelems,
                                  array.blk_size,
                                  static_cast<unsigned>(call.in() | call.out())};
  check_single_valued(call, kNames, values, 6);
}

void check_array(Call& call, const ArrayArgument& array, const Layout& layout) {
  check_access(call.function(), array.pointer, 0, array.element_bytes, 0);
  const std::size_t phase = upcr_phaseof_shared(array.pointer);
  const std::size_t limit = array.blk_size == 0 ? 1 : array.blk_size;
  if (phase >= limit)
    fatal("%s: %s %s has phase %zu on UPC thread %u, but blk_size is %zu; the phase must be %s",
          call.function(), array.name, PointerText(array.pointer).c_str(), phase, call.ctx().thread,
          array.blk_size, array.blk_size <= 1 ? "0" : "below it");
  if (array.aligned && upcr_addrfield_shared(array.pointer) % array.element_bytes != 0)
    fatal("%s: %s %s is not aligned for elements of %zu bytes on UPC thread %u", call.function(), array.name,
          PointerText(array.pointer).c_str(), array.element_bytes, call.ctx().thread);
  const Part part = my_part(call, array, layout);
  if (part.end == part.begin) return;
  const upcr_shared_ptr_t first = encode({call.ctx().thread, part.begin});
  check_access(call.function(), first, 0, part.end - part.begin, 0);
}

void check_prefix_dst(Call& call, const ArrayArgument& dst, const ArrayArgument& src, const Layout& layout) {
  check_array(call, dst, layout);
  if (my_part(call, dst, layout).overlaps(my_part(call, src, layout))) refuse_overlap(call, dst.pointer, src);
}

void check_result(Call& call, upcr_shared_ptr_t dst, bool all, const ArrayArgument& src,
                  const Layout& layout) {
  check_access(call.function(), dst, 0, src.element_bytes, 0);
  const Slot me = call.ctx().thread, owner = upcr_threadof_shared(dst);
  if (all && owner != 0)
    fatal("%s: dst %s has affinity to thread %u on UPC thread %u; it must have affinity to thread 0",
          call.function(), PointerText(dst).c_str(), owner, me);
  const Part result{address_of(dst), address_of(dst) + src.element_bytes};
  if ((all || owner == me) && result.overlaps(my_part(call, src, layout))) refuse_overlap(call, dst, src);
}

#endif

}  // namespace upcr::coll
