// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/agent/agent.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "tools/upcrun/agent/loop.hpp"
#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/descendants.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/exchange/collection.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/plan/plan.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/protocol/remote_shell_proxy.hpp"
#include "tools/upcrun/protocol/rendezvous.hpp"
#include "tools/upcrun/relay/relay.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kLineTimeout = 30'000;
constexpr std::size_t kMaxLineBytes = 4096;
constexpr Milliseconds kLaunchSpecTimeout = 60'000;
constexpr int kMaxRejections = 3;
// A launch specification holds a whole environment, a reply what all processes have contributed.
constexpr std::size_t kMaxFrameBytes = kMaxCollectiveBytes + 4096;

std::string host_name() {
  char name[256] = "";
  (void)::gethostname(name, sizeof name - 1);
  return name;
}

// The address of upcrun, and which processes of its job this agent serves.
struct AgentProcesses {
  Rendezvous upcrun;
  LauncherVariables process;
};

Rendezvous parse_rendezvous(std::string_view text) {
  const auto where = Rendezvous::parse(text);
  if (!where)
    throw Failure{2, "the agent on host " + host_name() +
                         " cannot read upcrun's address, which another version has written; install the same "
                         "version on every host"};
  return *where;
}

AgentProcesses process_from_environment() {
  const char* variable = ::secure_getenv(kAgentVariable);
  if (variable == nullptr)
    throw Failure{2, std::string("--agent is for upcrun itself, which says in ") + kAgentVariable +
                         " where it is; that variable has not arrived on host " + host_name() +
                         ": mpirun, or a script in its place, has not handed it on"};
  AgentProcesses place{parse_rendezvous(variable), read_launcher_variables()};
  ::unsetenv(kAgentVariable);
  clear_proxy_variables();
  return place;
}

// Read byte by byte, because the input behind the line belongs to the program.
std::string first_line_of_input() {
  std::string line;
  const Milliseconds until = now_ms() + kLineTimeout;
  for (char byte = 0; line.size() < kMaxLineBytes;) {
    pollfd wait{STDIN_FILENO, POLLIN, 0};
    if (::poll(&wait, 1, static_cast<int>(std::max<Milliseconds>(until - now_ms(), 0))) <= 0) break;
    if (::read(STDIN_FILENO, &byte, 1) != 1) break;
    if (byte == '\n') return line;
    line += byte;
  }
  throw Failure{
      2,
      "`--agent -` is for upcrun itself, which says where it is in a line on standard input; none has "
      "arrived on host " +
          host_name() + ": does a start file of the shell there read its input?"};
}

// Waits for a file that a file server may show a moment later.
std::string line_of_file(const std::string& path) {
  constexpr Milliseconds kInterval = 100;
  std::string line;
  for (const Milliseconds until = now_ms() + kLineTimeout; now_ms() < until;
       (void)::poll(nullptr, 0, kInterval)) {
    std::ifstream file(path);
    if (std::getline(file, line) && !file.eof()) return line;  // with its end: the whole of it
  }
  throw Failure{
      2, "cannot read " + path + " on host " + host_name() +
             ", in which upcrun says where it is: is the home directory another one there? `--rsh ssh` "
             "needs no file"};
}

AgentProcesses process_from_line(const std::string& text) {
  std::istringstream line(text);
  AgentProcesses place;
  std::string rendezvous;
  line >> place.process.rank >> place.process.processes >> rendezvous;
  place.upcrun = parse_rendezvous(rendezvous);
  place.process.host_size = place.process.processes;
  return place;
}

AgentProcesses process_from_file(const std::string& path) {
  AgentProcesses place = process_from_line(line_of_file(path));
  (void)::unlink(path.c_str());
  return place;
}

// Where there are more UPC threads than CPUs, makes the MPI library yield the CPU while it waits.
void yield_cores_when_idle(const Plan& plan) {
  const std::size_t threads =
      std::size_t{plan.options.host_processes} * std::min(plan.pthreads, plan.options.threads);
  if (threads > plan.binding.allowed()) (void)::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
}

