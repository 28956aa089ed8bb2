// SPDX-License-Identifier: BSD-3-Clause
// Pointer arithmetic against two slow models (element by element; by global index), over random shapes,
// thread counts and increments of both signs, in both pointer layouts (the build's).
#include <gtest/gtest.h>

#include <random>

#include "tests/support/sptr_ops.hpp"

namespace {

// A blocked array distributed over `threads`, in the model's terms: block row, thread, phase.
struct Position {
  std::int64_t row, thread, phase;
};

struct Model {
  std::int64_t threads, block, elemsz, origin;  // origin: offset of row 0

  Position step(Position p, int direction) const {
    p.phase += direction;
    if (p.phase == block) p.phase = 0, ++p.thread;
    if (p.phase < 0) p.phase = block - 1, --p.thread;
    if (p.thread == threads) p.thread = 0, ++p.row;
    if (p.thread < 0) p.thread = threads - 1, --p.row;
    return p;
  }
  __int128 index(Position p) const { return ((__int128)p.row * threads + p.thread) * block + p.phase; }
  Position at(__int128 index) const {
    const auto floor_mod = [](__int128 n, __int128 d) { return ((n % d) + d) % d; };
    const __int128 phase = floor_mod(index, block);
    const __int128 blocks = (index - phase) / block;
    const __int128 thread = floor_mod(blocks, threads);
    return {static_cast<std::int64_t>((blocks - thread) / threads), static_cast<std::int64_t>(thread),
            static_cast<std::int64_t>(phase)};
  }
  upcr_shared_ptr_t pointer(Position p) const {
    return upcri_make_shared(static_cast<std::uint64_t>(origin + (p.row * block + p.phase) * elemsz),
                             static_cast<upcr_thread_t>(p.thread), static_cast<upcr_phase_t>(p.phase));
  }
};

testing::AssertionResult same(upcr_shared_ptr_t got, upcr_shared_ptr_t expected) {
  if (upcr_addrfield_shared(got) == upcr_addrfield_shared(expected) &&
      upcr_threadof_shared(got) == upcr_threadof_shared(expected) &&
      upcr_phaseof_shared(got) == upcr_phaseof_shared(expected))
    return testing::AssertionSuccess();
  char a[BUPC_DUMP_MIN_LENGTH], b[BUPC_DUMP_MIN_LENGTH];
  _bupc_dump_shared(got, a, sizeof a);
  _bupc_dump_shared(expected, b, sizeof b);
  return testing::AssertionFailure() << "got " << a << ", expected " << b << ", THREADS "
                                     << upcri_window.threads;
}

std::vector<upcr_thread_t> thread_counts() {
  std::vector<upcr_thread_t> all;
  for (upcr_thread_t t = 1; t <= 33; ++t) all.push_back(t);
  all.insert(all.end(), {63, 64, 65, 127, 255, 256, 1000, 1023, 1024});
  return all;
}

class SptrArithmetic : public testing::TestWithParam<const SptrOps*> {
 public:
  const SptrOps& ops = *GetParam();
  std::mt19937_64 random{12345};
  std::int64_t uniform(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  }
  // Sets THREADS; false when this form is for another number.
  bool with_threads(std::int64_t threads) {
    if (&ops == &kStaticOps && threads != kStaticThreads) return false;
    upcri_set_threads(static_cast<upcr_thread_t>(threads));
    return true;
  }
  // From any element of the array, by any step that keeps the address inside 34 bits.
  void check_steps(const Model& m, const SptrOps::Shape* constant) {
    const std::int64_t last = (std::int64_t{1} << 30) / (m.block * m.elemsz);
    const Position from = {uniform(0, last), uniform(0, m.threads - 1), uniform(0, m.block - 1)};
    const std::int64_t near = uniform(-2 * m.block * m.threads, 2 * m.block * m.threads);
    const std::int64_t far = uniform(-from.row * m.block * m.threads, last * m.block * m.threads);
    for (const std::int64_t n :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, m.block, -m.block, near, far}) {
      const upcr_shared_ptr_t p = m.pointer(from), expected = m.pointer(m.at(m.index(from) + n));
      if (static_cast<std::int64_t>(upcr_addrfield_shared(expected)) < 0) continue;  // before the array
      const auto elemsz = static_cast<std::size_t>(m.elemsz), block = static_cast<std::size_t>(m.block);
      ASSERT_TRUE(same(ops.add(p, elemsz, n, block), expected)) << "step " << n;
      upcr_shared_ptr_t q = p;
      ops.inc(&q, elemsz, n, block);
      ASSERT_TRUE(same(q, expected)) << "step " << n;
      ASSERT_EQ(ops.sub(expected, p, elemsz, block), n);
      ASSERT_EQ(ops.sub(p, expected, elemsz, block), -n);
      if (n == 1) ASSERT_TRUE(same(ops.next(p, elemsz, block), expected));
      if (n == -1) ASSERT_TRUE(same(ops.back(p, elemsz, block), expected));
      if (m.block > 1) ASSERT_TRUE(same(ops.ptradd(p, block, elemsz, n), expected));
      if (constant != nullptr) {
        ASSERT_TRUE(same(constant->add(p, n), expected)) << "step " << n;
        ASSERT_EQ(constant->sub(expected, p), n);
      }
    }
  }
};

