// SPDX-License-Identifier: BSD-3-Clause
// The rows of gasnet_perf.
#pragma once
#include "bench/gasnet/gasnet_thread_team.hpp"
#include "bench/perf/rows/rows.hpp"

namespace perf {

class GasnetRows : public Rows {
 public:
  // The team and the references outlive the rows.
  GasnetRows(const GasnetThreadTeam& team, References& references) : Rows(team, references), team_(team) {}

  const GasnetThreadTeam& team() const { return team_; }

 private:
  const GasnetThreadTeam& team_;
};

// Collective, in the order in which the rows are printed.
void add_calls(GasnetRows& rows);     // rows_calls.cpp
void add_messages(GasnetRows& rows);  // rows_messages.cpp
void add_crowd(GasnetRows& rows);
// Beside the network's own interface in the same processes, where the program has it: mpi_messages.cpp,
// ibv_messages.cpp; network_none.cpp adds nothing.
void add_network_messages(GasnetRows& rows);

}  // namespace perf
