// SPDX-License-Identifier: BSD-3-Clause
// The rows of upcr_perf.
#pragma once
#include "bench/perf/measure/upcr_thread_team.hpp"
#include "bench/perf/network/cases.hpp"
#include "bench/perf/rows/rows.hpp"

namespace perf {

class UpcrRows : public Rows {
 public:
  // The team and the references outlive the rows.
  UpcrRows(const UpcrThreadTeam& team, References& references) : Rows(team, references), team_(team) {}

  const UpcrThreadTeam& team() const { return team_; }
  // A collective operation, `bytes` of or for each thread. The reference is the network's own where the
  // program has that (network/cases.hpp), else a round trip.
  void add_collective(std::string name, std::string summary, Burst test, Collective collective,
                      std::size_t bytes) {
    NetworkReference reference = network_reference(team(), collective, bytes);
    if (!reference.name.empty())
      add(std::move(name), std::move(summary), std::move(test), std::move(reference.name),
          std::move(reference.burst), bytes);
    else
      add_with_ping_pong(std::move(name), std::move(summary), std::move(test), bytes);
  }

 private:
  const UpcrThreadTeam& team_;
};

// Collective, in the order in which the rows are printed.
void add_accesses(UpcrRows& rows);  // rows/access.cpp
void add_nonblocking(UpcrRows& rows);
void add_pointers(UpcrRows& rows);  // rows/pointers.cpp
void add_copies(UpcrRows& rows);    // rows/copies.cpp
void add_scattered(UpcrRows& rows);
void add_barriers(UpcrRows& rows);  // rows/sync.cpp
void add_atomics(UpcrRows& rows);
void add_locks(UpcrRows& rows);
void add_collectives(UpcrRows& rows);  // rows/collectives.cpp

}  // namespace perf
