// SPDX-License-Identifier: BSD-3-Clause
// bupc_all_reduceT, bupc_all_reduce_allT and bupc_all_prefix_reduceT. Each thread combines its own elements,
// messages carry partial results, and each thread stores results into its own memory only: no thread accesses
// memory of another, so only ALLSYNC costs anything. Called by the inlined code of coll_reduce.h on UPC
// threads.
#include "include/upcr/coll_reduce.h"

#include <cstdio>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "upcr/coll/call/flag_collectives.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/reduce/check.hpp"
#include "upcr/reduce/settings.hpp"

namespace upcr::coll {
namespace {

// The first tags of the steps of one call: see Ranks.
constexpr unsigned kCombineTags = 1024, kForwardTag = 0, kSpreadTag = 64;

constexpr std::size_t kLargestElement = sizeof(long double);

class Reduction {
 public:
  Reduction(Call& call, const ReduceOp& op, const Layout& layout, upcr_shared_ptr_t src)
      : call_(call), op_(op), layout_(layout), rank_(layout.rank_of(call.ctx().thread)) {
    run_ = part_of(src);
  }

  void prefix(upcr_shared_ptr_t dst) {
    Ranks ranks = in_order();
    if (ranks.participates())
      Ordered(ranks, op_, layout_, choose_ordered_method(op_, layout_)).prefix(run_, part_of(dst));
  }

  // The whole call as a flag collective: each thread puts its partial result into its slot, and each thread
  // that needs the result combines them, in the order of the ranks: all compute the same one. `root`: null
  // for all threads. False: nothing was done.
  bool by_flags(upcr_shared_ptr_t dst, const Slot* root) {
    if (!reduce_is_auto(root == nullptr) || !by_thread() || !FlagCollective::serves(call_)) return false;
    const Slot me = call_.ctx().thread;
    FlagCollective line(call_);
    if (call_.in() == kInAllSync) {
      line.announce();
      line.others([&](TeamRank other) { line.wait_entered(other); });
    }
    const bool gives = rank_ < layout_.ranks(), takes = root == nullptr || *root == me;
    if (gives) fold();
    if (gives && !(root != nullptr && takes)) {
      std::memcpy(line.send_buffer(op_.bytes), value_, op_.bytes);
      line.publish(op_.bytes);
    }
    if (takes) {
      combine_in_order(line);
      std::memcpy(call_.ctx().segment + upcr_addrfield_shared(dst), result_, op_.bytes);
    }
    line.finish();
    if (call_.out() == kOutAllSync) line.others([&](TeamRank other) { line.wait_finished(other); });
    return true;
  }

  void to_one(upcr_shared_ptr_t dst) {
    const Slot root = upcr_threadof_shared(dst);
    const Slot holder = combine(root);
    Ranks all(call_, holder, layout_.threads(), kForwardTag);
    const Slot to = root >= holder ? root - holder : root + layout_.threads() - holder;
    all.pass(0, value_, to, value_, op_.bytes);
    if (call_.ctx().thread == root) store(dst);
  }

  void to_all(upcr_shared_ptr_t dst) {
    const bool all_have_elements = layout_.ranks() == layout_.threads();
    if (all_have_elements && by_thread() && reduce_all_by_doubling()) {
      fold();
      in_order().all_reduce(op_, value_, spare_);
    } else {
      Ranks all(call_, combine(layout_.thread_of(0)), layout_.threads(), kSpreadTag);
      all.broadcast(0, value_, op_.bytes, reduce_radix(all.count()));
    }
    store(dst);
  }

 private:
  // The threads that have elements, in the order of the elements.
  Ranks in_order() { return Ranks(call_, layout_.thread_of(0), layout_.ranks(), kCombineTags); }
  // Whether each thread may combine its own elements first.
  bool by_thread() const { return op_.commutative || layout_.rows() == 1; }
  void fold() { op_.fold(op_, value_, false, run_, layout_.count(rank_)); }

  void combine_in_order(FlagCollective& line) {
    for (Slot rank = 0; rank < layout_.ranks(); ++rank) {
      const char* const value = rank == rank_ ? value_ : line.receive(layout_.thread_of(rank), op_.bytes);
      if (rank == 0)
        std::memcpy(result_, value, op_.bytes);
      else
        op_.combine(op_, result_, result_, value, 1);
    }
  }

  // Stores the result in value_ on the thread that it returns: `root` if that costs no message.
  Slot combine(Slot root) {
    const Slot first = layout_.thread_of(0), count = layout_.ranks();
    if (!by_thread()) {
      Ranks ranks = in_order();
      Ordered(ranks, op_, layout_, choose_ordered_method(op_, layout_)).reduce(run_, value_);
      return first;
    }
    const Slot holder = op_.commutative && count == layout_.threads() ? root : first;
    Ranks ranks(call_, holder, count, kCombineTags);
    if (ranks.participates()) {
      fold();
      ranks.reduce(op_, {count, 1}, value_, spare_, reduce_radix(count));
    }
    return holder;
  }

