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
#include <sstream>
#include <string_view>

#include "tools/upcrun/agent/loop.hpp"
#include "tools/upcrun/agent/place.hpp"
#include "tools/upcrun/base/clock.hpp"
#include "tools/upcrun/base/descendants.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/launch/spawn.hpp"
#include "tools/upcrun/plan/plan.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/protocol/remote_shell_proxy.hpp"
#include "tools/upcrun/protocol/rendezvous.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kLineTimeout = 30'000;
constexpr std::size_t kMaxLineBytes = 4096;
constexpr Milliseconds kLaunchSpecTimeout = 60'000;
constexpr int kMaxRejections = 3;
constexpr std::size_t kMaxFrameBytes = 256u << 20;  // a launch specification holds a whole environment

std::string own_host() {
  char name[256] = "";
  (void)::gethostname(name, sizeof name - 1);
  return name;
}

// Where upcrun is and who we are in its job.
struct Place {
  Rendezvous upcrun;
  LauncherVariables process;
};

Rendezvous parse_rendezvous(std::string_view text) {
  const auto where = Rendezvous::parse(text);
  if (!where)
    throw Failure{2, "what tells an agent on host " + own_host() +
                         " where upcrun is, is not what this upcrun understands; install the same version on "
                         "every host"};
  return *where;
}

Place process_from_environment() {
  const char* variable = ::secure_getenv(kAgentVariable);
  if (variable == nullptr)
    throw Failure{2, std::string("--agent is for upcrun itself, which says in ") + kAgentVariable +
                         " where it is; that variable has not arrived on host " + own_host() +
                         ": mpirun, or a script in its place, has not handed it on"};
  Place place{parse_rendezvous(variable), read_launcher_variables()};
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
          own_host() + ": does a start file of the shell there read its input?"};
}

Place process_from_input() {
  std::istringstream line(first_line_of_input());
  Place place;
  std::string rendezvous;
  line >> place.process.rank >> place.process.processes >> rendezvous;
  place.upcrun = parse_rendezvous(rendezvous);
  place.process.host_size = place.process.processes;
  return place;
}

// Takes over what the order says about this process, and starts the program.
void serve(Link& link, std::string_view text, const LauncherVariables& place) {
  LaunchSpec order;
  if (!LaunchSpec::parse(text, &order)) throw Failure{1, "upcrun says what this version does not understand"};
  if (::chdir(order.folder.c_str()) != 0)
    throw Failure{1, "cannot change to '" + order.folder + "': " + std::strerror(errno)};
  take_environment(order.environment);
  order.options.host_processes = static_cast<unsigned>(place.host_size);
  order.options.host_rank = static_cast<unsigned>(place.host_rank);
  order.options.first_rank = static_cast<unsigned>(place.rank);
  const Plan plan(order.options);
  yield_cores_when_idle(plan);
  const InheritedState inherited = save_inherited_state();
  const auto processes = static_cast<unsigned>(place.processes);
  raise_file_limit(processes, false);
  ignore_write_signals();
  AgentLoop(link, plan, order, inherited, static_cast<unsigned>(place.rank), processes).run();
}

}  // namespace

std::string agent_line(unsigned first, unsigned count, const std::string& rendezvous) {
  return std::to_string(first) + " " + std::to_string(count) + " " + rendezvous + "\n";
}

int run_agent(bool by_input) {
  const auto [where, place] = by_input ? process_from_input() : process_from_environment();
  // When the parent, a daemon of mpirun, dies, this process gets SIGTERM: MPICH's mpirun would not notice.
  const pid_t starter = ::getppid();
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != starter) return 1;
  open_missing_standard_streams();
  become_subreaper();
  const Hello hello{kLinkVersion, where.credentials.secret, place.rank, place.size, ::getpid(), own_host()};
  const auto connect = [&where = where, &place = place, &hello] {
    Link link = connect_to_upcrun(where, hello);
    link.set_max_frame(kMaxFrameBytes);
    link.set_processes(static_cast<unsigned>(place.processes));
    return link;
  };
  Link link = connect();
  Message order{};
  for (int i = 0; !wait_for_message(link, kLaunchSpecTimeout, &order); ++i) {
    if (i == kMaxRejections) throw Failure{1, "upcrun does not want this process"};
    link = connect();  // it had no patience left when the hello came
  }
  if (order.word != MessageType::kLaunchSpec) return 0;  // the job is over already
  try {
    serve(link, order.payload, place);
  } catch (const Failure& failure) {
    link.send(MessageType::kStartFailed, failure.status, failure.message);
    wait_until_closed(link);
  }
  return 0;
}

}  // namespace upcrun
