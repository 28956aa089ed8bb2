// SPDX-License-Identifier: BSD-3-Clause
// upcr_scale: the product's barrier, broadcast, reduction, lock and connections with up to 65,536 ranks in
// one process, over a modelled network, and the exchanges of its start by upcrun.
//   upcr_scale [--ranks 2..65536] [--op NAME]... [--network rdma|tcp] [--json FILE] [--check]
//   upcr_scale --tables
// Each number of ranks is simulated by a child process, so that nothing of it is left for the next; two run
// at a time.
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/scale/growth.hpp"
#include "bench/scale/simulator.hpp"
#include "bench/scale/startup.hpp"
#include "bench/scale/windows.hpp"
#include "conduits/core/base/config/config.hpp"
#include "tools/upcrun/remote/tree.hpp"

namespace upcr::scale {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kOps[] = {"barrier", "broadcast", "reduce", "lock", "connect"};
// The exchanges of the start: startup.hpp.
constexpr const char* kStartUp = "startup";
// Not simulated: windows.hpp. Where conduit ibv is built.
constexpr const char* kWindow = "window";
#ifdef UPCR_SCALE_WINDOWS
const std::vector<std::string> kSelectable = {"barrier", "broadcast", "reduce", "lock",
                                              "connect", kStartUp,    kWindow};
#else
const std::vector<std::string> kSelectable = {"barrier", "broadcast", "reduce", "lock", "connect", kStartUp};
#endif
constexpr Rank kMaxRanks = 65536;
// More ranks take minutes, so they are connected only if --op names it.
constexpr Rank kMaxConnected = 16384;

struct Options {
  std::string ranks = "2..65536", json_file, network = "rdma";
  std::vector<std::string> ops;
  std::size_t bytes = 8;
  Model model;
  unsigned fanout = upcrun::kFanout;
  bool check = false, tables = false;
};

[[noreturn]] void fail(const char* text, const std::string& detail) {
  std::fprintf(stderr, "upcr_scale: %s: %s\n", text, detail.c_str());
  std::exit(2);
}

// "64": this number; "2..1024": these two and the powers of two between.
std::vector<Rank> numbers(const std::string& text) {
  char* end = nullptr;
  const unsigned long first = std::strtoul(text.c_str(), &end, 10);
  unsigned long last = first;
  if (std::strncmp(end, "..", 2) == 0) last = std::strtoul(end + 2, &end, 10);
  if (*end != 0 || first < 2 || last < first || last > kMaxRanks)
    fail("--ranks takes a number from 2 to 65536, or two of them as in 2..1024, not", text);
  std::vector<Rank> all;
  for (unsigned long n = first; n < last; n = std::size_t{2} << (63 - __builtin_clzl(n)))
    all.push_back(static_cast<Rank>(n));
  all.push_back(static_cast<Rank>(last));
  return all;
}

bool is_selected(const Options& o, Op op, Rank ranks) {
  const char* const name = kOps[static_cast<int>(op)];
  if (o.ops.empty() && op == Op::kConnect && ranks > kMaxConnected) return false;
  return o.ops.empty() || std::find(o.ops.begin(), o.ops.end(), name) != o.ops.end();
}

Json record(const Options& o, Op op, Rank ranks, const Outcome& r, const Simulator::Footprint& memory) {
  const double seconds = static_cast<double>(r.time) * 1e-9;
  Json j{{"op", kOps[static_cast<int>(op)]},
         {"ranks", ranks},
         {"network", o.network},
         {"messages", r.messages},
         {"bytes", r.bytes},
         {"memory_per_rank", memory.all()},
         {"time", seconds},
         {"most_messages", r.most_messages},
         {"memory", {{"heap", memory.heap}, {"tables", memory.tables}, {"shared", memory.shared}}},
         {"right", r.right}};
  if (op == Op::kConnect) j["connections"] = r.connections;
  return j;
}

#ifdef UPCR_SCALE_WINDOWS
Json window_record(const Options& o, Rank ranks) {
  const Windows w = talk(ranks);
  constexpr unsigned kShareBytes = 16;  // header, share
  return {{"op", kWindow},
          {"ranks", ranks},
          {"network", o.network},
          {"messages", w.messages},
          {"bytes", w.messages * kShareBytes},
          {"memory_per_rank", w.memory},
          {"time", static_cast<double>(w.messages * (o.model.latency + 2 * o.model.overhead)) * 1e-9},
          {"most_messages", w.messages},
          {"connections", w.connections},
          {"requests", w.requests},
          {"right", w.right}};
}
#endif

bool is_start_selected(const Options& o) {
  return o.ops.empty() || std::find(o.ops.begin(), o.ops.end(), kStartUp) != o.ops.end();
}

Json start_record(const Options& o, Rank ranks) {
  const StartUp r = simulate_start(o.model, ranks, o.fanout);
  return {{"op", kStartUp},
          {"ranks", ranks},
          {"network", o.network},
          {"messages", r.messages},
          {"bytes", r.bytes},
          {"memory_per_rank", std::max<std::uint64_t>(r.host_bytes / std::min(ranks, kRanksPerHost), 1)},
          {"time", static_cast<double>(r.time) * 1e-9},
          {"most_messages", r.most_messages},
          {"most_bytes", r.most_bytes},
          {"hosts", r.hosts},
          {"levels", r.levels},
          {"right", r.right}};
}

// In the child: writes one record a line.
void simulate(const Options& o, Rank ranks, std::FILE* to) {
#ifdef UPCR_SCALE_WINDOWS
  if (o.ops.empty() || std::find(o.ops.begin(), o.ops.end(), kWindow) != o.ops.end())
    std::fprintf(to, "%s\n", window_record(o, ranks).dump().c_str());
#endif
  if (is_start_selected(o)) std::fprintf(to, "%s\n", start_record(o, ranks).dump().c_str());
  const auto not_simulated = [](const auto& op) { return op == kWindow || op == kStartUp; };
  if (!o.ops.empty() && std::all_of(o.ops.begin(), o.ops.end(), not_simulated)) return;
  Simulator simulator(o.model, ranks, o.bytes);
  for (int i = 0; i < static_cast<int>(Op::kCount); ++i) {
    const Op op{static_cast<std::uint8_t>(i)};
    if (!is_selected(o, op, ranks)) continue;
    const Outcome outcome = simulator.run(op);
    std::fprintf(to, "%s\n", record(o, op, ranks, outcome, simulator.footprint()).dump().c_str());
    std::fflush(to);
  }
}

struct Child {
  Rank ranks = 0;
  pid_t pid = 0;
  int from = -1;
};

Child start(const Options& o, Rank ranks) {
  int ends[2];
  if (::pipe(ends) != 0) fail("no pipe", std::strerror(errno));
  std::fflush(stdout);
  const pid_t pid = ::fork();
  if (pid < 0) fail("no process", std::strerror(errno));
  if (pid == 0) {
    std::FILE* const to = ::fdopen(ends[1], "w");
    simulate(o, ranks, to);
    std::fclose(to);
    std::_Exit(0);
  }
  ::close(ends[1]);
  return {ranks, pid, ends[0]};
}

// Called after the child has ended: its few lines fit in the pipe.
std::vector<Json> read_records(const Child& child) {
  std::vector<Json> records;
  std::FILE* const from = ::fdopen(child.from, "r");
  char line[4096];
  while (std::fgets(line, sizeof line, from) != nullptr) records.push_back(Json::parse(line));
  std::fclose(from);
  return records;
}

std::string how_it_failed(Rank ranks, int status) {
  const std::string with = "with " + std::to_string(ranks) + " ranks: ";
  if (!WIFSIGNALED(status)) return with + "exit status " + std::to_string(WEXITSTATUS(status));
  const bool killed = WTERMSIG(status) == SIGKILL;
  return with + ::strsignal(WTERMSIG(status)) + (killed ? " (too little memory?)" : "");
}

// Two at a time, the largest first, because it takes as long as all others together.
std::map<Rank, std::vector<Json>> simulate_all(const Options& o) {
  std::vector<Rank> waiting = numbers(o.ranks);
  std::vector<Child> running;
  std::map<Rank, std::vector<Json>> all;
  while (!waiting.empty() || !running.empty()) {
    while (running.size() < 2 && !waiting.empty()) {
      running.push_back(start(o, waiting.back()));
      waiting.pop_back();
    }
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, 0);
    const auto child =
        std::find_if(running.begin(), running.end(), [=](const Child& c) { return c.pid == ended; });
    if (child == running.end()) continue;
    if (status != 0) fail("the simulation has failed", how_it_failed(child->ranks, status));
    all[child->ranks] = read_records(*child);
    running.erase(child);
  }
  return all;
}