TEST_P(SptrArithmetic, ElementByElement) {
  for (const std::int64_t threads : {1, 2, 3, 4, 5, 6, 7, 8}) {
    if (!with_threads(threads)) continue;
    for (const std::int64_t block : {2, 3, 4, 5, 8, 11}) {
      const Model m{threads, block, 12, 1 << 20};
      for (const int direction : {1, -1}) {
        Position position = {50, uniform(0, threads - 1), uniform(0, block - 1)};
        const Position from = position;
        upcr_shared_ptr_t walk = m.pointer(from);
        for (std::int64_t n = 0; n != 300 * direction; n += direction) {
          ASSERT_TRUE(
              same(ops.add(m.pointer(from), 12, n, static_cast<std::size_t>(block)), m.pointer(position)));
          ASSERT_TRUE(same(walk, m.pointer(position)));
          position = m.step(position, direction);
          walk = (direction > 0 ? ops.next : ops.back)(walk, 12, static_cast<std::size_t>(block));
        }
      }
    }
  }
}

TEST_P(SptrArithmetic, RandomShapes) {
  for (const upcr_thread_t threads : thread_counts()) {
    if (!with_threads(threads)) continue;
    for (int round = 0; round < 200; ++round)
      check_steps({threads, uniform(2, 4096), uniform(1, 64), 1 << 20}, nullptr);
  }
}

TEST_P(SptrArithmetic, ConstantShapes) {
  for (const upcr_thread_t threads : thread_counts()) {
    if (!with_threads(threads)) continue;
    for (std::size_t i = 0; i < ops.shape_count; ++i) {
      const auto& s = ops.shapes[i];
      for (int round = 0; round < 20; ++round)
        check_steps(
            {threads, static_cast<std::int64_t>(s.blockelems), static_cast<std::int64_t>(s.elemsz), 1 << 20},
            &s);
    }
  }
}

TEST_P(SptrArithmetic, Cyclic) {
  for (const upcr_thread_t threads : thread_counts()) {
    if (!with_threads(threads)) continue;
    for (int round = 0; round < 200; ++round) {
      const Model m{threads, 1, uniform(1, 200), 1 << 20};
      const auto elemsz = static_cast<std::size_t>(m.elemsz);
      const Position from = {uniform(0, 1 << 20), uniform(0, threads - 1), 0};
      for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, uniform(-5000, 5000),
                                   uniform(-from.row * threads, std::int64_t{threads} << 24)}) {
        const upcr_shared_ptr_t expected = m.pointer(m.at(m.index(from) + n));
        if (static_cast<std::int64_t>(upcr_addrfield_shared(expected)) < 0) continue;
        const upcr_pshared_ptr_t p = upcr_shared_to_pshared(m.pointer(from));
        upcr_pshared_ptr_t q = p;
        ops.inc1(&q, elemsz, n);
        ASSERT_TRUE(same(upcr_pshared_to_shared(q), expected)) << "step " << n;
        ASSERT_TRUE(same(upcr_pshared_to_shared(ops.add1(p, elemsz, n)), expected)) << "step " << n;
        if (n == 1) ASSERT_TRUE(same(upcr_pshared_to_shared(ops.next1(p, elemsz)), expected));
        if (n == -1) ASSERT_TRUE(same(upcr_pshared_to_shared(ops.back1(p, elemsz)), expected));
        ASSERT_TRUE(same(ops.ptradd(m.pointer(from), 1, elemsz, n), expected));
        ASSERT_EQ(ops.sub1(q, p, elemsz), n);
        ASSERT_EQ(ops.sub1(p, q, elemsz), -n);
      }
    }
  }
}

