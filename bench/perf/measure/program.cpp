// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/measure/program.hpp"

#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace perf {
namespace {

// Without -t: the seconds of all rows together, on a busy machine too. A row may take kShare times its share
// of the time that is left, since most rows take less.
constexpr double kSecondsForAll = 100, kShare = 2;
constexpr unsigned kMaxThreads = 64;

// `word` is a row's name, or name:bytes for one of its sizes.
bool matches(const std::string& word, const Case& c) {
  return word == c.name || word == c.name + ':' + std::to_string(c.bytes);
}

bool selected(const Options& o, const Case& c) {
  return o.selected.empty() || std::any_of(o.selected.begin(), o.selected.end(),
                                           [&](const std::string& word) { return matches(word, c); });
}

// The first name in the options that matches no case.
const std::string* unknown(const Options& o, const std::vector<Case>& cases) {
  for (const std::string& word : o.selected)
    if (std::none_of(cases.begin(), cases.end(), [&](const Case& c) { return matches(word, c); }))
      return &word;
  return nullptr;
}

void print(const Result& r) {
  if (!r.why_not.empty())
    std::printf("%-20s %9zu B not measured: %s\n", r.name.c_str(), r.bytes, r.why_not.c_str());
  else if (r.reference_name.empty())
    std::printf("%-20s %9zu B %12.1f ns   (no reference)\n", r.name.c_str(), r.bytes, r.ns);
  else
    std::printf("%-20s %9zu B %12.1f ns   %8.2f +- %-5.2f x %-22s %12.1f ns   %u of %u steady\n",
                r.name.c_str(), r.bytes, r.ns, r.ratio, r.ratio_spread / 2, r.reference_name.c_str(),
                r.reference_ns, r.kept, r.triples);
  std::fflush(stdout);
}

// The CPU's model in /proc/cpuinfo; without one, the architecture.
std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname machine;
  return uname(&machine) == 0 ? machine.machine : "";
}

// One record, with times in seconds, or with "why_not" instead of times.
nlohmann::json to_json(const JobFacts& job, const ThreadTeam& team, const Result& r) {
  nlohmann::json j{{"name", r.name},
                   {"size", r.bytes},
                   {"conduit", job.conduit},
                   {"ranks", team.processes()},
                   {"threads", team.threads()},
                   {"partner_mapped", team.target_here() != nullptr},
                   {"cpu", cpu_model()}};
  if (!r.why_not.empty()) {
    j["why_not"] = r.why_not;
    return j;
  }
  j.update(
      {{"median", r.ns * 1e-9}, {"spread", r.spread_ns * 1e-9}, {"kept", r.kept}, {"triples", r.triples}});
  if (!r.reference_name.empty()) {
    j["reference"] = r.reference_name;
    j["reference_median"] = r.reference_ns * 1e-9;
    j["ratio"] = r.ratio;
    j["ratio_spread"] = r.ratio_spread;
  }
  return j;
}

// All threads are done with a case at the same time: what its bursts hold is given back then
// (interleave.hpp).
int measure_all(const Program& program, const JobFacts& job, const ThreadTeam& team, const Options& o,
                std::vector<Case>& cases) {
  if (team.leads())
    std::printf("%s, conduit %s: %u threads in %u processes; thread 0 with thread %u, whose memory is %s\n",
                job.headline.c_str(), job.conduit, team.threads(), team.processes(), team.partner(),
                team.target_here() != nullptr ? "mapped" : "reached by messages");
  nlohmann::json records = nlohmann::json::array();
  const double ends = now_ns() + kSecondsForAll * 1e9;
  auto left = static_cast<double>(cases.size());
  for (Case& c : cases) {
    if (!selected(o, c)) continue;
    Effort effort = o.effort;
    if (o.selected.empty()) effort.seconds = kShare * (ends - now_ns()) * 1e-9 / left--;
    const Result r = measure(team, c, effort);
    c.test = c.reference = nullptr;
    if (!team.leads()) continue;
    print(r);
    records.push_back(to_json(job, team, r));
  }
  if (!team.leads() || o.json_file.empty()) return 0;
  std::ofstream file(o.json_file);
  file << records.dump(1) << '\n';
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "%s: cannot write %s\n", program.name, o.json_file.c_str());
  return 1;
}

}  // namespace

std::optional<Options> parse(const Program& program, bool prints, int argc, char** argv, int* status) {
  Options o;
  CLI::App app(program.summary, program.name);
  app.add_option("-t,--test", o.selected, "measure this one only, NAME or NAME:BYTES (may be repeated)");
  app.add_option("--json", o.json_file, "write a list of records to this file");
  app.add_option("--triples", o.effort.triples, "bursts of reference, test, reference for each test")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--burst-us", o.effort.burst_us, "length of a burst in microseconds")
      ->check(CLI::Range(1, 10000000))
      ->capture_default_str();
  if (program.chooses_threads)
    app.add_option("--threads", o.threads, "threads of each process")
        ->check(CLI::Range(1u, kMaxThreads))
        ->capture_default_str();
  app.add_flag("-l,--list", o.list, "print what can be measured here, and end");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    *status = e.get_exit_code();
    if (prints) *status = app.exit(e);
    return std::nullopt;
  }
  return o;
}

int run_cases(const Program& program, const JobFacts& job, const ThreadTeam& team, const Options& options,
              std::vector<Case>& cases) {
  if (const std::string* name = unknown(options, cases)) {
    if (team.leads())
      std::fprintf(stderr, "%s: there is no test '%s' here; %s --list prints them\n", program.name,
                   name->c_str(), program.name);
    return 2;
  }
  if (options.list) {
    for (const Case& c : cases)
      if (team.leads()) std::printf("%-20s %9zu  %s\n", c.name.c_str(), c.bytes, c.summary.c_str());
    return 0;
  }
  return measure_all(program, job, team, options, cases);
}

}  // namespace perf
