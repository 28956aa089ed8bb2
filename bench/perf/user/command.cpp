// SPDX-License-Identifier: BSD-3-Clause
// The command line of a user's measurement, and the jobs that it starts.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "bench/perf/user/user.hpp"

namespace perf::user {
namespace {

constexpr unsigned kMaxWindow = 1u << 20;

std::string summary() {
  std::string text =
      "Measures TEST[:SIZES]... (put:8..4M, get:8,64K) between pairs of UPC threads: upcrun -n 2 upcr_perf put. "
      "Tests:";
  for (const Test& test : tests()) text += std::string("\n  ") + test.name + ": " + test.summary;
  return text;
}

bool known(const std::string& name) {
  return std::any_of(tests().begin(), tests().end(), [&](const Test& test) { return name == test.name; });
}

int run_one(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = 0;
  if (const int error = posix_spawnp(&pid, arguments[0], nullptr, nullptr, arguments.data(), environ);
      error != 0) {
    std::fprintf(stderr, "upcr_perf: cannot run %s: %s\n", arguments[0], std::strerror(error));
    return 1;
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The upcrun of the same installation, or the one in PATH.
std::string upcrun(const std::filesystem::path& self) {
  std::error_code error;
  const auto beside = self.parent_path() / "upcrun";
  return std::filesystem::exists(beside, error) ? beside.string() : "upcrun";
}

// FILE of --json for one of several jobs: "out.json" becomes "out.mpi.4.json".
std::string json_of(const std::string& file, const std::string& conduit, unsigned threads) {
  const std::filesystem::path path(file);
  return (path.parent_path() /
          (path.stem().string() + "." + conduit + "." + std::to_string(threads) + path.extension().string()))
      .string();
}

}  // namespace

bool is_asked(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return false;
  if (words[0][0] != '-') return true;  // a test, perhaps misspelt
  const auto of_rows = [](const std::string& word) { return word == "-t" || word == "--test"; };
  return std::none_of(words.begin(), words.end(), of_rows) &&
         std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return known(word.substr(0, word.find(':'))); });
}

std::optional<Command> parse(bool prints, int argc, char** argv, int* status) {
  Command command;
  std::vector<std::string> words;
  std::vector<std::string> pairs;
  CLI::App app(summary(), "upcr_perf");
  app.add_option("TEST", words, "tests, with sizes")->required();
  app.add_option("--pairs", pairs, "pairs of threads that work at once, as 1,2,4, or all")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--window", command.windows, "bandwidths: operations in flight, as 1,16,64")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1u, kMaxWindow));
  app.add_flag("--bidirectional", command.bidirectional, "both threads of a pair put or get");
  app.add_option("--seconds", command.seconds, "about, for each figure")->check(CLI::Range(0.001, 3600.0));
  app.add_option("--json", command.json_file, "write the machine and every figure to this file");
  app.add_option("--threads", command.threads, "start a job of so many UPC threads, for each of 2,4,8")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1u, 65536u));
  app.add_option("--conduits", command.conduits, "start a job over each of smp,mpi,ibv,ofi")
      ->delimiter(',')
      ->allow_extra_args(false);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    *status = e.get_exit_code();
    if (prints) *status = app.exit(e);
    return std::nullopt;
  }
  std::string problem;
  if (!pairs.empty()) command.pairs.clear();
  for (const std::string& word : pairs) {
    const auto number = word == "all" ? std::optional<std::size_t>(0) : parse_size(word);
    if (!number || (*number == 0 && word != "all"))
      problem = "--pairs " + word + ": a number, or all, is expected";
    command.pairs.push_back(static_cast<unsigned>(number.value_or(1)));
  }
  for (const std::string& word : words) {
    const auto request = parse_request(word, &problem);
    if (!request) break;
    if (!known(request->test))
      problem = "there is no test '" + request->test + "'; upcr_perf put --help lists them";
    command.requests.push_back(*request);
  }
  if (problem.empty()) return command;
  if (prints) std::fprintf(stderr, "upcr_perf: %s\n", problem.c_str());
  *status = 2;
  return std::nullopt;
}

int start_jobs(const Command& command, int argc, char** argv) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<std::string> rest;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool mine = word == "--threads" || word == "--conduits" || word == "--json";
    if (mine) ++i;
    if (mine || word.rfind("--threads=", 0) == 0 || word.rfind("--conduits=", 0) == 0 ||
        word.rfind("--json=", 0) == 0)
      continue;
    rest.push_back(word);
  }
  int worst = 0;
  for (const std::string& conduit :
       command.conduits.empty() ? std::vector<std::string>{""} : command.conduits)
    for (const unsigned threads : command.threads.empty() ? std::vector<unsigned>{2} : command.threads) {
      std::vector<std::string> words{upcrun(self), "-n", std::to_string(threads)};
      if (!conduit.empty()) words.insert(words.end(), {"--conduit", conduit});
      words.push_back(self.string());
      words.insert(words.end(), rest.begin(), rest.end());
      if (!command.json_file.empty()) {
        words.push_back("--json");
        words.push_back(json_of(command.json_file, conduit.empty() ? "default" : conduit, threads));
      }
      worst = std::max(worst, run_one(words));
      std::printf("\n");
      std::fflush(stdout);
    }
  return worst;
}

}  // namespace perf::user