void print_head() {
  std::printf("%-10s %7s %11s %9s %13s %9s %12s %12s\n", "op", "ranks", "messages", "most/rank", "bytes",
              "links", "memory/rank", "time us");
}

void print(const Json& r) {
  std::printf("%-10s %7u %11llu %9llu %13llu %9s %12llu %12.2f%s\n", r["op"].get<std::string>().c_str(),
              r["ranks"].get<unsigned>(), r["messages"].get<unsigned long long>(),
              r["most_messages"].get<unsigned long long>(), r["bytes"].get<unsigned long long>(),
              r.contains("connections") ? r["connections"].dump().c_str() : "-",
              r["memory_per_rank"].get<unsigned long long>(), r["time"].get<double>() * 1e6,
              r["right"].get<bool>() ? "" : "  WRONG RESULT");
  std::fflush(stdout);
}

// The expected growth of a figure, and from how many ranks on: below that number the algorithm is another one
// (a barrier of up to 64 groups is one round of messages from each to each).
struct ExpectedGrowth {
  const char* op;
  const char* what;
  double (*figure)(const Json& record);
  Growth growth;
  unsigned from;
};

double number(const Json& r, const char* name) { return r[name].get<double>(); }
const ExpectedGrowth kExpected[] = {
    {"barrier", "time", [](const Json& r) { return number(r, "time"); }, Growth::kLogarithmic, 64},
    {"barrier", "messages of a rank", [](const Json& r) { return number(r, "most_messages"); },
     Growth::kLogarithmic, 64},
    {"broadcast", "time", [](const Json& r) { return number(r, "time"); }, Growth::kLogarithmic, 16},
    {"broadcast", "most messages of a rank", [](const Json& r) { return number(r, "most_messages"); },
     Growth::kLogarithmic, 16},
    {"reduce", "time", [](const Json& r) { return number(r, "time"); }, Growth::kLogarithmic, 16},
    {"lock", "messages of an acquisition",
     [](const Json& r) { return number(r, "messages") / number(r, "ranks"); }, Growth::kConstant, 16},
    {"lock", "time of an acquisition", [](const Json& r) { return number(r, "time") / number(r, "ranks"); },
     Growth::kConstant, 16},
    {"connect", "connections of a rank", [](const Json& r) { return number(r, "connections"); },
     Growth::kLogarithmic, 64},
    {"barrier", "memory of a rank but for tables",
     [](const Json& r) { return number(r, "memory_per_rank") - number(r["memory"], "tables"); },
     Growth::kConstant, 64},
    {"barrier", "tables of a rank", [](const Json& r) { return number(r["memory"], "tables"); },
     Growth::kLinear, 64},
    {kWindow, "memory of receives and queues", [](const Json& r) { return number(r, "memory_per_rank"); },
     Growth::kConstant, 512},
    // A reply has something of each rank, and goes to as many places below as the fan-out allows. Up to that
    // many hosts upcrun alone serves all.
    {kStartUp, "bytes at the busiest place", [](const Json& r) { return number(r, "most_bytes"); },
     Growth::kLinear, upcrun::kFanout* kRanksPerHost},
    {kStartUp, "messages at the busiest place", [](const Json& r) { return number(r, "most_messages"); },
     Growth::kConstant, upcrun::kFanout* kRanksPerHost},
    {kStartUp, "messages for each rank",
     [](const Json& r) { return number(r, "messages") / number(r, "ranks"); }, Growth::kConstant,
     upcrun::kFanout* kRanksPerHost},
    {kStartUp, "levels of the tree", [](const Json& r) { return number(r, "levels"); }, Growth::kLogarithmic,
     upcrun::kFanout* kRanksPerHost},
};

