// SPDX-License-Identifier: BSD-3-Clause
// Pointers-to-shared other than arithmetic: fields, conversions, comparison, local addresses, text, and
// the errors of debug builds. An address reservation that is never touched stands for the segments.
#include "include/upcr/sptr.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

// Legal after the header, as translated C does.
extern "C" upcr_shared_ptr_t upcr_pshared_to_shared(upcr_pshared_ptr_t);

namespace {

constexpr upcr_thread_t kThreads = 6;
constexpr std::uintptr_t kBase = std::uintptr_t{1} << 40;
constexpr std::uint64_t kBytes = 1 << 24;
constexpr std::uint64_t kStride = std::uint64_t{1} << UPCRI_ADDR_BITS;

// Threads 1 to 4 of six are mapped here; the caller is thread 2.
class Sptr : public testing::Test {
 protected:
  Sptr() {
    upcri_set_threads(kThreads);
    for (upcr_thread_t t = 0; t < kThreads; ++t) bases_[t] = t >= 1 && t <= 4 ? kBase + (t - 1) * kStride : 0;
    upcri_window.bases = bases_;
    upcri_window.segment_bytes = kBytes;
    use_window(true);
    upcri_mythread_ = 2;
  }
  ~Sptr() override {
    upcri_window = {};
    upcri_mythread_ = 0;
  }
  void use_window([[maybe_unused]] bool on) {
#ifdef UPCRI_POINTER_packed
    upcri_window.first = upcri_make_pshared(0, 1);
    upcri_window.span = on ? 4 * kStride : 0;
    upcri_window.base = kBase;
#endif
  }
  static void* address(upcr_thread_t t, std::uint64_t offset) {
    return reinterpret_cast<void*>(kBase + (t - 1) * kStride + offset);
  }
  std::uintptr_t bases_[kThreads];
};

TEST_F(Sptr, FieldsKeepTheirLimits) {
#ifdef UPCRI_POINTER_packed
  const std::uint64_t offset = UPCRI_ADDR_MASK;
  const auto thread = static_cast<upcr_thread_t>(UPCRI_THREAD_MASK);
  const auto phase = static_cast<upcr_phase_t>(UPCRI_PHASE_MASK);
#else
  const std::uint64_t offset = UINT64_MAX - 7;
  const upcr_thread_t thread = UINT32_MAX - 1;
  const upcr_phase_t phase = UINT32_MAX - 2;
#endif
  const upcr_shared_ptr_t p = upcri_make_shared(offset, thread, phase);
  EXPECT_EQ(upcr_addrfield_shared(p), offset);
  EXPECT_EQ(upcr_threadof_shared(p), thread);
  EXPECT_EQ(upcr_phaseof_shared(p), phase);
  const upcr_pshared_ptr_t q = upcr_shared_to_pshared(p);
  EXPECT_EQ(upcr_addrfield_pshared(q), offset);
  EXPECT_EQ(upcr_threadof_pshared(q), thread);
  EXPECT_EQ(upcr_phaseof_pshared(q), 0u);
  EXPECT_EQ(upcr_phaseof_shared(upcr_pshared_to_shared(q)), 0u);
  EXPECT_EQ(upcr_phaseof_shared(upcr_pshared_to_shared_withphase(q, phase)), phase);
  EXPECT_EQ(upcr_phaseof_shared(upcr_shared_resetphase(p)), 0u);
  EXPECT_EQ(upcr_addrfield_shared(upcr_shared_resetphase(p)), offset);

  upcr_shared_ptr_t r = p;
  upcr_shared_resetphase_ref(&r);
  EXPECT_EQ(upcr_phaseof_shared(r), 0u);
  upcr_pshared_ptr_t s;
  upcr_shared_to_pshared_ref(p, &s);
  EXPECT_TRUE(upcr_isequal_pshared_pshared(s, q));
  upcr_pshared_to_shared_ref(q, &r);
  EXPECT_TRUE(upcr_isequal_shared_pshared(r, q));
  upcr_pshared_to_shared_ref_withphase(q, phase, &r);
  EXPECT_EQ(std::memcmp(&r, &p, sizeof r), 0);
}

TEST_F(Sptr, Null) {
  upcr_shared_ptr_t p = upcri_make_shared(4096, 3, 1);
  upcr_pshared_ptr_t q = upcri_make_pshared(4096, 3);
  EXPECT_FALSE(upcr_isnull_shared(p));
  EXPECT_FALSE(upcr_isnull_pshared(q));
  EXPECT_EQ(upcr_setnull_shared(&p), 0);
  EXPECT_EQ(upcr_setnull_pshared(&q), 0);
  EXPECT_TRUE(upcr_isnull_shared(p));
  EXPECT_TRUE(upcr_isnull_pshared(q));
  EXPECT_TRUE(upcr_isequal_shared_shared(p, upcr_null_shared));
  EXPECT_TRUE(upcr_isequal_pshared_pshared(q, upcr_null_pshared));
  EXPECT_EQ(upcr_threadof_shared(upcr_null_shared), 0u);
  EXPECT_EQ(upcr_phaseof_shared(upcr_null_shared), 0u);
  EXPECT_EQ(upcr_addrfield_shared(upcr_null_shared), 0u);
  EXPECT_TRUE(upcr_hasAffinity_shared(upcr_null_shared, 0));
  EXPECT_EQ(upcr_shared_to_local(upcr_null_shared), nullptr);
  EXPECT_EQ(upcr_pshared_to_processlocal(upcr_null_pshared), nullptr);
  EXPECT_TRUE(upcr_isnull_shared(upcr_local_to_shared(nullptr)));
  EXPECT_TRUE(upcr_isnull_shared(upcr_local_to_shared_withphase(nullptr, 3, 4)));
  EXPECT_TRUE(upcr_isequal_shared_local(upcr_null_shared, nullptr));
  EXPECT_FALSE(upcr_isequal_shared_local(upcri_make_shared(4096, 2, 0), nullptr));
  const upcr_shared_ptr_t constant = UPCR_NULL_SHARED, initialized = UPCR_INITIALIZED_SHARED;
  const upcr_pshared_ptr_t pinitialized = UPCR_INITIALIZED_PSHARED;
  EXPECT_TRUE(upcr_isnull_shared(constant));
  EXPECT_TRUE(upcr_is_init_shared(initialized));
  EXPECT_TRUE(upcr_is_init_pshared(pinitialized));
  EXPECT_FALSE(upcr_is_init_shared(constant));
}

TEST_F(Sptr, EqualityIgnoresPhases) {
  const upcr_shared_ptr_t a = upcri_make_shared(4096, 3, 1), b = upcri_make_shared(4096, 3, 7);
  const upcr_shared_ptr_t c = upcri_make_shared(4096, 4, 1), d = upcri_make_shared(4104, 3, 1);
  EXPECT_TRUE(upcr_isequal_shared_shared(a, b));
  EXPECT_TRUE(upcr_isequal_shared_pshared(a, upcr_shared_to_pshared(b)));
  EXPECT_TRUE(upcr_isequal_pshared_shared(upcr_shared_to_pshared(a), b));
  for (const upcr_shared_ptr_t other : {c, d, upcr_null_shared}) {
    EXPECT_FALSE(upcr_isequal_shared_shared(a, other));
    EXPECT_FALSE(upcr_isequal_pshared_pshared(upcr_shared_to_pshared(other), upcr_shared_to_pshared(a)));
  }
}

TEST_F(Sptr, LocalAddresses) {
  for (const bool window : {true, false}) {
    use_window(window);
    const upcr_shared_ptr_t mine = upcri_make_shared(0x5000, 2, 9),
                            neighbour = upcri_make_shared(0x6000, 4, 0);
    const upcr_shared_ptr_t far = upcri_make_shared(0x6000, 5, 0), before = upcri_make_shared(0x6000, 0, 0);
    EXPECT_EQ(upcr_shared_to_local(mine), address(2, 0x5000));
    EXPECT_EQ(upcr_pshared_to_local(upcr_shared_to_pshared(mine)), address(2, 0x5000));
    EXPECT_EQ(upcr_shared_to_processlocal(neighbour), address(4, 0x6000));
    EXPECT_EQ(upcr_pshared_to_processlocal(upcr_shared_to_pshared(neighbour)), address(4, 0x6000));
    EXPECT_EQ(upcr_cast(neighbour), address(4, 0x6000));
    EXPECT_EQ(upcr_cast(far), nullptr);
    EXPECT_EQ(upcr_cast(before), nullptr);
    EXPECT_EQ(upcr_cast(upcr_null_shared), nullptr);
    EXPECT_TRUE(upcr_isequal_shared_local(mine, address(2, 0x5000)));
    EXPECT_FALSE(upcr_isequal_shared_local(mine, address(2, 0x5008)));
    EXPECT_FALSE(upcr_isequal_shared_local(neighbour, address(4, 0x6000)));  // not the caller's

    EXPECT_TRUE(upcr_isequal_shared_shared(upcr_local_to_shared(address(2, 0x5000)), mine));
    EXPECT_EQ(upcr_phaseof_shared(upcr_local_to_shared(address(2, 0x5000))), 0u);
    const upcr_shared_ptr_t other = upcr_local_to_shared_withphase(address(4, 0x6000), 3, 4);
    EXPECT_TRUE(upcr_isequal_shared_shared(other, neighbour));
    EXPECT_EQ(upcr_phaseof_shared(other), 3u);
    const upcr_shared_ptr_t moved = upcr_mylocal_to_shared_withphase(address(2, 0x6000), 1, 5);
    EXPECT_TRUE(upcr_isequal_shared_shared(moved, far));
    EXPECT_TRUE(upcr_isequal_shared_shared(_bupc_local_to_shared(address(4, 0x6000), 4, 0), neighbour));
  }
}

TEST_F(Sptr, Affinity) {
  const upcr_shared_ptr_t p = upcri_make_shared(4096, 2, 5);
  EXPECT_TRUE(upcr_hasMyAffinity_shared(p));
  EXPECT_TRUE(upcr_hasMyAffinity_pshared(upcr_shared_to_pshared(p)));
  upcri_mythread_ = 3;
  EXPECT_FALSE(upcr_hasMyAffinity_shared(p));
  EXPECT_TRUE(upcr_hasAffinity_pshared(upcr_shared_to_pshared(p), 2));
  EXPECT_FALSE(upcr_hasAffinity_shared(p, 1));
}

TEST_F(Sptr, Validity) {
  EXPECT_TRUE(upcr_isvalid_shared(upcr_null_shared));
  EXPECT_TRUE(upcr_isvalid_shared(upcri_make_shared(4096, 5, 3)));
  EXPECT_TRUE(upcr_isvalid_pshared(upcri_make_pshared(kBytes - 1, 0)));
  EXPECT_FALSE(upcr_isvalid_shared(upcri_make_shared(4096, 6, 3)));
  EXPECT_FALSE(upcr_isvalid_pshared(upcri_make_pshared(kBytes, 0)));
}

TEST_F(Sptr, AffinitySizeIsWhatDealingGives) {
  for (upcr_thread_t threads = 1; threads <= 7; ++threads) {
    upcri_set_threads(threads);
    for (std::size_t total = 0; total <= 100; ++total) {
      for (std::size_t block = 0; block <= 30; ++block) {
        std::vector<std::size_t> dealt(threads, 0);
        for (std::size_t i = 0; i < total; ++i) ++dealt[block == 0 ? 0 : i / block % threads];
        for (upcr_thread_t t = 0; t < threads; ++t)
          ASSERT_EQ(upcr_affinitysize(total, block, t), dealt[t]) << total << " " << block << " " << t;
      }
    }
  }
}

TEST_F(Sptr, ThreadInfo) {
  EXPECT_EQ(upcr_thread_info(2).guaranteedCastable, UPC_CASTABLE_ALL);
  EXPECT_EQ(upcr_thread_info(4).probablyCastable, UPC_CASTABLE_ALL);
  EXPECT_EQ(upcr_thread_info(0).probablyCastable, 0);
  EXPECT_EQ(upcr_thread_info(77).guaranteedCastable, 0);
}

TEST_F(Sptr, Text) {
  char text[BUPC_DUMP_MIN_LENGTH];
  EXPECT_EQ(_bupc_dump_shared(upcr_null_shared, text, sizeof text), 0);
  EXPECT_STREQ(text, "<NULL>");
  EXPECT_EQ(upcri_dump_shared(upcri_make_shared(0x1234, 4, 1), text, sizeof text), 0);
  EXPECT_NE(std::strstr(text, "(addrfield=0x1234), thread=4, phase=1>"), nullptr) << text;
  errno = 0;
  EXPECT_EQ(_bupc_dump_shared(upcr_null_shared, text, BUPC_DUMP_MIN_LENGTH - 1), -1);
  EXPECT_EQ(errno, EINVAL);
}

class SptrDeath : public Sptr {};

TEST_F(SptrDeath, Subtraction) {
  const auto died = testing::ExitedWithCode(255);
  const upcr_pshared_ptr_t a = upcri_make_pshared(0x1000, 1), b = upcri_make_pshared(0x2000, 3);
  EXPECT_EXIT((void)upcr_sub_psharedI(a, b, 8), died, "0x2000.*thread=3.*0x1000.*thread=1");
  EXPECT_EXIT((void)upcr_sub_pshared1(a, upcri_make_pshared(0x1003, 3), 8), died, "0x1003.*0x1000");
  EXPECT_EXIT((void)upcr_sub_shared(upcri_make_shared(0x1008, 1, 0), upcri_make_shared(0x1000, 1, 0), 8, 4),
              died, "whole number of blocks");
  EXPECT_EXIT((void)upcr_sub_shared(upcri_make_shared(0x1008, 1, 5), upcri_make_shared(0x1000, 1, 0), 8, 4),
              died, "phase is not inside a block of 4");
}

TEST_F(SptrDeath, Addition) {
  const auto died = testing::ExitedWithCode(255);
  const upcr_shared_ptr_t p = upcri_make_shared(0x1000, 1, 1);
  EXPECT_EXIT((void)upcr_add_shared(p, 0, 1, 4), died, "element size is 0");
  EXPECT_EXIT((void)upcr_add_shared(p, 8, 1, 0), died, "block size is 0");
  EXPECT_EXIT((void)upcr_add_psharedI(upcr_shared_to_pshared(p), 8, -0x1000), died,
              "leaves the address field");
}

TEST_F(SptrDeath, LocalAddress) {
  const auto died = testing::ExitedWithCode(255);
  EXPECT_EXIT((void)upcr_shared_to_local(upcri_make_shared(0x1000, 3, 0)), died, "affinity to UPC thread 3");
  EXPECT_EXIT((void)upcr_shared_to_processlocal(upcri_make_shared(0x1000, 5, 0)), died,
              "not mapped in this process");
  EXPECT_EXIT((void)upcr_shared_to_local(upcri_make_shared(0x1000, 17, 0)), died,
              "not a pointer-to-shared of this job");
  EXPECT_EXIT((void)upcr_local_to_shared(&bases_), died, "not in the shared memory of UPC thread 2");
}

#ifdef UPCRI_POINTER_packed
// A compiler may have read either half of upcri_reach before start-up wrote it: together with the other half
// read afterwards, no pointer may seem mapped.
TEST(Reach, HalfOfItFromBeforeStartUpFindsNothing) {
  const struct upcri_reach before = upcri_reach;  // there is no start-up in this program
  EXPECT_EQ(before.span, 0u);
  constexpr std::uint64_t kAll = std::uint64_t{UPCRI_THREAD_MASK + 1} << UPCRI_ADDR_BITS;
  for (const upcr_thread_t thread : {0u, 1u, static_cast<unsigned>(UPCRI_THREAD_MASK)})
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{4096}, UPCRI_ADDR_MASK})
      EXPECT_GE(upcri_make_pshared(offset, thread) - before.first, kAll);
}
#endif

}  // namespace