TEST_P(SptrArithmetic, Indefinite) {
  with_threads(kStaticThreads);
  for (int round = 0; round < 1000; ++round) {
    const std::int64_t elemsz = uniform(1, 5000), from = uniform(1 << 20, 1 << 30),
                       n = uniform(-(1 << 20) / elemsz, 1000000);
    const auto thread = static_cast<upcr_thread_t>(uniform(0, kStaticThreads - 1));
    const upcr_pshared_ptr_t p = upcri_make_pshared(static_cast<std::uint64_t>(from), thread);
    const upcr_shared_ptr_t expected =
        upcri_make_shared(static_cast<std::uint64_t>(from + n * elemsz), thread, 0);
    upcr_pshared_ptr_t q = p;
    ops.inc_indefinite(&q, static_cast<std::size_t>(elemsz), n);
    ASSERT_TRUE(same(upcr_pshared_to_shared(q), expected));
    ASSERT_TRUE(
        same(upcr_pshared_to_shared(ops.add_indefinite(p, static_cast<std::size_t>(elemsz), n)), expected));
    ASSERT_TRUE(
        same(ops.ptradd(upcr_pshared_to_shared(p), 0, static_cast<std::size_t>(elemsz), n), expected));
    ASSERT_EQ(ops.sub_indefinite(q, p, static_cast<std::size_t>(elemsz)), n);
  }
}

TEST_P(SptrArithmetic, NullPlusNothing) {
  with_threads(kStaticThreads);
  EXPECT_TRUE(upcr_isnull_shared(ops.add(upcr_null_shared, 8, 0, 4)));
  EXPECT_TRUE(upcr_isnull_pshared(ops.add1(upcr_null_pshared, 8, 0)));
  EXPECT_TRUE(upcr_isnull_pshared(ops.add_indefinite(upcr_null_pshared, 8, 0)));
  EXPECT_EQ(ops.sub(upcr_null_shared, upcr_null_shared, 8, 4), 0);
}

// Exact for every number, not only for those that occur; those of less than 32 bits must be marked.
TEST_P(SptrArithmetic, Rounds) {
  constexpr std::int64_t kEdge = std::int64_t{1} << 31;
  std::vector<std::int64_t> counts = {kEdge / 2 + 1, kEdge - 1, kEdge};
  for (std::int64_t threads = 1; threads <= 1100; threads += threads < 40 ? 1 : 53) counts.push_back(threads);
  for (const std::int64_t threads : counts) {
    if (!with_threads(threads)) continue;
    const auto check = [&](std::int64_t n) {
      const std::int64_t expected = n / threads - (n % threads < 0 ? 1 : 0);
      ASSERT_EQ(upcri_floor_div(n, threads), expected) << n << " / " << threads;
      for (const std::int64_t from : {std::int64_t{0}, threads - 1}) {
        if (n < INT64_MIN + from) continue;
        std::int64_t rounds;
        if (ops.rounds(static_cast<upcr_thread_t>(from), n - from, &rounds) != 0)
          ASSERT_EQ(rounds, expected) << n << " / " << threads << " from " << from;
        else
          ASSERT_TRUE(n < -kEdge || n >= kEdge) << n << " / " << threads << " from " << from;
      }
    };
    for (const std::int64_t n : {INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1}) check(n);
    for (std::int64_t n = kEdge - 3000; n <= kEdge + 3000; ++n) {
      check(n);
      check(-n);
    }
    for (std::int64_t n = -3000; n <= 3000; ++n) check(n);
    for (int round = 0; round < 500; ++round) {
      check(static_cast<std::int64_t>(random()));
      for (const std::int64_t most : {INT64_MAX / threads, 2 * kEdge / threads}) {
        const std::int64_t multiple = uniform(-most, most) * threads;
        check(multiple);
        check(multiple - 1);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Build, SptrArithmetic, testing::Values(&kDebugOps, &kReleaseOps, &kStaticOps),
                         [](const auto& info) {
                           return info.param == &kDebugOps     ? "debug"
                                  : info.param == &kReleaseOps ? "release"
                                                               : "fixed";
                         });

}  // namespace