// False: a figure grows faster than expected, or a result is wrong.
bool check(const std::vector<Json>& records) {
  bool good = true;
  for (const Json& r : records) good &= r["right"].get<bool>();
  for (const Json& r : records)  // peers that talk have their whole windows, in a job of any size
    if (r["op"] == kWindow) good &= r["requests"] == 32u;
  std::printf(good ? "\nall results are right\n" : "\nWRONG RESULTS\n");
  for (const ExpectedGrowth& c : kExpected) {
    Points points;
    for (const Json& r : records)
      if (r["op"] == c.op && r["ranks"] >= c.from) points.emplace_back(number(r, "ranks"), c.figure(r));
    const Fit f = fit(points);
    if (!f.enough) continue;
    const bool kept = f.exponent <= limit_of(c.growth);
    good &= kept;
    std::printf("%-9s %-34s %-11s %-5s ranks^%.2f (at most %.2f) from %u ranks on", c.op, c.what,
                to_string(c.growth), kept ? "yes:" : "NO:", f.exponent, limit_of(c.growth), c.from);
    if (c.growth == Growth::kLogarithmic)
      std::printf("; %.3g + %.3g log2(ranks) to %.0f %%", f.a, f.b, 100 * f.max_deviation);
    std::printf("\n");
  }
  return good;
}

