// SPDX-License-Identifier: BSD-3-Clause
// Active messages: round trips.
#include <memory>

#include "bench/perf/messages.hpp"
#include "bench/perf/rows.hpp"

namespace perf {
namespace {

void messages(Rows& rows, const char* name, std::size_t bytes) {
  if (bytes > largest_medium()) return;
  const auto buffer = std::make_shared<std::vector<char>>(bytes, 1);
  Burst test = [&crew = rows.crew(), buffer](std::uint64_t n) {
    if (!crew.takes_part()) return 1.0;
    if (!crew.leads()) {
      serve(n + kWarmUp);
      return 1.0;
    }
    ask(crew.partner(), buffer->data(), buffer->size(), kWarmUp);
    const double start = now_ns();
    ask(crew.partner(), buffer->data(), buffer->size(), n);
    return now_ns() - start;
  };
  const std::string summary = bytes == 0
                                  ? "Short request and reply"
                                  : "Medium request and reply, " + std::to_string(bytes) + " bytes each";
  if (bytes == 0 || !rows.references().can_ping_pong())
    rows.add_with_ping_pong(name, summary, std::move(test), bytes);
  else
    rows.add(
        name, summary, std::move(test), "ping-pong with copies",
        [r = &rows.references(), bytes](std::uint64_t n) { return r->ping_pong_copy(n, bytes); }, bytes);
}

}  // namespace

void add_messages(Rows& rows) {
  const Crew& crew = rows.crew();
  if (!crew.has_partner() || crew.agree(in_other_process(crew.partner())) == 0) return;
  messages(rows, "am_short", 0);
  messages(rows, "am_medium", 512);
  messages(rows, "am_medium", 4096);
}

}  // namespace perf
