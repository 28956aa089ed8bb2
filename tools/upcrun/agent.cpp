// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/agent.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "tools/upcrun/agent_loop.hpp"
#include "tools/upcrun/agent_place.hpp"
#include "tools/upcrun/clock.hpp"
#include "tools/upcrun/failure.hpp"
#include "tools/upcrun/order.hpp"
#include "tools/upcrun/plan.hpp"
#include "tools/upcrun/reach.hpp"
#include "tools/upcrun/rendezvous.hpp"
#include "tools/upcrun/spawn.hpp"
#include "tools/upcrun/sweep.hpp"

namespace upcrun {
namespace {

constexpr Milliseconds kOrderPatience = 60'000;
constexpr int kMostRefusals = 3;
constexpr std::size_t kLongestFrame = 256u << 20;  // an order holds a whole environment

std::string own_host() {
  char name[256] = "";
  (void)::gethostname(name, sizeof name - 1);
  return name;
}

// Takes over what the order says about this process, and starts the program.
void serve(Link& link, std::string_view text, const StarterPlace& place) {
  Order order;
  if (!Order::parse(text, &order)) throw Failure{1, "upcrun says what this version does not understand"};
  if (::chdir(order.folder.c_str()) != 0)
    throw Failure{1, "cannot change to '" + order.folder + "': " + std::strerror(errno)};
  take_environment(order.environment);
  order.options.host_processes = static_cast<unsigned>(place.host_size);
  order.options.host_rank = static_cast<unsigned>(place.host_rank);
  order.options.first_rank = static_cast<unsigned>(place.rank);
  const Plan plan(order.options);
  share_cores(plan);
  const Inherited inherited = remember_inherited();
  const auto processes = static_cast<unsigned>(place.processes);
  raise_file_limit(processes, false);
  (void)::signal(SIGPIPE, SIG_IGN);
  AgentLoop(link, plan, order, inherited, static_cast<unsigned>(place.rank), processes).run();
}

}  // namespace

int run_agent() {
  const char* variable = std::getenv(kAgentVariable);
  if (variable == nullptr)
    throw Failure{2, std::string("--agent is for upcrun itself, which says in ") + kAgentVariable +
                         " where it is; that variable has not arrived on host " + own_host() +
                         ": mpirun, or a script in its place, has not handed it on"};
  const auto where = Rendezvous::parse(variable);
  if (!where)
    throw Failure{2, std::string(kAgentVariable) + " on host " + own_host() +
                         " is not what this upcrun understands; install the same version on every host"};
  ::unsetenv(kAgentVariable);
  forget_reach_variables();
  // When mpirun's daemon of this host dies, as if it told us to end: MPICH's mpirun would not notice.
  const pid_t starter = ::getppid();
  (void)::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != starter) return 1;
  fill_standard_streams();
  become_subreaper();
  const StarterPlace place = starter_place();
  const Hello hello{kLinkVersion, where->credentials.secret, place.rank, place.size, ::getpid(), own_host()};
  Link link = connect_to_upcrun(*where, hello);
  link.set_longest(kLongestFrame);
  Message order{};
  for (int i = 0; !wait_for_message(link, kOrderPatience, &order); ++i) {
    if (i == kMostRefusals) throw Failure{1, "upcrun does not want this process"};
    link = connect_to_upcrun(*where, hello);  // it had no patience left when the hello came
    link.set_longest(kLongestFrame);
  }
  if (order.word != Word::kOrder) return 0;  // the job is over already
  try {
    serve(link, order.payload, place);
  } catch (const Failure& failure) {
    link.send(Word::kFailed, failure.status, failure.message);
    wait_until_closed(link);
  }
  return 0;
}

}  // namespace upcrun