int parse(int argc, char** argv, Options* o) {
  CLI::App app(
      "The runtime's algorithms with many ranks, over a modelled network (docs/explanation/scaling.md).",
      "upcr_scale");
  app.add_option("--ranks", o->ranks, "a number, or A..B: these and the powers of two between")
      ->capture_default_str();
  app.add_option("--op", o->ops, "this one only (may be repeated)")->check(CLI::IsMember(kSelectable));
  app.add_option("--bytes", o->bytes, "of a broadcast")
      ->check(CLI::Range(std::size_t{1}, kSegment / 4))
      ->capture_default_str();
  app.add_option("--network", o->network, "the model: rdma or tcp")
      ->check(CLI::IsMember({"rdma", "tcp"}))
      ->capture_default_str();
  double latency = -1, overhead = -1, gap = -1, per_byte = -1, connecting = -1;
  app.add_option("--latency", latency, "of the model: nanoseconds on the way");
  app.add_option("--overhead", overhead,
                 "of the model: nanoseconds of a processor for each message, at each end");
  app.add_option("--gap", gap, "of the model: nanoseconds of a port for each message");
  app.add_option("--per-byte", per_byte, "of the model: nanoseconds of a port for each byte");
  app.add_option("--connecting", connecting,
                 "of the model: nanoseconds of a processor for each message of a handshake");
  app.add_option("--json", o->json_file, "write the results to this file");
  app.add_option("--fanout", o->fanout, "of startup: UPCRUN_FANOUT")
      ->check(CLI::Range(1u, 1u << 20))
      ->capture_default_str();
  app.add_flag("--tables", o->tables, "print the memory of a host and of a process for tables of all ranks");
  app.add_flag("--check", o->check,
               "print how each figure grows; status 1 if one grows faster than expected");
  CLI11_PARSE(app, argc, argv);
  o->model = o->network == "tcp" ? kTcp : kRdma;
  if (latency >= 0) o->model.latency = static_cast<Nanos>(latency);
  if (overhead >= 0) o->model.overhead = static_cast<Nanos>(overhead);
  if (gap >= 0) o->model.gap = static_cast<Nanos>(gap);
  if (per_byte >= 0) o->model.per_byte = per_byte;
  if (connecting >= 0) o->model.connecting = static_cast<Nanos>(connecting);
  return -1;
}

int main_of(int argc, char** argv) {
  Options o;
  if (const int status = parse(argc, argv, &o); status >= 0) return status;
  if (o.tables) {
    std::fputs(tables_of_memory().c_str(), stdout);
    return 0;
  }
  // The tree alone, without the barriers around it that are measured by themselves: such a call would be
  // flat.
  ::setenv("UPCR_COLL_BROADCAST", "knomial", 0);
  ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  configure();
  std::vector<Json> records;
  print_head();
  for (auto& [ranks, some] : simulate_all(o))
    for (Json& r : some) {
      print(r);
      records.push_back(std::move(r));
    }
  if (!o.json_file.empty()) {
    std::ofstream file(o.json_file);
    file << Json(records).dump(1) << '\n';
    if (!file) fail("cannot write", o.json_file);
  }
  return o.check && !check(records) ? 1 : 0;
}

}  // namespace
}  // namespace upcr::scale

int main(int argc, char** argv) { return upcr::scale::main_of(argc, argv); }
