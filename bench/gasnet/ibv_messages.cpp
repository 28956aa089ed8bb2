// SPDX-License-Identifier: BSD-3-Clause
// Active messages over conduit ibv beside messages of plain verbs between the same pairs of nodes, each pair
// on a connection of its own (bench/perf/verbs/pairs.hpp).
#include "bench/gasnet/gasnet_rows.hpp"
#include "bench/gasnet/messages.hpp"
#include "bench/perf/verbs/pairs.hpp"

namespace perf {
namespace {

// The state of one thread; lives as long as the cases.
struct PairState {
  explicit PairState(const GasnetThreadTeam& c)
      : team(c), pairs(std::make_shared<const Pairs>(c)), data(kLargestMessage, 1) {}
  const GasnetThreadTeam& team;
  const std::shared_ptr<const Pairs> pairs;
  VerbsLink link;
  std::vector<char> data;
};

// bytes == 0: Short.
void messages(GasnetRows& rows, const std::shared_ptr<PairState>& state, const std::string& why_not,
              const char* name, std::size_t bytes) {
  if (bytes > gasnet_AMMaxMedium()) return;
  Burst test = both_sides(state->pairs, [state, bytes](std::uint64_t n) {
    if (state->pairs->leads())
      send_requests(state->team.node_of(state->pairs->peer()), {.data = state->data.data(), .bytes = bytes},
                    n);
    else
      serve_requests(n);
  });
  const std::size_t raw = bytes != 0 ? bytes : 8;
  Burst reference = both_sides(state->pairs, [state, raw](std::uint64_t n) {
    state->link.round_trips(n, raw, state->pairs->leads());
  });
  rows.add(name,
           bytes == 0 ? "Short request and reply"
                      : "Medium request and reply, " + std::to_string(bytes) + " bytes each",
           std::move(test), "verbs send", std::move(reference), raw);
  rows.cases().back().why_not = why_not;
}

}  // namespace

void add_network_messages(GasnetRows& rows) {
  const GasnetThreadTeam& team = rows.team();
  const VerbsPort port = find_verbs_port();
  std::string why_not = verbs_obstacle(team, port);
  if (why_not.empty() && team.threads_of_node() > 1) why_not = "it takes one thread a node";
  const auto state = std::make_shared<PairState>(team);
  if (why_not.empty()) connect_pairs(team, *state->pairs, port, state->link);
  messages(rows, state, why_not, "ibv_am_short", 0);
  messages(rows, state, why_not, "ibv_am_512", 512);
  messages(rows, state, why_not, "ibv_am_4k", 4096);
}

}  // namespace perf
