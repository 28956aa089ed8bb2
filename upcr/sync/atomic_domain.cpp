// SPDX-License-Identifier: BSD-3-Clause
// Atomic domains of UPC 1.3 (7.6). A domain is a collective object of one small block per thread, each with
// the same description; a thread reads its own, so using a domain costs no communication. The operations are
// core/rma/atomic.hpp's. UPC threads.
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/progress/progress.hpp"
#include "include/upcr/atomic.h"
#include "include/upcr/gupc.h"
#include "include/upcr/heap.h"
#include "upcr/access/atomic.hpp"
#include "upcr/access/check.hpp"
#include "upcr/barrier/small_broadcast.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/pointer/sptr_text.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kLive = 0x6e69616d6f642075,
                        kFreed = 0x6465657266207561;  // distinguish blocks from other data
constexpr std::size_t kBlockBytes = 64;

struct Domain {
  std::uint64_t mark;
  upc_op_t ops;
  upc_type_t type;
  AtomType atom;           // what an object of the type is
  AtomOp swap;             // what UPC_CSWAP is
  std::uint64_t compared;  // by kMaskedCas on 8 bytes: these bits
};
static_assert(sizeof(Domain) <= kBlockBytes);

// A legal type. All of them have the accessors (GET, SET, CSWAP).
struct TypeInfo {
  upc_type_t type;
  const char* name;
  AtomType atom;
  bool numeric, bitwise;
};
constexpr AtomType kPointer = UPCR_SHARED_SIZE == 16 ? AtomType::kPair : AtomType::kU64;
#ifdef UPCRI_POINTER_packed
constexpr std::uint64_t kAllButPhase = (std::uint64_t{1} << UPCRI_PHASE_SHIFT) - 1;
#else
constexpr std::uint64_t kAllButPhase = 0;  // implied by kPair
#endif
constexpr TypeInfo kTypes[] = {
    {UPC_INT, "UPC_INT", AtomType::kI32, true, true},
    {UPC_UINT, "UPC_UINT", AtomType::kU32, true, true},
    {UPC_LONG, "UPC_LONG", AtomType::kI64, true, true},
    {UPC_ULONG, "UPC_ULONG", AtomType::kU64, true, true},
    {UPC_INT32, "UPC_INT32", AtomType::kI32, true, true},
    {UPC_UINT32, "UPC_UINT32", AtomType::kU32, true, true},
    {UPC_INT64, "UPC_INT64", AtomType::kI64, true, true},
    {UPC_UINT64, "UPC_UINT64", AtomType::kU64, true, true},
    {UPC_FLOAT, "UPC_FLOAT", AtomType::kFloat, true, false},
    {UPC_DOUBLE, "UPC_DOUBLE", AtomType::kDouble, true, false},
    {UPC_PTS, "UPC_PTS", kPointer, false, false},
};

struct OpInfo {
  upc_op_t op;
  const char* name;
  unsigned operands;
  bool numeric, bitwise;
};
constexpr OpInfo kOps[] = {
    {UPC_ADD, "UPC_ADD", 1, true, false},      {UPC_MULT, "UPC_MULT", 1, true, false},
    {UPC_AND, "UPC_AND", 1, false, true},      {UPC_OR, "UPC_OR", 1, false, true},
    {UPC_XOR, "UPC_XOR", 1, false, true},      {UPC_MIN, "UPC_MIN", 1, true, false},
    {UPC_MAX, "UPC_MAX", 1, true, false},      {UPC_GET, "UPC_GET", 0, false, false},
    {UPC_SET, "UPC_SET", 1, false, false},     {UPC_CSWAP, "UPC_CSWAP", 2, false, false},
    {UPC_SUB, "UPC_SUB", 1, true, false},      {UPC_INC, "UPC_INC", 0, true, false},
    {UPC_DEC, "UPC_DEC", 0, true, false},      {UPC_LOGAND, "UPC_LOGAND", 1, false, false},
    {UPC_LOGOR, "UPC_LOGOR", 1, false, false},
};

