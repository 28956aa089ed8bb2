// SPDX-License-Identifier: BSD-3-Clause
// Calls that thread 0 makes by itself, on the partner's memory; the other threads serve the network
// meanwhile.
#include <cstring>
#include <memory>

#include "bench/gasnet/call_rows.h"
#include "bench/gasnet/gasnet_rows.hpp"

namespace perf {
namespace {

static_assert(CALL_BYTES < ThreadTeam::kBlockBytes);  // the team's word is behind it

Burst burst(const GasnetThreadTeam& team, std::shared_ptr<char[]> memory, call_t call, void (*prepare)()) {
  return [&team, memory = std::move(memory), call, prepare](std::uint64_t n) {
    if (!team.leads()) return 1.0;
    if (prepare != nullptr) prepare();
    const double start = now_ns();
    for (std::uint64_t i = 0; i < n; ++i) call(i);
    return now_ns() - start;
  };
}

// Where the callbacks of C put their rows.
struct Sink {
  GasnetRows& rows;
  std::shared_ptr<char[]> memory;  // private memory that all of them use
};

void add(void* state, const char* name, const char* summary, std::size_t size, const char* against,
         call_t body, call_t reference, void (*prepare)()) {
  const auto& [rows, memory] = *static_cast<Sink*>(state);
  rows.add(name, summary, burst(rows.team(), memory, body, prepare), against,
           burst(rows.team(), memory, reference, prepare), size);
}

}  // namespace

void add_calls(GasnetRows& rows) {
  const GasnetThreadTeam& team = rows.team();
  if (team.threads_of_node() > 1) return;  // what the rows in C work on is static
  Sink sink{rows, std::shared_ptr<char[]>(new char[2 * CALL_BYTES])};
  std::memset(sink.memory.get(), 1, 2 * CALL_BYTES);
  const call_memory_t memory{team.node_of(team.partner()), team.block_of(team.partner()), sink.memory.get(),
                             sink.memory.get() + CALL_BYTES};
  list_calls(&memory, add, &sink);
  list_scattered(&memory, add, &sink);
}

}  // namespace perf
