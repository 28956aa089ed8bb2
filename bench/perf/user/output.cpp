// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/user/output.hpp"

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace perf::user {

void print_head(const Machine& machine, const Job& job) {
  std::printf("# upcr_perf, %s\n", job.version.c_str());
  for (const auto& [name, value] : machine.facts) std::printf("# %-12s %s\n", name.c_str(), value.c_str());
  std::printf("# %-12s conduit %s, %u UPC threads in %u processes, the partner's memory is %s\n", "job",
              job.conduit.c_str(), job.threads, job.processes, job.mapped ? "mapped" : "not mapped");
  if (machine.busy())
    std::printf(
        "# WARNING      the load of %.1f on %u cores is above %.1f a core: other programs are in these figures\n",
        machine.load, machine.cores, Machine::kMaxLoad);
}

void print_title(const Test& test, const Shape& shape, const Job& job) {
  std::printf("\n# %s: %s", test.name, test.summary);
  if (test.pairwise) {
    std::printf("; %u pair%s", shape.pairs, shape.pairs == 1 ? "" : "s");
    if (!test.latency) std::printf(", window %u", shape.window);
    if (shape.bidirectional) std::printf(", bidirectional");
  } else {
    std::printf("; %u threads", job.threads);
  }
  std::printf("\n%-10s", "# Size");
  if (test.latency)
    std::printf("%20s%12s%12s%12s%12s%12s%12s\n", "Latency (us)", "min", "p50", "p90", "p99", "p99.9", "max");
  else
    std::printf("%20s%20s%16s\n", "Bandwidth (MB/s)", "Messages/s", "+- MB/s");
}

void print(const Test& test, const Figure& f) {
  std::printf("%-10zu", f.size);
  if (test.latency)
    std::printf("%20.3f%12.3f%12.3f%12.3f%12.3f%12.3f%12.3f\n", f.average * 1e6, f.least * 1e6, f.p50 * 1e6,
                f.p90 * 1e6, f.p99 * 1e6, f.p999 * 1e6, f.most * 1e6);
  else
    std::printf("%20.2f%20.0f%16.2f\n", f.bytes_per_second * 1e-6, f.operations_per_second,
                f.spread / 2 * 1e-6);
  std::fflush(stdout);
}

bool write_json(const std::string& file, const Machine& machine, const Job& job,
                const std::vector<Figure>& figures) {
  nlohmann::json about{{"cores", machine.cores}, {"load_before", machine.load}};
  for (const auto& [name, value] : machine.facts) {
    std::string key = name == "CPU" ? "processor" : name;
    if (key == "cores" || key == "load before") continue;
    if (key == "MPI") key = "mpi";
    about[key] = value;
  }
  nlohmann::json results = nlohmann::json::array();
  for (const Figure& f : figures) {
    const bool latency = f.group != 0;
    nlohmann::json r{{"name", f.test},
                     {"size", f.size},
                     {"conduit", job.conduit},
                     {"ranks", job.processes},
                     {"threads", job.threads},
                     {"partner_mapped", job.mapped},
                     {"pairs", f.shape.pairs},
                     {"bidirectional", f.shape.bidirectional},
                     {"operations", f.operations},
                     {"spread", f.spread}};
    if (latency)
      r.update({{"median", f.p50},
                {"average", f.average},
                {"min", f.least},
                {"p90", f.p90},
                {"p99", f.p99},
                {"p99.9", f.p999},
                {"max", f.most},
                {"group", f.group}});
    else
      r.update({{"median", f.bytes_per_second * 1e-6},
                {"spread", f.spread * 1e-6},
                {"unit", "MB/s"},
                {"window", f.shape.window},
                {"messages_per_second", f.operations_per_second}});
    results.push_back(std::move(r));
  }
  std::ofstream out(file);
  out << nlohmann::json{{"upcr", job.version}, {"machine", about}, {"results", results}}.dump(1) << '\n';
  out.close();
  return static_cast<bool>(out);
}

}  // namespace perf::user