const TypeInfo* find_type(upc_type_t type) {
  for (const TypeInfo& t : kTypes)
    if (t.type == type) return &t;
  return nullptr;
}
const OpInfo* find_op(upc_op_t op) {
  for (const OpInfo& o : kOps)
    if (o.op == op) return &o;
  return nullptr;
}
bool legal(const TypeInfo& t, const OpInfo& o) {
  return (o.op & (UPC_LOGAND | UPC_LOGOR)) == 0 && (!o.numeric || t.numeric) && (!o.bitwise || t.bitwise);
}

// "UPC_ADD", or in hexadecimal what is not an operation.
struct OpText {
  explicit OpText(upc_op_t op) {
    const OpInfo* o = find_op(op);
    if (o != nullptr)
      std::snprintf(text, sizeof text, "%s", o->name);
    else
      std::snprintf(text, sizeof text, "%#llx", op);
  }
  char text[32];
};
// "UPC_ADD|UPC_GET"
struct OpsText {
  explicit OpsText(upc_op_t ops) {
    std::size_t at = 0;
    for (upc_op_t bit = 1; bit != 0 && at < sizeof text; bit <<= 1)
      if ((ops & bit) != 0)
        at += static_cast<std::size_t>(
            std::snprintf(text + at, sizeof text - at, "%s%s", at != 0 ? "|" : "", OpText(bit).text));
    if (at == 0) std::snprintf(text, sizeof text, "none");
  }
  char text[200] = "";
};

// The first operation of the set that the type does not have; 0: it has all.
upc_op_t illegal_op(const TypeInfo& type, upc_op_t ops) {
  for (upc_op_t bit = 1; bit != 0 && bit <= ops; bit <<= 1) {
    if ((ops & bit) == 0) continue;
    const OpInfo* o = find_op(bit);
    if (o == nullptr || !legal(type, *o)) return bit;
  }
  return 0;
}

void check_types(const char* function, upc_type_t type, upc_op_t ops) {
  const TypeInfo* t = find_type(type);
  if (t == nullptr)
    fatal(
        "%s: %d is not a type of atomic operations; these are UPC_INT, UINT, LONG, ULONG, INT32, UINT32, INT64, "
        "UINT64, FLOAT, DOUBLE and PTS",
        function, type);
  const upc_op_t bad = illegal_op(*t, ops);
  if (bad != 0)
    fatal("%s: %s is not an operation on %s (requested: %s)", function, OpText(bad).text, t->name,
          OpsText(ops).text);
}

#if UPCR_DEBUG
const char* name_of(upc_type_t type) {
  const TypeInfo* t = find_type(type);
  return t != nullptr ? t->name : "?";
}

void check_single_valued(ThreadCtx& c, const char* function, upc_type_t type, upc_op_t ops, int hints) {
  const std::uint64_t kind =
      static_cast<std::uint32_t>(type) | std::uint64_t{static_cast<std::uint32_t>(hints)} << 32;
  const SmallValue first = small_broadcast(c, 0, {{kind, ops}});
  const auto first_type = static_cast<upc_type_t>(static_cast<std::uint32_t>(first.words[0]));
  if (first.words[0] != kind || first.words[1] != ops)
    fatal(
        "%s: UPC thread %u requests a domain of %s with %s and hints %d, UPC thread 0 of %s with %s and hints "
        "%d; the arguments must be the same on all threads",
        function, c.thread, name_of(type), OpsText(ops).text, hints, name_of(first_type),
        OpsText(first.words[1]).text, static_cast<int>(first.words[0] >> 32));
}
#endif

// The calling thread's description. Fatal if the pointer is not to a domain.
Domain& checked_domain(ThreadCtx& c, const char* function, upcr_pshared_ptr_t domain) {
  const std::uint64_t offset = upcr_addrfield_pshared(domain);
  if (upcr_isnull_pshared(domain)) fatal("%s: the domain is null", function);
  auto* const d = reinterpret_cast<Domain*>(c.segment + offset);
  const bool plausible = upcr_threadof_pshared(domain) == 0 && offset % kBlockBytes == 0 &&
                         offset <= job().segments.bytes - kBlockBytes;
  if (plausible && d->mark == kLive) return *d;
  fatal("%s: %s is %s", function, PointerText(upcr_pshared_to_shared(domain)).c_str(),
        plausible && d->mark == kFreed ? "an atomic domain that was freed"
                                       : "not an atomic domain; upc_all_atomicdomain_alloc allocates them");
}

