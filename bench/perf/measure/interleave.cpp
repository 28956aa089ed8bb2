// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/measure/interleave.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace perf {
namespace {

constexpr double kTolerance = 0.15;
constexpr unsigned kMaxRepeats = 4,
                   kSteadyShare = 3;  // measure until one of kSteadyShare triples is steady
constexpr unsigned kMinTriples = 3;   // triples, whatever their time

// The quantile `part` of the values.
double quantile(std::vector<double> values, double part) {
  const auto index = static_cast<std::size_t>(part * static_cast<double>(values.size()));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(index), values.end());
  return values[index];
}
double median(const std::vector<double>& values) { return quantile(values, 0.5); }

double spread(const std::vector<double>& values) { return quantile(values, 0.75) - quantile(values, 0.25); }

double run(const ThreadTeam& team, const Burst& burst, std::uint64_t n) {
  team.barrier();
  return std::max(burst(n), 1.0);
}

// The number of operations of a burst.
std::uint64_t calibrate(const ThreadTeam& team, const Burst& burst, const Effort& effort,
                        std::uint64_t min_operations) {
  const double wanted = effort.burst_us * 1000.0;
  for (std::uint64_t n = min_operations;;) {
    const double took = run(team, burst, n);
    const double grow = std::clamp(wanted / took, 0.0, 16.0);
    const std::uint64_t next = team.value_of_leader(
        grow <= 1.5 ? 0 : static_cast<std::uint64_t>(std::ceil(static_cast<double>(n) * grow)));
    if (next == 0) return n;
    n = next;
  }
}

struct Triple {
  double before, test, after;
  double reference() const { return (before + after) / 2; }
  bool steady() const { return std::abs(before - after) <= kTolerance * std::min(before, after); }
};

}  // namespace

double now_ns() {
  return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                 std::chrono::steady_clock::now().time_since_epoch())
                                 .count());
}

Result measure(const ThreadTeam& team, const Case& c, const Effort& effort) {
  Result r{c.name, c.reference_name, c.bytes};
  r.why_not = c.why_not;
  if (!c.why_not.empty()) return r;
  const bool compared = !c.reference_name.empty();
  const double ends = now_ns() + effort.seconds * 1e9;
  const std::uint64_t n = calibrate(team, c.test, effort, c.min_operations);
  const std::uint64_t m = compared ? calibrate(team, c.reference, effort, c.min_operations) : 0;
  std::vector<Triple> all, steady;
  const double begin = now_ns(), planned = 3e3 * effort.burst_us * effort.triples;
  const auto go_on = [&] {
    const bool late = all.size() >= kMinTriples && now_ns() > ends;
    const bool enough = !compared || steady.size() * kSteadyShare >= effort.triples ||
                        all.size() >= kMaxRepeats * effort.triples ||
                        now_ns() - begin > kMaxRepeats * planned;
    return team.value_of_leader(!late && (all.size() < effort.triples || !enough)) != 0;
  };
  while (go_on()) {
    Triple t{};
    if (compared) t.before = run(team, c.reference, m) / static_cast<double>(m);
    t.test = run(team, c.test, n) / static_cast<double>(n);
    if (compared) t.after = run(team, c.reference, m) / static_cast<double>(m);
    all.push_back(t);
    if (t.steady()) steady.push_back(t);
  }
  r.triples = static_cast<unsigned>(all.size());
  r.kept = static_cast<unsigned>(steady.size());
  std::vector<double> tests, references, ratios;
  for (const Triple& t : steady.empty() ? all : steady) {
    tests.push_back(t.test);
    references.push_back(t.reference());
    ratios.push_back(compared ? t.test / t.reference() : 0);
  }
  r.ns = median(tests);
  r.spread_ns = spread(tests);
  r.reference_ns = median(references);
  r.ratio = median(ratios);
  r.ratio_spread = spread(ratios);
  return r;
}

}  // namespace perf
