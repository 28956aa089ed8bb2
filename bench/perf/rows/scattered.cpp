// SPDX-License-Identifier: BSD-3-Clause
// Copies of many pieces beside plain loops; the size is that of an element.
#include <memory>

#include "bench/perf/references/scattered.hpp"
#include "bench/perf/rows/upcr_rows.hpp"

namespace perf {
namespace {

void scattered(UpcrRows& rows, std::size_t elem) {
  const auto s = std::make_shared<Scattered>(rows.team(), elem);
  const auto compare = [&](const char* name, const char* what, void (Scattered::*test)(std::uint64_t),
                           void (Scattered::*plain)(std::uint64_t)) {
    const auto burst = [&](void (Scattered::*work)(std::uint64_t)) {
      return alone(rows.team(), [s, work](std::uint64_t n) { ((*s).*work)(n); });
    };
    rows.add(name, std::string(what) + std::to_string(elem) + " bytes, 64 KiB", burst(test), "plain loop",
             burst(plain), elem);
  };
  compare("strided", "bupc_memput_strided2d, every second ", &Scattered::strided, &Scattered::plain_strided);
  compare("indexed", "bupc_memput_ilist to shuffled places of ", &Scattered::indexed,
          &Scattered::plain_indexed);
  compare("vector", "bupc_memput_vlist, regions of ", &Scattered::vector, &Scattered::plain_vector);
  compare("vector_lists", "bupc_memput_vlist, list to list, regions of ", &Scattered::vector_lists,
          &Scattered::plain_vector_lists);
  compare("vector_get", "bupc_memget_vlist, list to list, regions of ", &Scattered::vector_get,
          &Scattered::plain_vector_get);
  compare("vector_gather", "bupc_memget_vlist, many to one, regions of ", &Scattered::vector_gather,
          &Scattered::plain_vector_gather);
  compare("indexed_lists", "bupc_memput_ilist, list to list, places of ", &Scattered::indexed_lists,
          &Scattered::plain_indexed_lists);
  compare("vector_mixed", "bupc_memput_vlist, regions of 1 to 4 times ", &Scattered::vector_mixed,
          &Scattered::plain_vector_mixed);
}

}  // namespace

void add_scattered(UpcrRows& rows) {
  scattered(rows, 8);
  scattered(rows, 64);
}

}  // namespace perf