// Sends what is queued, then waits until upcrun has closed the link, at most 10 s.
void wait_until_closed(Link& link) {
  const Milliseconds until = now_ms() + 10'000;
  while (now_ms() < until) {
    pollfd wait{link.fd(), static_cast<short>(link.unsent() != 0 ? POLLIN | POLLOUT : POLLIN), 0};
    (void)::poll(&wait, 1, 100);
    link.flush();
    if (wait.revents == 0) continue;
    if (!link.fill()) return;
    while (const auto message = link.next())
      if (message->type == MessageType::kEndJob || message->type == MessageType::kReleaseAgent) return;
  }
}

// Starts agents on several hosts, this one among them.
void run_relay(Link& link, const LaunchSpec& launch_spec, unsigned first) {
  (void)!::chdir(launch_spec.folder.c_str());  // the agents report it
  apply_environment(launch_spec.environment);
  const InheritedState inherited = save_inherited_state();
  ignore_write_signals();
  Relay(link, launch_spec, inherited, first, host_name()).run();
}

// Applies the launch specification to this process, and runs the programs, or a relay.
void serve(Link& link, std::string_view text, const LauncherVariables& place) {
  LaunchSpec launch_spec;
  if (!LaunchSpec::parse(text, &launch_spec))
    throw Failure{
        1, "the launch specification of upcrun cannot be read; install the same version on every host"};
  if (launch_spec.subtree.hosts.size() > 1)
    return run_relay(link, launch_spec, static_cast<unsigned>(place.rank));
  if (::chdir(launch_spec.folder.c_str()) != 0)
    throw Failure{1, "cannot change to '" + launch_spec.folder + "': " + std::strerror(errno)};
  apply_environment(launch_spec.environment);
  launch_spec.options.host_processes = static_cast<unsigned>(place.host_size);
  launch_spec.options.host_rank = static_cast<unsigned>(place.host_rank);
  launch_spec.options.first_rank = static_cast<unsigned>(place.rank);
  launch_spec.options.serves_host = place.processes == place.host_size;
  const Plan plan(launch_spec.options);
  yield_cores_when_idle(plan);
  const InheritedState inherited = save_inherited_state();
  const auto processes = static_cast<unsigned>(place.processes);
  raise_file_limit(processes, false);
  ignore_write_signals();
  AgentLoop(link, plan, launch_spec, inherited, static_cast<unsigned>(place.rank), processes).run();
}

}  // namespace

int run_agent(const std::string& from) {
  const auto [where, place] = from.empty()            ? process_from_environment()
                              : from == kAgentByInput ? process_from_line(first_line_of_input())
                                                      : process_from_file(from);
  // When the parent, a daemon of mpirun, dies, this process gets SIGTERM: MPICH's mpirun would not notice.
  const pid_t starter = ::getppid();
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != starter) return 1;
  open_missing_standard_streams();
  become_subreaper();
  const Hello hello{kLinkVersion, where.credentials.secret, place.rank, place.size, ::getpid(), host_name()};
  const auto connect = [&where = where, &place = place, &hello] {
    Link link = connect_to_upcrun(where, hello);
    link.set_max_frame(kMaxFrameBytes);
    link.set_processes(static_cast<unsigned>(place.processes));
    return link;
  };
  Link link = connect();
  Message launch_spec{};
  for (int i = 0; !wait_for_message(link, kLaunchSpecTimeout, &launch_spec); ++i) {
    if (i == kMaxRejections) throw Failure{1, "upcrun has rejected this process several times"};
    link = connect();  // the hello came after upcrun's time limit
  }
  if (launch_spec.type != MessageType::kLaunchSpec) return 0;  // the job is over already
  try {
    serve(link, launch_spec.payload, place);
  } catch (const Failure& failure) {
    link.send(MessageType::kStartFailed, failure.status, failure.message);
    wait_until_closed(link);
  }
  return 0;
}

}  // namespace upcrun
