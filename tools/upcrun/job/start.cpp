// SPDX-License-Identifier: BSD-3-Clause
// How a job whose processes have agents begins: what they are to run, where upcrun is, and the commands that
// bring them into being.
#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "tools/upcrun/agent/agent.hpp"
#include "tools/upcrun/base/addresses.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/job/host_command.hpp"
#include "tools/upcrun/job/job.hpp"
#include "tools/upcrun/launch/mpirun.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"
#include "tools/upcrun/protocol/remote_shell_proxy.hpp"

namespace upcrun {
namespace {

std::string own_path() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) throw Failure{1, "cannot read /proc/self/exe, which is to be started"};
  return {path, static_cast<std::size_t>(length)};
}

std::string working_folder() {
  char path[PATH_MAX];
  if (::getcwd(path, sizeof path) == nullptr)
    throw Failure{
        1, "the current directory cannot be named, and the processes are to run in it; change to another"};
  return path;
}

std::string launch_interface() {
  const char* value = std::getenv("UPCR_LAUNCH_IFACE");
  return value != nullptr ? value : "";
}

std::string listed(const std::vector<Host>& hosts) {
  std::string text;
  for (const Host& host : hosts)
    text += (text.empty() ? "" : ", ") + std::to_string(host.slots) + " on " + host.name;
  return text.empty() ? "hosts as the batch system says" : text;
}

std::string line_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

}  // namespace

LaunchSpec Job::make_launch_spec(const upcr::wire::JobVariable& job) const {
  LaunchSpec order;
  order.options = plan_.options;
  order.options.program = plan_.program;
  order.options.pthreads = plan_.pthreads;
  if (order.options.argv0.empty()) order.options.argv0 = plan_.options.program;
  order.processes = size_;
  order.job_id = job.id;
  order.folder = working_folder();
  order.merged_output = output_.merged();
  order.environment = exported_environment();
  return order;
}

// Opens the door for the agents, of `shares` processes each.
Rendezvous Job::await_agents(bool here, const std::vector<unsigned>& shares) {
  Rendezvous rendezvous{Credentials::make(), 0, {"127.0.0.1"}};
  if (here && !has_loopback())
    throw Failure{1,
                  "this host has no loopback interface with 127.0.0.1, by which the processes reach upcrun; "
                  "bring it up (`ip link set lo up`), or name another one in UPCR_LAUNCH_IFACE"};
  if (!here) {
    rendezvous.addresses = own_addresses(launch_interface());
    if (rendezvous.addresses.empty())
      throw Failure{1, "this host has no address that other hosts could reach; bring a network interface up"};
  }
  remotes_ =
      std::make_unique<Remotes>(rendezvous.credentials, here, shares, static_cast<AgentListener&>(*this));
  rendezvous.port = remotes_->port();
  for (unsigned rank = 0; rank < size_; ++rank) {
    const std::string label = plan_.options.label ? "[" + plan_.thread_range(rank) + "] " : "";
    processes_[rank].streams[0] = output_.add_remote(false, label);
    processes_[rank].streams[1] = output_.add_remote(true, label);
  }
  return rendezvous;
}

void Job::prepare_mpirun(std::string* how, std::string* conduit) {
  const Mpirun mpirun = find_mpirun(plan_.program);
  const std::vector<Host> hosts = hosts_for_mpirun(plan_.options, size_);
  const bool here = all_here(hosts) && launch_interface().empty();
  // Named by nobody: on several hosts the processes choose a network that all of them have.
  if (conduit->empty() && all_here(hosts)) *conduit = "mpi";
  const Rendezvous rendezvous = await_agents(here, std::vector<unsigned>(size_, 1));
  LaunchCommand start{.name = "mpirun", .host = {}, .count = size_, .hosts = hosts, .agents = size_};
  start.words = mpirun_command(mpirun, plan_, hosts, own_path());
  start.variables = {std::string(kAgentVariable) + "=" + rendezvous.format()};
  if (needs_remote_shell_proxy(mpirun, plan_.options, hosts))
    for (const std::string& variable : proxy_variables(plan_.options.rsh.empty() ? "ssh" : plan_.options.rsh))
      start.variables.push_back(variable);
  launch_commands_.add(std::move(start));
  *how = listed(hosts) + ", by " + mpirun.path + " (" + upcr::mpi_library_name(mpirun.library) + "; " +
         mpirun.why + ")";
}

void Job::prepare_hosts(std::string* how) {
  const HostCommand command(plan_.options.rsh, own_path());
  std::vector<unsigned> shares;
  for (const Host& host : plan_.hosts) shares.push_back(host.slots);
  const std::string rendezvous = await_agents(false, shares).format();
  unsigned first = 0;
  for (const Host& host : plan_.hosts) {
    LaunchCommand start{.name = is_this_host(host.name) ? "upcrun" : command.name(),
                        .host = host.name,
                        .first = first,
                        .count = host.slots};
    start.words = command.words(host.name);
    start.input = agent_line(first, host.slots, rendezvous);
    start.why = [command, name = host.name](int status) { return command.explain(name, status); };
    first += host.slots;
    launch_commands_.add(std::move(start));
  }
  *how = listed(plan_.hosts) + ", by " + command.name();
}

void Job::start_remote_processes() {
  clear_outer_job();
  const upcr::wire::JobVariable job = describe_job();
  LaunchSpec order = make_launch_spec(job);
  std::string how;
  if (plan_.way == Way::kMpirun)
    prepare_mpirun(&how, &order.options.conduit);
  else
    prepare_hosts(&how);
  order_ = order.format();
  if (plan_.options.verbose) {
    say(plan_.program + ": " + std::to_string(job.threads) + " UPC threads in " + std::to_string(size_) +
        " processes, conduit " + (order.options.conduit.empty() ? "as configured" : order.options.conduit) +
        ", " + how);
    say("listening on port " + std::to_string(remotes_->port()));
    for (const LaunchCommand& start : launch_commands_.all()) say("runs " + line_of(start.words));
  }
  launch_commands_.start_some(inherited_);
  guard_state_.keeper = launch_commands_.all().front().starter.keeper();
  guard_state_.mpirun = launch_commands_.all().front().starter.mpirun();
}

}  // namespace upcrun