AtomWord load(const void* operand, AtomType type) {
  AtomWord w;
  std::memcpy(&w, operand, size_of(type));
  return w;
}

AtomWord number(AtomType type, int value) {
  AtomWord w;
  const auto put = [&](auto x) { std::memcpy(&w.low, &x, sizeof x); };
  if (type == AtomType::kFloat)
    put(static_cast<float>(value));
  else if (type == AtomType::kDouble)
    put(static_cast<double>(value));
  else
    put(static_cast<std::int64_t>(value));
  return w;
}

// Subtraction is the addition of this: exact for floating point too; integers wrap around.
AtomWord negated(AtomType type, AtomWord w) {
  if (type == AtomType::kFloat)
    w.low ^= std::uint64_t{1} << 31;
  else if (type == AtomType::kDouble)
    w.low ^= std::uint64_t{1} << 63;
  else
    w.low = -w.low;
  return w;
}

AtomWord execute(SharedAddr at, const Domain& d, upc_op_t op, bool fetch, const void* operand1,
                 const void* operand2) {
  const AtomType type = d.atom;
  const AtomWord a = operand1 != nullptr ? load(operand1, type) : AtomWord{};
  switch (op) {
    case UPC_GET:
      return atomic_at(at, type, AtomOp::kGet, {});
    case UPC_SET:
      return atomic_at(at, type, fetch ? AtomOp::kSwap : AtomOp::kSet, a);
    case UPC_CSWAP: {
      const AtomWord expected{a.low, type == AtomType::kPair ? a.high : d.compared};
      return atomic_at(at, type, d.swap, expected, load(operand2, type));
    }
    case UPC_ADD:
      return atomic_at(at, type, AtomOp::kAdd, a);
    case UPC_SUB:
      return atomic_at(at, type, AtomOp::kAdd, negated(type, a));
    case UPC_INC:
      return atomic_at(at, type, AtomOp::kAdd, number(type, 1));
    case UPC_DEC:
      return atomic_at(at, type, AtomOp::kAdd, number(type, -1));
    case UPC_MULT:
      return atomic_at(at, type, AtomOp::kMult, a);
    case UPC_MIN:
      return atomic_at(at, type, AtomOp::kMin, a);
    case UPC_MAX:
      return atomic_at(at, type, AtomOp::kMax, a);
    case UPC_AND:
      return atomic_at(at, type, AtomOp::kAnd, a);
    case UPC_OR:
      return atomic_at(at, type, AtomOp::kOr, a);
    default:
      return atomic_at(at, type, AtomOp::kXor, a);
  }
}

void check_operands(const char* function, const OpInfo& o, const void* fetch_ptr, const void* operand1,
                    const void* operand2) {
  if (o.op == UPC_GET && fetch_ptr == nullptr)
    fatal("%s: fetch_ptr is null, which %s needs for its result", function, o.name);
  const void* const given[] = {operand1, operand2};
  for (unsigned i = 0; i < 2; ++i) {
    if (i < o.operands && given[i] == nullptr)
      fatal("%s: operand%u is null, which %s needs", function, i + 1, o.name);
#if UPCR_DEBUG
    if (i >= o.operands && given[i] != nullptr)
      fatal("%s: operand%u is not null, but %s takes %s", function, i + 1, o.name,
            o.operands == 0 ? "no operands" : "operand1 only");
#endif
  }
}