  char* part_of(upcr_shared_ptr_t array) const {
    return call_.ctx().segment + layout_.run_offset(rank_, upcr_addrfield_shared(array), op_.bytes);
  }
  void store(upcr_shared_ptr_t dst) const {
    std::memcpy(call_.ctx().segment + upcr_addrfield_shared(dst), value_, op_.bytes);
  }

  Call& call_;
  const ReduceOp& op_;
  const Layout& layout_;
  const Slot rank_;
  const char* run_;
  alignas(kLargestElement) char value_[kLargestElement], spare_[kLargestElement], result_[kLargestElement];
};

const char* function_name(upcri_reduce_kind kind, upcri_reduce_type type) {
#define UPCR_NAMES(T, TYPE) {"upc_all_reduce" #T, "upc_all_reduce_all" #T, "upc_all_prefix_reduce" #T},
  static constexpr const char* kNames[][3] = {UPCRI_REDUCE_TYPES(UPCR_NAMES)};
#undef UPCR_NAMES
  return kNames[type][kind];
}

[[noreturn]] void refuse_operation(const char* function, upc_op_t op) {
  const char* const name = operation_name(op);
  if (name == nullptr)
    fatal(
        "%s: op is %#llx, which is none of the operations of UPC 1.3; was the file translated for another "
        "release (see upcc --help, --encoding)?",
        function, op);
  if (op == UPC_FUNC || op == UPC_NONCOMM_FUNC)
    fatal("%s: func is null with %s; pass the function to combine elements with", function, name);
  fatal("%s: %s on a floating-point type; bitwise operations are for integers", function, name);
}

}  // namespace

extern "C" {

UPCRI_API void upcri_reduce(enum upcri_reduce_kind kind, enum upcri_reduce_type type, upcr_shared_ptr_t dst,
                            upcr_shared_ptr_t src, unsigned long long op, size_t nelems, size_t blk_size,
                            void (*func)(), int flags) {
  const char* const function = function_name(kind, type);
  ThreadCtx& c = upcr::ctx(function);
  ReduceOp operation;
  if (!make_reduce_op(type, op, func, &operation)) refuse_operation(function, op);
  const observe::Span span(
      kind == UPCRI_PREFIX_REDUCE ? observe::Kind::kPrefixReduce : observe::Kind::kReduce,
      {nelems * operation.bytes});
  const std::size_t phase = upcr_phaseof_shared(src);
  if (phase >= blk_size && blk_size != 0)
    fatal("%s: src has phase %zu, but blk_size is %zu; the phase must be below it", function, phase,
          blk_size);

  Call call(c, world(c), function, flags);
  const Layout layout(call.team().size, upcr_threadof_shared(src), phase, blk_size, nelems);
  const ArrayArgument source{"src", src, operation.bytes, nelems, blk_size, true};
  static constexpr const char* kNames[] = {"nelems", "op", "the thread of dst"};
  call.note_arguments(kNames, {nelems, op, upcr_threadof_shared(dst)});
  check_reduce_arguments(call, dst, source, op);
  if (nelems != 0) {
    if (kind == UPCRI_PREFIX_REDUCE) check_prefix_affinity(call, dst, src);
    check_array(call, source, layout);
    if (kind == UPCRI_PREFIX_REDUCE)
      check_prefix_dst(call, {"dst", dst, operation.bytes, nelems, blk_size, true}, source, layout);
    else
      check_result(call, dst, kind == UPCRI_REDUCE_ALL, source, layout);
  }
  const Slot root = upcr_threadof_shared(dst);
  if (nelems != 0 && kind != UPCRI_PREFIX_REDUCE &&
      Reduction(call, operation, layout, src).by_flags(dst, kind == UPCRI_REDUCE ? &root : nullptr))
    return;
  call.enter();
  if (nelems != 0) {
    Reduction reduction(call, operation, layout, src);
    switch (kind) {
      case UPCRI_REDUCE:
        reduction.to_one(dst);
        break;
      case UPCRI_REDUCE_ALL:
        reduction.to_all(dst);
        break;
      case UPCRI_PREFIX_REDUCE:
        reduction.prefix(dst);
        break;
    }
  }
  call.leave();
}

#define UPCR_ENTRY(name, kind, T, TYPE)                                                                   \
  UPCRI_API void name(upcr_shared_ptr_t dst, upcr_shared_ptr_t src, unsigned long long op, size_t nelems, \
                      size_t blk_size, TYPE (*func)(TYPE, TYPE), int flags) {                             \
    upcri_reduce(kind, UPCRI_TYPE_##T, dst, src, op, nelems, blk_size,                                    \
                 reinterpret_cast<void (*)(void)>(func), flags);                                          \
  }
#define UPCR_ENTRIES(T, TYPE)                                   \
  UPCR_ENTRY(bupc_all_reduce##T, UPCRI_REDUCE, T, TYPE)         \
  UPCR_ENTRY(bupc_all_reduce_all##T, UPCRI_REDUCE_ALL, T, TYPE) \
  UPCR_ENTRY(bupc_all_prefix_reduce##T, UPCRI_PREFIX_REDUCE, T, TYPE)
UPCRI_REDUCE_TYPES(UPCR_ENTRIES)

}  // extern "C"

}  // namespace upcr::coll
