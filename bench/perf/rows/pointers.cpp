// SPDX-License-Identifier: BSD-3-Clause
// Pointer arithmetic with THREADS known at run time only, as in a[i]: elements 1, 2, 3 ... after a fixed
// pointer. The reference is the same by hand with constants. Compiled with -O3.
#include "bench/perf/references/constant_pointers.hpp"
#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {
namespace {

constexpr std::size_t kElem = kElementBytes, kBlock = 16;
constexpr std::uint64_t kMaxStep = 4095;  // elements that a pointer moves

// Makes the compiler compute the pointer.
void use(const upcr_shared_ptr_t& p) {
#ifdef UPCRI_POINTER_packed
  asm volatile("" : : "r"(p));
#else
  asm volatile("" : : "r"(p.s_addr), "r"(p.s_thread), "r"(p.s_phase));
#endif
}

template <std::uint64_t kThreads, std::uint64_t kElements>
void with_constants(upcr_shared_ptr_t start, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) use(element_pointer<kThreads, kElements>(start, i & kMaxStep));
}

using Loop = void (*)(upcr_shared_ptr_t, std::uint64_t);
template <std::uint64_t kElements>
Loop loop_with_constants(upcr_thread_t threads) {
  switch (threads) {
    case 1:
      return with_constants<1, kElements>;
    case 2:
      return with_constants<2, kElements>;
    case 3:
      return with_constants<3, kElements>;
    case 4:
      return with_constants<4, kElements>;
    case 8:
      return with_constants<8, kElements>;
    case 16:
      return with_constants<16, kElements>;
    default:
      return nullptr;
  }
}

void row(UpcrRows& rows, const char* name, const char* summary, Loop test, Loop constants) {
  const UpcrThreadTeam& team = rows.team();
  const upcr_shared_ptr_t start = team.block_of(0);
  const auto burst = [&](Loop work) {
    return on_leader(team, [start, work](std::uint64_t n) { work(start, n); });
  };
  if (constants != nullptr)
    rows.add(name, summary, burst(test), "constants", burst(constants), kElem);
  else
    rows.add(name, summary, burst(test), "", Burst(), kElem);
}

}  // namespace

void add_pointers(UpcrRows& rows) {
  const upcr_thread_t threads = rows.team().threads();
  row(
      rows, "add_shared", "upcr_add_shared, blocks of 16 elements of 8 bytes",
      [](upcr_shared_ptr_t start, std::uint64_t n) {
        for (std::uint64_t i = 0; i < n; ++i)
          use(upcr_add_shared(start, kElem, static_cast<std::ptrdiff_t>(i & kMaxStep), kBlock));
      },
      loop_with_constants<kBlock>(threads));
  row(
      rows, "add_pshared1", "upcr_add_pshared1, elements of 8 bytes",
      [](upcr_shared_ptr_t start, std::uint64_t n) {
        const upcr_pshared_ptr_t from = upcr_shared_to_pshared(start);
        for (std::uint64_t i = 0; i < n; ++i)
          use(upcr_pshared_to_shared(
              upcr_add_pshared1(from, kElem, static_cast<std::ptrdiff_t>(i & kMaxStep))));
      },
      loop_with_constants<1>(threads));
}

}  // namespace perf
