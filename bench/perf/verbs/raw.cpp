// SPDX-License-Identifier: BSD-3-Clause
// Measures verbs alone between two processes of this host, for comparison with upcr_perf_ibv:
//   ibv_raw [LARGEST]
// One line each: writes and reads of up to LARGEST bytes, one at a time and several under way, and messages.
// Medians of bursts.
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/perf/verbs/link.hpp"

namespace {

using perf::VerbsLink;

constexpr std::size_t kBursts = 21, kMinBursts = 3;
constexpr double kBurstUs = 10000, kLongUs = 5e5;  // of a burst; of all bursts together, more or less

double now_us() {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The burst's size grows until it is long enough, and is then repeated.
template <typename Work>
double median_us(Work work) {
  std::uint64_t n = 8;
  for (;;) {
    const double start = now_us();
    work(n);
    const double took = now_us() - start;
    if (took >= kBurstUs / 2) break;
    n *= static_cast<std::uint64_t>(std::clamp(kBurstUs / took, 2.0, 16.0));
  }
  std::vector<double> each;
  const double begin = now_us();
  while (each.size() < kBursts && (each.size() < kMinBursts || now_us() - begin < kLongUs)) {
    const double start = now_us();
    work(n);
    each.push_back((now_us() - start) / static_cast<double>(n));
  }
  std::nth_element(each.begin(), each.begin() + each.size() / 2, each.end());
  return each[each.size() / 2];
}

void print(const char* what, std::size_t bytes, unsigned batch, double us) {
  std::printf("%-10s %8zu bytes, %2u under way  %12.3f us %10.1f MB/s\n", what, bytes, batch, us,
              static_cast<double>(bytes) / us);
  std::fflush(stdout);
}

// Side by side: two that poll on one CPU would wait for the scheduler. Where there is one CPU only they do.
void pin(unsigned which) {
  cpu_set_t all, one;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
    if (CPU_ISSET(cpu, &all) && which-- == 0) CPU_SET(cpu, &one);
  if (CPU_COUNT(&one) == 1) sched_setaffinity(0, sizeof one, &one);
}

// Both may wait for the other in rdma_cm, and poll for it, for ever. So the one that fails ends the other.
pid_t child = -1;

void child_ended(int) {
  int status = 0;
  if (waitpid(child, &status, WNOHANG) == child && status != 0) _exit(1);  // it has reported the reason
}

// The leader's request to the other process.
struct Command {
  std::uint64_t round_trips = 0, bytes = 0;  // 0: the end
};

void run_leader(VerbsLink& link, int other, std::size_t largest) {
  const auto send_command = [other](Command command) {
    if (write(other, &command, sizeof command) != sizeof command) perf::verbs_fail("write", errno);
  };
  for (const unsigned batch : {1u, 8u})
    for (const std::size_t bytes : {8u, 512u, 4096u, 65536u, 1u << 20, 4u << 20}) {
      if (bytes > largest) continue;
      print("write", bytes, batch, median_us([&](std::uint64_t n) { link.writes(n, bytes, batch); }));
      print("read", bytes, batch, median_us([&](std::uint64_t n) { link.reads(n, bytes, batch); }));
    }
  for (const std::size_t bytes : {8u, 512u, 4096u})
    print("round trip", bytes, 1, median_us([&](std::uint64_t n) {
            send_command({n, bytes});
            link.round_trips(n, bytes, true);
          }));
  send_command({});
}

void run_follower(VerbsLink& link, int other) {
  Command command;
  while (read(other, &command, sizeof command) == sizeof command && command.round_trips != 0)
    link.round_trips(command.round_trips, command.bytes, false);
}

}  // namespace

int main(int argc, char** argv) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) perf::verbs_fail("socketpair", errno);
  const pid_t parent = getpid();
  child = fork();  // before anything is opened
  if (child < 0) perf::verbs_fail("fork", errno);
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return 1;
  } else {
    std::signal(SIGCHLD, child_ended);
    child_ended(SIGCHLD);  // if it was that fast
  }
  pin(child == 0);
  const perf::VerbsPort port = perf::find_verbs_port();
  if (port.device.empty()) {
    if (child != 0) std::printf("raw verbs: %s\n", port.reason.c_str());
    return 0;
  }
  const int other = ends[child != 0];
  close(ends[child == 0]);  // so that the end of one is seen by the other
  VerbsLink link;
  if (child != 0) {
    const sockaddr_in address = link.listen(port);
    if (write(other, &address, sizeof address) != sizeof address) perf::verbs_fail("write", errno);
    link.accept();
    std::printf("device %s, %s\n", port.device.c_str(),
                link.has_srq() ? "shared receive queue" : "receive queue of its own");
    run_leader(link, other, argc > 1 ? std::strtoul(argv[1], nullptr, 0) : VerbsLink::kLargest);
  } else {
    sockaddr_in address;
    if (read(other, &address, sizeof address) != sizeof address) return 1;
    link.connect(port, address);
    run_follower(link, other);
  }
  int status = 0;
  if (child != 0) waitpid(child, &status, 0);
  return status != 0;
}
