// SPDX-License-Identifier: BSD-3-Clause
// upcr_start_end [--rounds N] COMMAND...: the time of COMMAND from its start to its end, beside fork, exec
// and wait of /bin/true, twice, alternately. Prints one line of JSON: medians, and the difference of each
// neighbouring pair, in seconds. COMMAND's output is discarded; COMMAND has to succeed.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using Seconds = std::chrono::duration<double>;

int usage() {
  std::fprintf(stderr, "usage: upcr_start_end [--rounds N] COMMAND [ARGUMENT]...\n");
  return 2;
}

void run(char** command) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, command[0], &actions, nullptr, command, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (error != 0) {
    std::fprintf(stderr, "upcr_start_end: cannot start %s: %s\n", command[0], std::strerror(error));
    std::exit(1);
  }
  if (waitpid(pid, &status, 0) != pid || status != 0) {
    std::fprintf(stderr, "upcr_start_end: %s failed (status 0x%x)\n", command[0], status);
    std::exit(1);
  }
}

template <typename Work>
double seconds_of(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return Seconds(std::chrono::steady_clock::now() - start).count();
}

struct Summary {
  double median, spread;  // spread: interquartile range
};

Summary summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return {values[n / 2], values[n * 3 / 4] - values[n / 4]};
}

}  // namespace

int main(int argc, char** argv) {
  int first = 1;
  long rounds = 60;
  if (argc > 3 && std::strcmp(argv[1], "--rounds") == 0) {
    rounds = std::strtol(argv[2], nullptr, 10);
    first = 3;
  }
  if (first >= argc || rounds < 1 || argv[first][0] == '-') return usage();

  char name[] = "/bin/true";
  char* bare[] = {name, nullptr};
  std::vector<double> reference, test, difference;
  run(argv + first);  // so that the files are in the page cache
  for (long i = 0; i < rounds; ++i) {
    reference.push_back(seconds_of([&] {
      run(bare);
      run(bare);
    }));
    test.push_back(seconds_of([&] { run(argv + first); }));
    difference.push_back(test.back() - reference.back());
  }
  const Summary t = summary(test), d = summary(difference);
  std::printf(
      "{\"median\": %.6f, \"spread\": %.6f, \"reference_median\": %.6f, \"difference\": %.6f, "
      "\"difference_spread\": %.6f, \"rounds\": %ld}\n",
      t.median, t.spread, summary(reference).median, d.median, d.spread, rounds);
  return 0;
}
