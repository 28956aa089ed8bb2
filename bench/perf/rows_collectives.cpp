// SPDX-License-Identifier: BSD-3-Clause
// Collectives of all threads.
#include <cstring>

#include "bench/perf/rows.hpp"

namespace perf {
namespace {

void moves(Rows& rows) {
  constexpr std::size_t kBytes = 1024;
  const upcr_shared_ptr_t src = upcr_all_alloc(rows.crew().threads(), rows.crew().threads() * kBytes);
  const upcr_shared_ptr_t dst = upcr_all_alloc(rows.crew().threads(), rows.crew().threads() * kBytes);
  using Call = void (*)(upcr_shared_ptr_t, upcr_shared_ptr_t, std::size_t, int);
  const auto measure = [&](const char* name, const char* summary, Call call) {
    rows.add_with_ping_pong(name, summary, [&crew = rows.crew(), src, dst, call](std::uint64_t n) {
      for (std::uint64_t i = 0; i < kWarmUp; ++i) call(dst, src, kBytes, 0);
      crew.barrier();
      const double start = now_ns();
      for (std::uint64_t i = 0; i < n; ++i) call(dst, src, kBytes, 0);
      return now_ns() - start;
    });
  };
  measure("broadcast", "upc_all_broadcast, 1024 bytes", bupc_all_broadcast);
  measure("gather_all", "upc_all_gather_all, 1024 bytes of each thread", bupc_all_gather_all);
  measure("exchange", "upc_all_exchange, 1024 bytes for each thread", bupc_all_exchange);
}

void reductions(Rows& rows) {
  const auto sum = [&crew = rows.crew()](std::size_t each) {
    const std::size_t bytes = each * sizeof(double);
    const upcr_shared_ptr_t from = upcr_all_alloc(crew.threads(), bytes),
                            to = upcr_all_alloc(crew.threads(), 8);
    std::memset(
        upcr_shared_to_local(upcr_add_shared(from, 1, static_cast<std::ptrdiff_t>(crew.me() * bytes), bytes)),
        0, bytes);
    crew.barrier();
    return [=, &crew](std::uint64_t n) {
      const auto reduce = [&](std::uint64_t times) {
        for (std::uint64_t i = 0; i < times; ++i)
          bupc_all_reduce_allD(to, from, 1 /* UPC_ADD */, each * crew.threads(), each, nullptr,
                               UPCRI_IN_MYSYNC | UPCRI_OUT_MYSYNC);
      };
      reduce(kWarmUp);
      const double start = now_ns();
      reduce(n);
      return now_ns() - start;
    };
  };
  rows.add_with_ping_pong("reduce_all", "bupc_all_reduce_allD, one element a thread", sum(1));
  constexpr std::size_t kBytes = 65536;
  rows.add("reduce_all_64k", "bupc_all_reduce_allD, 64 KiB of each thread", sum(kBytes / sizeof(double)),
           "memcpy", [r = &rows.references()](std::uint64_t n) { return r->copies_in(n, kBytes); });
}

}  // namespace

void add_collectives(Rows& rows) {
  moves(rows);
  reductions(rows);
}

}  // namespace perf
