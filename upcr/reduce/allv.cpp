// SPDX-License-Identifier: BSD-3-Clause
// Collectives on values (allv.h). No shared memory is read or written, so the messages with the values are
// the only synchronisation. UPC threads.
#include "include/upcr/allv.h"

#include <cstring>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "upcr/coll/call/call.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/reduce/ranks.hpp"
#include "upcr/reduce/settings.hpp"

namespace upcr::coll {
namespace {

constexpr int kFlags = kInMySync | kOutMySync;
constexpr int kFractions = 256, kSign = 512, kBool = 1024;  // UPCRI_ALLV_KIND

// One call, whose ranks are the threads.
class ValueCall {
 public:
  ValueCall(observe::Kind kind, const char* function, std::size_t bytes, int root, upc_op_t op)
      : span_(kind, {bytes}),
        c_(upcr::ctx(function)),
        call_(c_, world(c_), function, kFlags),
        ranks_(call_, 0, call_.team().size, 0) {
    static constexpr const char* kNames[] = {"sizeof(TYPE)", "root", "op"};
    const std::uint64_t values[] = {bytes, static_cast<std::uint64_t>(root), op};
    call_.note_arguments(kNames, values);
    check_single_valued(call_, kNames, values, 3);
    check_thread("root", root);
    call_.enter();
  }
  ~ValueCall() { call_.leave(); }
  Ranks& ranks() { return ranks_; }
  bool is(int root) const { return ranks_.me() == static_cast<Slot>(root); }

  void check_thread(const char* argument, int thread) {
    if (thread < 0 || static_cast<Slot>(thread) >= ranks_.count())
      fatal("%s: %s is %d on UPC thread %u; there are threads 0 to %u", call_.function(), argument, thread,
            c_.thread, ranks_.count() - 1);
  }
  // The thread whose entry is the calling one. Fatal unless each thread is in the list once.
  Slot source(const std::vector<int>& to_threads) {
    std::vector<bool> seen(to_threads.size());
    Slot from = 0;
    for (std::size_t i = 0; i < to_threads.size(); ++i) {
      if (seen[static_cast<std::size_t>(to_threads[i])])
        fatal(
            "%s: tothread is %d on UPC thread %zu and on an earlier one; it must be a permutation of the "
            "threads",
            call_.function(), to_threads[i], i);
      seen[static_cast<std::size_t>(to_threads[i])] = true;
      if (is(to_threads[i])) from = static_cast<Slot>(i);
    }
    return from;
  }
  char* piece(void* array, std::size_t bytes, Slot rank) { return static_cast<char*>(array) + rank * bytes; }

