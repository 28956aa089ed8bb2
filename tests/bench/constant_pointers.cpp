// SPDX-License-Identifier: BSD-3-Clause
// The pointer arithmetic by hand that upcr_perf is compared with computes what upcr_add_shared and
// upcr_add_pshared1 compute, for as many threads as the job has: 2 or 3.
#include <cstdio>

#include "bench/perf/references/constant_pointers.hpp"

namespace {

constexpr std::size_t kElem = perf::kElementBytes, kBlock = 16, kBytes = 1 << 20;
constexpr std::uint64_t kMaxSteps = 20000;

int wrong;

void expect(const char* what, std::uint64_t i, upcr_shared_ptr_t by_hand, upcr_shared_ptr_t wanted) {
  const bool same = upcr_threadof_shared(by_hand) == upcr_threadof_shared(wanted) &&
                    upcr_phaseof_shared(by_hand) == upcr_phaseof_shared(wanted) &&
                    upcr_addrfield_shared(by_hand) == upcr_addrfield_shared(wanted);
  if (!same && wrong++ < 5) std::fprintf(stderr, "%s: element %llu differs\n", what, (unsigned long long)i);
}

template <std::uint64_t kThreads>
void compare(upcr_shared_ptr_t start) {
  const upcr_pshared_ptr_t from = upcr_shared_to_pshared(start);
  for (std::uint64_t i = 0; i < kMaxSteps; ++i) {
    const auto by = static_cast<std::ptrdiff_t>(i);
    expect("upcr_add_shared", i, perf::element_pointer<kThreads, kBlock>(start, i),
           upcr_add_shared(start, kElem, by, kBlock));
    expect("upcr_add_pshared1", i, perf::element_pointer<kThreads, 1>(start, i),
           upcr_pshared_to_shared(upcr_add_pshared1(from, kElem, by)));
  }
}

int run(int, char**) {
  const upcr_shared_ptr_t start = upcr_all_alloc(upcr_threads(), kBytes);
  if (upcr_mythread() != 0) return 0;
  if (upcr_threads() == 2)
    compare<2>(start);
  else if (upcr_threads() == 3)
    compare<3>(start);
  else
    ++wrong;
  if (wrong == 0) std::puts("all pointers agree");
  return wrong != 0;
}

}  // namespace

int main(int argc, char** argv) {
  bupc_init_reentrant(&argc, &argv, &run);
  return 1;  // not reached
}
