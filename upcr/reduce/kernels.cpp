// SPDX-License-Identifier: BSD-3-Clause
// The loops of reduce_op.hpp for each type and operation. Built-in operations may be done in any order, so
// sums of floating-point numbers use vector registers: several partial results, the same ones for the same
// number of elements.
#include <type_traits>

#include "conduits/core/base/system/cpu.hpp"
#include "upcr/reduce/reduce_op.hpp"

namespace upcr::coll {
namespace {

// Where integer arithmetic wraps: no narrower than unsigned int, to which short operands are promoted.
template <typename T>
using Wrapping = std::conditional_t<(sizeof(T) > sizeof(unsigned)), unsigned long, unsigned>;

struct Add {
  template <typename T>
  static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
    else
      return a + b;
  }
};
struct Mult {
  template <typename T>
  static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
    else
      return a * b;
  }
};
struct And {
  template <typename T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct LogAnd {
  template <typename T>
  static T of(T a, T b) {
    return static_cast<T>(a != T(0) && b != T(0));
  }
};
struct LogOr {
  template <typename T>
  static T of(T a, T b) {
    return static_cast<T>(a != T(0) || b != T(0));
  }
};
struct Min {
  template <typename T>
  static T of(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <typename T>
  static T of(T a, T b) {
    return a < b ? b : a;
  }
};

// The function that the loops call: a built-in operation, or the program's.
template <typename T, typename Op>
struct BuiltIn {
  static constexpr bool kAnyOrder = true;
  explicit BuiltIn(const ReduceOp&) {}
  T operator()(T a, T b) const { return Op::of(a, b); }
};
template <typename T>
struct Program {
  static constexpr bool kAnyOrder = false;
  explicit Program(const ReduceOp& o) : f(reinterpret_cast<T (*)(T, T)>(o.func)) {}
  T operator()(T a, T b) const { return f(a, b); }
  T (*f)(T, T);
};

// Partial results of a fold: two cache lines of them, so eight vector registers. With fewer each operation
// waits for the one before it on the same register, longer than for data from a cache.
template <typename T>
constexpr std::size_t kLanesOf = sizeof(T) <= 8 ? 2 * kCacheLine / sizeof(T) : 8;
// The prefetch distance of a fold, in bytes.
constexpr std::size_t kAhead = 1024;

template <typename T, typename Function>
void fold(const ReduceOp& o, void* into, bool begun, const void* in_bytes, std::size_t n) {
  const Function f(o);
  const T* in = static_cast<const T*>(in_bytes);
  T* const result = static_cast<T*>(into);
  if (n == 0) return;
  constexpr std::size_t kLanes = kLanesOf<T>;
  std::size_t i;
  T value;
  if (Function::kAnyOrder && n >= 2 * kLanes) {
    T lanes[kLanes];
    for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = in[k];
    for (i = kLanes; i + kLanes <= n; i += kLanes) {
      const char* const here = reinterpret_cast<const char*>(in + i);
      __builtin_prefetch(here +
                         kAhead);  // not in a loop, which keeps compilers from vectorising the next one
      __builtin_prefetch(here + kAhead + kCacheLine);
      for (std::size_t k = 0; k < kLanes; ++k) lanes[k] = f(lanes[k], in[i + k]);
    }
#pragma GCC unroll 8
    for (std::size_t half = kLanes / 2; half != 0; half /= 2)
      for (std::size_t k = 0; k < half; ++k) lanes[k] = f(lanes[k], lanes[k + half]);
    value = begun ? f(*result, lanes[0]) : lanes[0];
  } else {
    value = begun ? f(*result, in[0]) : in[0];
    i = 1;
  }
  for (; i < n; ++i) value = f(value, in[i]);
  *result = value;
}

template <typename T, typename Function>
void combine(const ReduceOp& o, void* out, const void* left, const void* right, std::size_t n) {
  const Function f(o);
  for (std::size_t i = 0; i < n; ++i)
    static_cast<T*>(out)[i] = f(static_cast<const T*>(left)[i], static_cast<const T*>(right)[i]);
}

template <typename T, typename Function>
void scan(const ReduceOp& o, void* out_bytes, const void* before, const void* in_bytes, std::size_t n) {
  const Function f(o);
  const T* in = static_cast<const T*>(in_bytes);
  T* out = static_cast<T*>(out_bytes);
  if (n == 0) return;
  T value = before != nullptr ? f(*static_cast<const T*>(before), in[0]) : in[0];
  out[0] = value;
  for (std::size_t i = 1; i < n; ++i) out[i] = value = f(value, in[i]);
}

template <typename T, typename Function>
void scan_before(const ReduceOp& o, void* out_bytes, const void* before, const void* in_bytes,
                 std::size_t n) {
  const Function f(o);
  const T* in = static_cast<const T*>(in_bytes);
  T* out = static_cast<T*>(out_bytes);
  if (n == 0) return;
  T value = in[0];
  if (before != nullptr) {
    const T first = *static_cast<const T*>(before);
    value = f(first, in[0]);
    out[0] = first;
  }
  for (std::size_t i = 1; i < n; ++i) {
    const T next = in[i];
    out[i] = value;
    if (i + 1 < n) value = f(value, next);
  }
}

template <typename T>
void copy(void* out, std::size_t out_step, const void* in, std::size_t in_step, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<T*>(out)[i * out_step] = static_cast<const T*>(in)[i * in_step];
}

template <typename T, typename Function>
bool loops(ReduceOp* o) {
  o->fold = fold<T, Function>;
  o->combine = combine<T, Function>;
  o->scan = scan<T, Function>;
  o->scan_before = scan_before<T, Function>;
  return true;
}

template <typename T>
bool make(upc_op_t op, void (*func)(), ReduceOp* o) {
  o->bytes = sizeof(T);
  o->copy = copy<T>;
  o->commutative = op != UPC_NONCOMM_FUNC;
  o->func = func;
  switch (op) {
    case UPC_ADD:
      return loops<T, BuiltIn<T, Add>>(o);
    case UPC_MULT:
      return loops<T, BuiltIn<T, Mult>>(o);
    case UPC_LOGAND:
      return loops<T, BuiltIn<T, LogAnd>>(o);
    case UPC_LOGOR:
      return loops<T, BuiltIn<T, LogOr>>(o);
    case UPC_MIN:
      return loops<T, BuiltIn<T, Min>>(o);
    case UPC_MAX:
      return loops<T, BuiltIn<T, Max>>(o);
    case UPC_FUNC:
    case UPC_NONCOMM_FUNC:
      return func != nullptr && loops<T, Program<T>>(o);
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (op) {
      case UPC_AND:
        return loops<T, BuiltIn<T, And>>(o);
      case UPC_OR:
        return loops<T, BuiltIn<T, Or>>(o);
      case UPC_XOR:
        return loops<T, BuiltIn<T, Xor>>(o);
      default:
        break;
    }
  }
  return false;
}

}  // namespace

bool make_reduce_op(upcri_reduce_type type, upc_op_t op, void (*func)(), ReduceOp* operation) {
  switch (type) {
#define UPCR_MAKE(T, TYPE) \
  case UPCRI_TYPE_##T:     \
    return make<TYPE>(op, func, operation);
    UPCRI_REDUCE_TYPES(UPCR_MAKE)
#undef UPCR_MAKE
    case UPCRI_REDUCE_TYPE_COUNT:
      break;
  }
  return false;
}

std::size_t element_bytes(upcri_reduce_type type) {
#define UPCR_BYTES(T, TYPE) sizeof(TYPE),
  static constexpr std::size_t kBytes[] = {UPCRI_REDUCE_TYPES(UPCR_BYTES)};
#undef UPCR_BYTES
  return kBytes[type];
}

const char* type_letters(upcri_reduce_type type) {
#define UPCR_LETTERS(T, TYPE) #T,
  static constexpr const char* kLetters[] = {UPCRI_REDUCE_TYPES(UPCR_LETTERS)};
#undef UPCR_LETTERS
  return kLetters[type];
}

const char* operation_name(upc_op_t op) {
  switch (op) {
    case UPC_ADD:
      return "UPC_ADD";
    case UPC_MULT:
      return "UPC_MULT";
    case UPC_AND:
      return "UPC_AND";
    case UPC_OR:
      return "UPC_OR";
    case UPC_XOR:
      return "UPC_XOR";
    case UPC_LOGAND:
      return "UPC_LOGAND";
    case UPC_LOGOR:
      return "UPC_LOGOR";
    case UPC_MIN:
      return "UPC_MIN";
    case UPC_MAX:
      return "UPC_MAX";
    case UPC_FUNC:
      return "UPC_FUNC";
    case UPC_NONCOMM_FUNC:
      return "UPC_NONCOMM_FUNC";
    default:
      return nullptr;
  }
}

}  // namespace upcr::coll
