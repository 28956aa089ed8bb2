// SPDX-License-Identifier: BSD-3-Clause
// upcr_perf: what the operations of UPC cost, as ratios to what the machine does in the same milliseconds.
//   upcrun -n 2 upcr_perf [-t NAME]... [--json FILE]
#include <sys/utsname.h>
#include <upcr.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/perf/cases.hpp"
#include "bench/perf/messages.hpp"
#include "bench/perf/network_cases.hpp"

namespace perf {
namespace {

// Without -t: all rows together, on a busy machine too. A row may take so many times what is left for each,
// since most take less.
constexpr double kSecondsForAll = 100, kShare = 2;

struct Options {
  std::vector<std::string> wanted;
  std::string json_file;
  bool list = false;
  Effort effort;
};

// Every thread parses the same words; thread 0 speaks. No value: the program is to end with *status.
std::optional<Options> parse(const Crew& crew, int argc, char** argv, int* status) {
  Options o;
  CLI::App app("Latencies of UPC operations beside references measured in the same run.", "upcr_perf");
  app.add_option("-t,--test", o.wanted, "measure this one only, NAME or NAME:BYTES (may be repeated)");
  app.add_option("--json", o.json_file, "write a list of records to this file");
  app.add_option("--triples", o.effort.triples, "bursts of reference, test, reference for each test")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("--burst-us", o.effort.burst_us, "length of a burst in microseconds")
      ->check(CLI::Range(1, 10000000))
      ->capture_default_str();
  app.add_flag("-l,--list", o.list, "print what can be measured here, and end");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    *status = e.get_exit_code();
    if (crew.leads()) *status = app.exit(e);
    return std::nullopt;
  }
  return o;
}

// A wanted word is a row's name, or name:bytes for one of its sizes.
bool names(const std::string& word, const Case& c) {
  return word == c.name || word == c.name + ':' + std::to_string(c.bytes);
}

bool wants(const Options& o, const Case& c) {
  return o.wanted.empty() || std::any_of(o.wanted.begin(), o.wanted.end(),
                                         [&](const std::string& word) { return names(word, c); });
}

// The first wanted word that names no case.
const std::string* unknown(const Options& o, const std::vector<Case>& cases) {
  for (const std::string& word : o.wanted)
    if (std::none_of(cases.begin(), cases.end(), [&](const Case& c) { return names(word, c); })) return &word;
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

// What /proc/cpuinfo calls this machine's CPUs; else the kind of machine.
std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname machine;
  return uname(&machine) == 0 ? machine.machine : "";
}

// One record is complete in itself, times in seconds. What could not be measured has "why_not" instead of
// times.
nlohmann::json to_json(const Crew& crew, const Result& r) {
  nlohmann::json j{
      {"name", r.name},        {"size", r.bytes},           {"conduit", conduit_name()},
      {"ranks", upcr_nodes()}, {"threads", crew.threads()}, {"partner_mapped", crew.target_here() != nullptr},
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
int measure_all(const Crew& crew, const Options& o, std::vector<Case>& cases) {
  if (crew.leads())
    std::printf(
        "upcr %s, conduit %s: %u UPC threads in %u processes; thread 0 with thread %u, whose memory is %s\n",
        UPCR_VERSION, conduit_name(), crew.threads(), upcr_nodes(), crew.partner(),
        crew.target_here() != nullptr ? "mapped" : "reached by messages");
  nlohmann::json records = nlohmann::json::array();
  const double ends = now_ns() + kSecondsForAll * 1e9;
  auto left = static_cast<double>(cases.size());
  for (Case& c : cases) {
    if (!wants(o, c)) continue;
    Effort effort = o.effort;
    if (o.wanted.empty()) effort.seconds = kShare * (ends - now_ns()) * 1e-9 / left--;
    const Result r = measure(crew, c, effort);
    c.test = c.reference = nullptr;
    if (!crew.leads()) continue;
    print(r);
    records.push_back(to_json(crew, r));
  }
  if (!crew.leads() || o.json_file.empty()) return 0;
  std::ofstream file(o.json_file);
  file << records.dump(1) << '\n';
  file.close();
  if (file) return 0;
  std::fprintf(stderr, "upcr_perf: cannot write %s\n", o.json_file.c_str());
  return 1;
}

int run(int argc, char** argv) {
  if (upcri_mypthread() == 0) register_messages();
  const Crew crew;
  int status = 0;
  const std::optional<Options> options = parse(crew, argc, argv, &status);
  if (!options) return status;
  References references(crew);
  std::vector<Case> cases = make_cases(crew, references);
  if (const std::string* name = unknown(*options, cases)) {
    if (crew.leads())
      std::fprintf(stderr, "upcr_perf: there is no test '%s' here; upcr_perf --list prints them\n",
                   name->c_str());
    return 2;
  }
  if (options->list) {
    for (const Case& c : cases)
      if (crew.leads()) std::printf("%-20s %9zu  %s\n", c.name.c_str(), c.bytes, c.summary.c_str());
    return 0;
  }
  return measure_all(crew, *options, cases);
}

}  // namespace
}  // namespace perf

int main(int argc, char** argv) {
  perf::start_network();
  bupc_init_reentrant(&argc, &argv, &perf::run);
  return 1;  // not reached
}
