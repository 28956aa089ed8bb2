// SPDX-License-Identifier: BSD-3-Clause
// The rows of upcr_perf and of gasnet_perf: each file of rows/ adds its own to Rows. A row is named after the
// operation; rows of several sizes have the same name.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bench/perf/measure/interleave.hpp"
#include "bench/perf/references/references.hpp"

namespace perf {

class Rows {
 public:
  using Reference = double (References::*)(std::uint64_t);

  // The team and the references outlive the rows.
  Rows(const ThreadTeam& team, References& references) : team_(team), references_(references) {}

  const ThreadTeam& team() const { return team_; }
  References& references() { return references_; }
  std::vector<Case>& cases() { return cases_; }

  void add(std::string name, std::string summary, Burst test, std::string reference_name, Burst reference,
           std::size_t bytes = 0) {
    cases_.push_back({std::move(name), std::move(summary), std::move(test), std::move(reference_name),
                      std::move(reference), bytes});
  }
  void add(std::string name, std::string summary, Burst test, std::string reference_name, Reference reference,
           std::size_t bytes = 0) {
    add(std::move(name), std::move(summary), std::move(test), std::move(reference_name),
        Burst([r = &references_, reference](std::uint64_t n) { return (r->*reference)(n); }), bytes);
  }
  // With a round trip between thread 0 and its partner as reference: of two cache lines or, where there are
  // fewer CPUs than processes, by futex on one CPU. Without a reference where the two share no memory.
  void add_with_ping_pong(std::string name, std::string summary, Burst test, std::size_t bytes = 0) {
    if (references_.can_ping_pong() && references_.oversubscribed())
      add(std::move(name), std::move(summary), std::move(test), "futex", &References::futex_ping_pong, bytes);
    else if (references_.can_ping_pong())
      add(std::move(name), std::move(summary), std::move(test), "two lines", &References::ping_pong, bytes);
    else
      add(std::move(name), std::move(summary), std::move(test), "", Burst(), bytes);
  }
  // An access of 8 bytes. The reference is a plain access where the partner's memory is mapped, else a round
  // trip.
  void add_access(std::string name, std::string summary, Burst test, std::string machine,
                  Reference reference) {
    if (team_.value_of_leader(team_.target_here() != nullptr) != 0)
      add(std::move(name), std::move(summary), std::move(test), std::move(machine), reference, 8);
    else
      add_with_ping_pong(std::move(name), std::move(summary), std::move(test), 8);
  }
  // With a ping-pong with a payload as reference.
  void add_with_copies(std::string name, std::string summary, Burst test,
                       double (References::*reference)(std::uint64_t, std::size_t),
                       std::string reference_name, std::size_t bytes) {
    if (references_.can_ping_pong())
      add(std::move(name), std::move(summary), std::move(test), std::move(reference_name),
          Burst([r = &references_, reference, bytes](std::uint64_t n) { return (r->*reference)(n, bytes); }),
          bytes);
    else
      add(std::move(name), std::move(summary), std::move(test), "", Burst(), bytes);
  }

 private:
  const ThreadTeam& team_;
  References& references_;
  std::vector<Case> cases_;
};

}  // namespace perf