 private:
  observe::Span span_;
  ThreadCtx& c_;
  Call call_;
  Ranks ranks_;
};

// Of truth values a sum or product, converted to _Bool, is that of logic.
upc_op_t operation_on_bool(upc_op_t op) {
  if (op == UPC_ADD) return UPC_LOGOR;
  return op == UPC_MULT ? UPC_LOGAND : op;
}

bool find_type(int kind, upcri_reduce_type* type) {
  switch (kind) {
    case kSign + 1:
      *type = UPCRI_TYPE_C;
      return true;
    case 1:
      *type = UPCRI_TYPE_UC;
      return true;
    case kSign + 2:
      *type = UPCRI_TYPE_S;
      return true;
    case 2:
      *type = UPCRI_TYPE_US;
      return true;
    case kSign + 4:
      *type = UPCRI_TYPE_I;
      return true;
    case 4:
      *type = UPCRI_TYPE_UI;
      return true;
    case kSign + 8:
      *type = UPCRI_TYPE_L;
      return true;
    case 8:
      *type = UPCRI_TYPE_UL;
      return true;
    case kSign + kFractions + sizeof(float):
      *type = UPCRI_TYPE_F;
      return true;
    case kSign + kFractions + sizeof(double):
      *type = UPCRI_TYPE_D;
      return true;
    case kSign + kFractions + sizeof(long double):
      *type = UPCRI_TYPE_LD;
      return true;
    default:
      return false;
  }
}

}  // namespace

extern "C" {

UPCRI_API void* upcri_allv_broadcast(void* value, size_t bytes, int root) {
  ValueCall call(observe::Kind::kBroadcast, "bupc_allv_broadcast", bytes, root, 0);
  call.ranks().broadcast(static_cast<Slot>(root), value, bytes, reduce_radix(call.ranks().count()));
  return value;
}

UPCRI_API void* upcri_allv_scatter(void* value, size_t bytes, int root, const void* array) {
  ValueCall call(observe::Kind::kScatter, "bupc_allv_scatter", bytes, root, 0);
  call.ranks().scatter(static_cast<Slot>(root), array, value, bytes);
  return value;
}

UPCRI_API void* upcri_allv_gather(const void* value, size_t bytes, int root, void* array) {
  ValueCall call(observe::Kind::kGather, "bupc_allv_gather", bytes, root, 0);
  call.ranks().gather(static_cast<Slot>(root), value, array, bytes);
  return array;
}

UPCRI_API void* upcri_allv_gather_all(const void* value, size_t bytes, void* array) {
  ValueCall call(observe::Kind::kGatherAll, "bupc_allv_gather_all", bytes, 0, 0);
  std::memcpy(call.piece(array, bytes, call.ranks().me()), value, bytes);
  call.ranks().all_gather(array, bytes);
  return array;
}

UPCRI_API void* upcri_allv_permute(void* value, size_t bytes, int tothread) {
  ValueCall call(observe::Kind::kPermute, "bupc_allv_permute", bytes, 0, 0);
  call.check_thread("tothread", tothread);
  std::vector<int> to(call.ranks().count());
  to[call.ranks().me()] = tothread;
  call.ranks().all_gather(to.data(), sizeof(int));
  const Slot from = call.source(to);
  const Scratch other(bytes);
  call.ranks().shift(static_cast<Slot>(tothread), value, from, other.get(), bytes);
  std::memcpy(value, other.get(), bytes);
  return value;
}

UPCRI_API void* upcri_allv_combine(enum upcri_allv_form form, void* value, int kind, int root, upc_op_t op) {
  static constexpr const char* kNames[] = {"bupc_allv_reduce", "bupc_allv_reduce_all",
                                           "bupc_allv_prefix_reduce"};
  const char* const function = kNames[form];
  const bool is_bool = (kind & kBool) != 0;
  kind &= ~kBool;
  upcri_reduce_type type;
  if (!find_type(kind, &type))
    fatal("%s: there are no operations on integers of %d bytes", function, kind & 255);
  ReduceOp operation;
  if (!make_reduce_op(type, is_bool ? operation_on_bool(op) : op, nullptr, &operation)) {
    const char* const name = operation_name(op);
    fatal("%s: op is %s (%#llx), which is no operation on values of type %s", function,
          name != nullptr ? name : "unknown", op, type_letters(type));
  }
  const auto what = form == UPCRI_ALLV_PREFIX_REDUCE ? observe::Kind::kPrefixReduce : observe::Kind::kReduce;
  ValueCall call(what, function, operation.bytes, root, op);
  Ranks& ranks = call.ranks();
  const Shape one{ranks.count(), 1};
  const Scratch spare(2 * operation.bytes);
  switch (form) {
    case UPCRI_ALLV_REDUCE: {
      Ranks from_root = ranks.starting_at(static_cast<Slot>(root));  // the operations commute
      from_root.reduce(operation, one, value, spare.get(), reduce_radix(ranks.count()));
      break;
    }
    case UPCRI_ALLV_REDUCE_ALL:
      ranks.all_reduce(operation, value, spare.get());
      break;
    case UPCRI_ALLV_PREFIX_REDUCE:
      ranks.scan(operation, one, value, spare.get() + operation.bytes, spare.get());
      break;
  }
  return value;
}

}  // extern "C"

}  // namespace upcr::coll