void atomic_call(const char* function, unsigned how, upcr_pshared_ptr_t domain, void* fetch_ptr, upc_op_t op,
                 upcr_shared_ptr_t target, const void* operand1, const void* operand2) {
  ThreadCtx& c = ctx(function);
  const Domain& d = checked_domain(c, function, domain);
  const TypeInfo& t = *find_type(d.type);
  const OpInfo* const o = find_op(op);
  if (o == nullptr || (d.ops & op) == 0)
    fatal("%s: %s is not in the domain's set of operations on %s (%s)", function, OpText(op).text, t.name,
          OpsText(d.ops).text);
  check_operands(function, *o, fetch_ptr, operand1, operand2);
#if UPCR_DEBUG
  if (d.atom == AtomType::kPair) {
    check_access(function, target, 0, 8, how | UPCRI_NB_VALUE);
    check_access(function, target, 8, 8, how | UPCRI_NB_VALUE);
  } else {
    check_access(function, target, 0, size_of(d.atom), how | UPCRI_NB_VALUE);
  }
#endif
  const observe::Span span(observe::Kind::kAtomic,
                           {size_of(d.atom), observe::kNobody, upcr_threadof_shared(target)});
  if (upcri_window.strict_polls != 0) (void)job().progress.poll();  // programs wait in loops around these
  if ((how & UPCRI_NB_STRICT) != 0) upcri_fence();
  const AtomWord old = execute(decode(target), d, op, fetch_ptr != nullptr, operand1, operand2);
  if ((how & UPCRI_NB_STRICT) != 0) upcri_fence();
  if (fetch_ptr != nullptr) std::memcpy(fetch_ptr, &old, size_of(d.atom));
}

upcr_pshared_ptr_t make_domain(const Domain& domain, int hints) {
  constexpr const char* kName = "upc_all_atomicdomain_alloc";
  ThreadCtx& c = ctx(kName);
  check_types(kName, domain.type, domain.ops);
#if UPCR_DEBUG
  check_single_valued(c, kName, domain.type, domain.ops, hints);
#endif
  const upcr_shared_ptr_t blocks = upcr_all_alloc(upcr_threads(), kBlockBytes);
  auto* const mine = reinterpret_cast<Domain*>(c.segment + upcr_addrfield_shared(blocks));
  *mine = domain;
  return upcr_shared_to_pshared(blocks);
}

}  // namespace
extern "C" {

UPCRI_API upcr_pshared_ptr_t _upcr_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops,
                                                          upc_atomichint_t hints) {
  const TypeInfo* t = find_type(type);
  const AtomType atom = t != nullptr ? t->atom : AtomType::kU64;
  const bool masked = type == UPC_PTS && atom == AtomType::kU64;
  return make_domain({kLive, ops, type, atom, masked ? AtomOp::kMaskedCas : AtomOp::kCas, kAllButPhase},
                     hints);
}

UPCRI_API upcr_pshared_ptr_t upcri_gupc_atomicdomain_alloc_pts(unsigned long long ops, int hints,
                                                               size_t bytes, uint64_t compared) {
  const bool masked = bytes == 8 || compared == UPCRI_GUPC_ALL_BUT_FIRST;
  return make_domain({kLive, ops, UPC_PTS, bytes == 8 ? AtomType::kU64 : AtomType::kPair,
                      masked ? AtomOp::kMaskedCas : AtomOp::kCas, compared},
                     hints);
}

UPCRI_API void _upcr_all_atomicdomain_free(upcr_pshared_ptr_t domain) {
  constexpr const char* kName = "upc_all_atomicdomain_free";
  if (upcr_isnull_pshared(domain)) return;
  checked_domain(ctx(kName), kName, domain).mark = kFreed;
  upcr_all_free(upcr_pshared_to_shared(domain));
}

UPCRI_API void _upcr_atomic_relaxed(upcr_pshared_ptr_t domain, void* fetch_ptr, upc_op_t op,
                                    upcr_shared_ptr_t target, const void* operand1, const void* operand2) {
  atomic_call("upc_atomic_relaxed", 0, domain, fetch_ptr, op, target, operand1, operand2);
}

UPCRI_API void _upcr_atomic_strict(upcr_pshared_ptr_t domain, void* fetch_ptr, upc_op_t op,
                                   upcr_shared_ptr_t target, const void* operand1, const void* operand2) {
  atomic_call("upc_atomic_strict", UPCRI_NB_STRICT, domain, fetch_ptr, op, target, operand1, operand2);
}

UPCRI_API int _upcr_atomic_isfast(upc_type_t type, upc_op_t ops, upcr_shared_ptr_t addr) {
  const TypeInfo* t = find_type(type);
  if (t == nullptr || illegal_op(*t, ops) != 0 || upcr_cast(addr) == nullptr)
    return UPC_ATOMIC_PERFORMANCE_NOT_FAST;
  return UPC_ATOMIC_PERFORMANCE_FAST;
}

}  // extern "C"
}  // namespace upcr
