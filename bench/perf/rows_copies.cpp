// SPDX-License-Identifier: BSD-3-Clause
// Contiguous copies: upcr_memput and upcr_memget beside memcpy.
#include <memory>

#include "bench/perf/rows.hpp"

namespace perf {
namespace {

void copies(Rows& rows, std::size_t bytes) {
  const upcr_shared_ptr_t target = rows.crew().target();
  const auto buffer = std::make_shared<std::vector<char>>(bytes, 1);
  rows.add(
      "put", "upcr_memput, " + std::to_string(bytes) + " bytes",
      alone(rows.crew(),
            [=](std::uint64_t n) {
              for (std::uint64_t i = 0; i < n; ++i) upcr_memput(target, buffer->data(), bytes);
            }),
      "memcpy", [r = &rows.references(), bytes](std::uint64_t n) { return r->copies_out(n, bytes); }, bytes);
  rows.add(
      "get", "upcr_memget, " + std::to_string(bytes) + " bytes",
      alone(rows.crew(),
            [=](std::uint64_t n) {
              for (std::uint64_t i = 0; i < n; ++i) upcr_memget(buffer->data(), target, bytes);
            }),
      "memcpy", [r = &rows.references(), bytes](std::uint64_t n) { return r->copies_in(n, bytes); }, bytes);
}

}  // namespace

void add_copies(Rows& rows) {
  for (const std::size_t bytes : {4096u, 65536u, 1u << 20}) copies(rows, bytes);
}

}  // namespace perf
