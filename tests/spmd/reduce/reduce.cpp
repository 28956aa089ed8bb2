// SPDX-License-Identifier: BSD-3-Clause
// Reductions, reductions to all and prefix reductions: every type and operation over random shapes, places
// and flags, compared with a loop over the array. Values are such that the result is exact in any order.
#include <initializer_list>
#include <vector>

#include "tests/spmd/spmd.h"
#include "upcr_preinclude/upc_collective_bits.h"

namespace {

constexpr std::size_t kAreaBytes = 96 << 10;  // of each thread, for each of the two arrays
constexpr unsigned kMaxElements = 1500;
constexpr unsigned char kUntouched = 0xEE;

enum Kind { kReduce, kReduceAll, kPrefix, kKinds };

struct Round {
  uint64_t seed;
  Kind kind;
  unsigned type;
  unsigned long long op;
  std::size_t nelems, blk_size, phase, src_at, dst_at;
  unsigned start, root;
  int flags;
};

thread_local upcr_shared_ptr_t sources, targets;

template <typename T>
struct Api;
#define SPMD_API(T, TYPE)                                                                                   \
  template <>                                                                                               \
  struct Api<TYPE> {                                                                                        \
    static void call(const Round& r, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, TYPE (*f)(TYPE, TYPE)) { \
      if (r.kind == kReduce) bupc_all_reduce##T(dst, src, r.op, r.nelems, r.blk_size, f, r.flags);          \
      if (r.kind == kReduceAll) bupc_all_reduce_all##T(dst, src, r.op, r.nelems, r.blk_size, f, r.flags);   \
      if (r.kind == kPrefix) bupc_all_prefix_reduce##T(dst, src, r.op, r.nelems, r.blk_size, f, r.flags);   \
    }                                                                                                       \
  };
UPCRI_REDUCE_TYPES(SPMD_API)

template <typename T>
constexpr bool kInteger = T(1) / T(2) == T(0);

// An element as two numbers of `kHalf` bits: the map x -> m x + c. Composing maps does not commute.
template <typename T>
constexpr unsigned kHalf = sizeof(T) == 1   ? 4
                           : sizeof(T) == 2 ? 8
                                            : 11;

template <typename T>
T map_of(unsigned long m, unsigned long c) {
  const unsigned long mask = (1ul << kHalf<T>)-1;
  return static_cast<T>((c & mask) << kHalf<T> | (m & mask));
}
template <typename T>
unsigned long half_of(T x, bool high) {
  const auto bits = static_cast<unsigned long>(static_cast<long>(x));
  return (high ? bits >> kHalf<T> : bits) & ((1ul << kHalf<T>)-1);
}
template <typename T>
T compose(T a, T b) {
  return map_of<T>(half_of(a, false) * half_of(b, false),
                   half_of(a, false) * half_of(b, true) + half_of(a, true));
}
// (1 + a) (1 + b) - 1; for fractions the larger absolute value.
template <typename T>
T commuting(T a, T b) {
  if constexpr (kInteger<T>) {
    const auto x = static_cast<unsigned long>(a), y = static_cast<unsigned long>(b);
    return static_cast<T>(x + y + x * y);
  } else {
    const T x = a < 0 ? -a : a, y = b < 0 ? -b : b;
    return x < y ? y : x;
  }
}

template <typename T>
T combined(unsigned long long op, T a, T b) {
  if (op == UPC_FUNC) return commuting(a, b);
  if (op == UPC_NONCOMM_FUNC) return compose(a, b);
  if (op == UPC_LOGAND) return static_cast<T>(a != 0 && b != 0);
  if (op == UPC_LOGOR) return static_cast<T>(a != 0 || b != 0);
  if (op == UPC_MIN) return a < b ? a : b;
  if (op == UPC_MAX) return a > b ? a : b;
  if constexpr (kInteger<T>) {
    const auto x = static_cast<unsigned long>(a), y = static_cast<unsigned long>(b);
    if (op == UPC_ADD) return static_cast<T>(x + y);
    if (op == UPC_MULT) return static_cast<T>(x * y);
    if (op == UPC_AND) return static_cast<T>(x & y);
    if (op == UPC_OR) return static_cast<T>(x | y);
    return static_cast<T>(x ^ y);
  } else {
    return op == UPC_ADD ? a + b : a * b;
  }
}

template <typename T>
T element(const Round& r, std::size_t i) {
  uint64_t s = r.seed + i * 77;
  const uint64_t x = spmd_random(&s);
  if (r.op == UPC_NONCOMM_FUNC) return map_of<T>(2 * x + 1, x >> 20);
  if (r.op == UPC_LOGAND) return static_cast<T>(x % 64 != 0 ? 1 + x % 7 : 0);
  if (r.op == UPC_LOGOR) return static_cast<T>(x % 64 == 0 ? 1 + x % 7 : 0);
  if (kInteger<T>) {
    if (r.op == UPC_MULT) return static_cast<T>(x | 1);
    if (r.op == UPC_AND) return static_cast<T>(x | x >> 5 | x >> 11 | x >> 17);
    return static_cast<T>(x);
  }
  if (r.op == UPC_MULT) {  // a few factors 2 and 1/2, so that nothing overflows
    const T size = (x >> 8) % 61 == 0 ? T(2) : (x >> 8) % 61 == 1 ? T(0.5) : T(1);
    return (x & 1) != 0 ? size : -size;
  }
  return static_cast<T>(static_cast<int>(x % 201) - 100);
}

template <typename T>
[[noreturn]] void wrong(const Round& r, const char* what, std::size_t i) {
  SPMD_FAIL(
      "seed %#llx: kind %d, type %u (%zu bytes), op %#llx, nelems %zu, blk_size %zu, phase %zu, start %u, "
      "root %u, flags %#x: %s %zu",
      static_cast<unsigned long long>(r.seed), r.kind, r.type, sizeof(T), r.op, r.nelems, r.blk_size, r.phase,
      r.start, r.root, static_cast<unsigned>(r.flags), what, i);
}

// The bytes of a value without padding, which a long double has.
template <typename T>
constexpr std::size_t kValueBytes = kInteger<T> || sizeof(T) < 16 ? sizeof(T) : 10;

template <typename T>
void run_round(const Round& r) {
  const unsigned me = upcr_mythread();
  const upcr_phase_t phase = static_cast<upcr_phase_t>(r.phase);
  const upcr_shared_ptr_t src =
      upcri_make_shared(upcr_addrfield_shared(sources) + r.src_at + r.phase * sizeof(T), r.start, phase);
  const uint64_t to = upcr_addrfield_shared(targets) + r.dst_at;
  const upcr_shared_ptr_t dst = r.kind == kPrefix
                                    ? upcri_make_shared(to + r.phase * sizeof(T), r.start, phase)
                                : r.kind == kReduce ? upcri_make_shared(to, r.root, 0)
                                                    : upcri_make_shared(to, 0, 0);
  auto* const my_targets = static_cast<unsigned char*>(upcr_shared_to_local(spmd_part(targets, me, 0)));
  std::vector<unsigned char> want(kAreaBytes, kUntouched);
  memset(my_targets, kUntouched, kAreaBytes);

  // The contents of the array, and the expected result.
  T value{};
  const auto expect = [&](uint64_t offset) {
    memcpy(want.data() + (offset - upcr_addrfield_shared(targets)), &value, kValueBytes<T>);
  };
  for (std::size_t i = 0; i < r.nelems; ++i) {
    const T x = element<T>(r, i);
    value = i == 0 ? x : combined(r.op, value, x);
    const upcr_shared_ptr_t p = _bupc_ptradd(src, r.blk_size, sizeof(T), static_cast<std::ptrdiff_t>(i));
    if (upcr_threadof_shared(p) != me) continue;
    memcpy(upcr_shared_to_local(p), &x, sizeof x);
    if (r.kind == kPrefix)
      expect(upcr_addrfield_shared(_bupc_ptradd(dst, r.blk_size, sizeof(T), static_cast<std::ptrdiff_t>(i))));
  }
  if (r.nelems != 0 && (r.kind == kReduceAll || (r.kind == kReduce && me == r.root))) expect(to);

  if (r.flags & UPC_IN_NOSYNC) spmd_barrier();
  T (*const func)(T, T) = r.op == UPC_FUNC ? commuting<T> : r.op == UPC_NONCOMM_FUNC ? compose<T> : nullptr;
  Api<T>::call(r, dst, src, func);
  if (r.flags & UPC_OUT_NOSYNC) spmd_barrier();

  for (std::size_t at = 0; at < kAreaBytes; ++at) {
    if (want[at] == my_targets[at]) continue;
    const std::size_t in_element = (at - r.dst_at) % sizeof(T);
    if (kValueBytes<T> < sizeof(T) && in_element >= kValueBytes<T>) continue;
    wrong<T>(r, "target byte", at);
  }
  for (std::size_t i = 0; i < r.nelems; ++i) {
    const T x = element<T>(r, i);
    const upcr_shared_ptr_t p = _bupc_ptradd(src, r.blk_size, sizeof(T), static_cast<std::ptrdiff_t>(i));
    if (upcr_threadof_shared(p) == me &&
        memcmp(upcr_shared_to_local(p), static_cast<const void*>(&x), kValueBytes<T>) != 0)
      wrong<T>(r, "the source has changed at element", i);
  }
}

void run_type(const Round& r) {
  switch (r.type) {
#define SPMD_PLAY(T, TYPE) \
  case UPCRI_TYPE_##T:     \
    return run_round<TYPE>(r);
    UPCRI_REDUCE_TYPES(SPMD_PLAY)
  }
}

Round random_round(uint64_t seed) {
  static const unsigned long long ops[] = {UPC_ADD, UPC_MULT,   UPC_AND,          UPC_OR,
                                           UPC_XOR, UPC_LOGAND, UPC_LOGOR,        UPC_MIN,
                                           UPC_MAX, UPC_FUNC,   UPC_NONCOMM_FUNC, UPC_NONCOMM_FUNC};
  static const int in[] = {UPC_IN_ALLSYNC, UPC_IN_MYSYNC, UPC_IN_NOSYNC, 0};
  static const int out[] = {UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC, 0};
  const unsigned threads = upcr_threads();
  uint64_t s = seed;
  Round r{};
  r.seed = seed;
  r.kind = static_cast<Kind>(spmd_below(&s, kKinds));
  r.type = static_cast<unsigned>(spmd_below(&s, UPCRI_REDUCE_TYPE_COUNT));
  do r.op = ops[spmd_below(&s, sizeof ops / sizeof ops[0])];
  while (r.type >= UPCRI_TYPE_F && (r.op == UPC_AND || r.op == UPC_OR || r.op == UPC_XOR));
  const uint64_t size = spmd_below(&s, 5);
  r.nelems = spmd_below(&s, size == 0 ? 2 : size == 1 ? threads + 2 : size == 4 ? kMaxElements : 100);
  const uint64_t shape = spmd_below(&s, 6);
  r.blk_size = shape == 0   ? 0
               : shape == 1 ? 1
               : shape == 2 ? r.nelems / threads + 1
               : shape == 3 ? 1 + spmd_below(&s, r.nelems + 5)
                            : 1 + spmd_below(&s, 9);
  r.phase = r.blk_size > 1 && spmd_below(&s, 2) ? spmd_below(&s, r.blk_size) : 0;
  r.start = spmd_below(&s, 2) ? static_cast<unsigned>(spmd_below(&s, threads)) : 0;
  r.root = static_cast<unsigned>(spmd_below(&s, threads));
  r.src_at = 16 * spmd_below(&s, 8);
  r.dst_at = 16 * spmd_below(&s, 8);
  r.flags = in[spmd_below(&s, 4)] | out[spmd_below(&s, 4)];
  if (upcr_mythread() % 2 == 1 && (r.flags & 7) == 0) r.flags |= UPC_IN_ALLSYNC;  // 0 means the same
  return r;
}

// A huge block size has the effect of one that holds the whole array.
void huge_blocks() {
  Round r = random_round(1);
  r.kind = kPrefix;
  r.type = UPCRI_TYPE_L;
  r.op = UPC_ADD;
  r.nelems = 50;
  r.blk_size = UPCR_MAX_BLOCKSIZE - 1;
  r.phase = 3;
  r.flags = 0;
  run_type(r);
}

// A leaf of a reduction and the first thread of a prefix reduction only send: they return before the receiver
// has entered; otherwise this hangs.
void senders_do_not_wait(int flags) {
  const unsigned me = upcr_mythread(), threads = upcr_threads();
  const upcr_shared_ptr_t flag = spmd_alloc(64);
  const auto wait_for = [&](uint64_t count) {
    while (upcr_get_shared_val(spmd_part(flag, me, 0), 0, 8) != count) upcr_poll();
  };
  const auto arrive = [&](unsigned at) {  // one after the other
    if (me != 0) wait_for(1);
    upcr_put_shared_val_strict(spmd_part(flag, at, 0), 0, 1, 8);
  };
  auto* const mine = static_cast<int*>(upcr_shared_to_local(spmd_part(sources, me, 0)));
  *mine = static_cast<int>(me) + 1;
  const unsigned root = threads - 1;
  spmd_barrier();
  if (me == root && threads > 1) wait_for(1);  // all others have returned
  bupc_all_reduceI(spmd_part(targets, root, 0), sources, UPC_ADD, threads, 1, nullptr, flags);
  if (me != root) arrive(me + 1);
  if (me == root) {
    SPMD_EQ(*static_cast<int*>(upcr_shared_to_local(spmd_part(targets, root, 0))),
            threads * (threads + 1) / 2);
  }
  spmd_barrier();
  upcr_put_shared_val(spmd_part(flag, me, 0), 0, 0, 8);
  spmd_barrier();
  if (me == root && threads > 1) wait_for(1);
  bupc_all_prefix_reduceI(targets, sources, UPC_ADD, threads, 1, nullptr, flags);
  if (me == 0 && threads > 1) upcr_put_shared_val_strict(spmd_part(flag, root, 0), 0, 1, 8);
  spmd_barrier();
  SPMD_EQ(*static_cast<int*>(upcr_shared_to_local(spmd_part(targets, me, 0))), (me + 1) * (me + 2) / 2);
  spmd_barrier();
}

// Many rows in several chunks.
void long_array() {
  Round r = random_round(7);
  r.type = UPCRI_TYPE_UC;
  r.nelems = kAreaBytes / 2;
  r.blk_size = 1;
  r.phase = r.start = 0;
  r.op = UPC_NONCOMM_FUNC;
  for (const Kind kind : {kReduce, kReduceAll, kPrefix}) {
    r.kind = kind;
    run_type(r);
  }
}

void run() {
  sources = spmd_alloc(kAreaBytes);
  targets = spmd_alloc(kAreaBytes);
  senders_do_not_wait(UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
  senders_do_not_wait(UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
  huge_blocks();
  const uint64_t rounds = spmd_effort(900);
  for (uint64_t i = 0; i < rounds; ++i) run_type(random_round(i * 1000003 + upcr_threads()));
  long_array();
}

}  // namespace

SPMD_MAIN(run)
