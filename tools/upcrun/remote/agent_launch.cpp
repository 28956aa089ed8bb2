// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/remote/agent_launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "tools/upcrun/agent/agent.hpp"
#include "tools/upcrun/base/addresses.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/protocol/remote_shell_proxy.hpp"

namespace upcrun {
namespace {

std::string path_of_upcrun() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) throw Failure{1, "cannot read /proc/self/exe, the path of upcrun, which the agents run"};
  return {path, static_cast<std::size_t>(length)};
}

std::string current_folder() {
  char path[PATH_MAX];
  if (::getcwd(path, sizeof path) == nullptr)
    throw Failure{
        1, "the current directory, in which the processes have to run, has no path; change to another one"};
  return path;
}

std::string launch_interface() {
  const char* value = std::getenv("UPCR_LAUNCH_IFACE");
  return value != nullptr ? value : "";
}

std::string describe_hosts(const std::vector<Host>& hosts) {
  std::string text;
  for (const Host& host : hosts)
    text += (text.empty() ? "" : ", ") + std::to_string(host.slots) + " on " + host.name;
  return text.empty() ? "hosts as the batch system says" : text;
}

}  // namespace

AgentLaunch::AgentLaunch(const Plan& plan) : plan_(plan), self_(path_of_upcrun()) {
  if (plan.launch_method == LaunchMethod::kMpirun) {
    mpirun_ = find_mpirun(plan.program);
    hosts_ = hosts_for_mpirun(plan.options, plan.processes);
  } else {
    hosts_ = plan.hosts;
    remote_shell_.emplace(plan.options.rsh, in_allocation() ? plan.options.allocation : Allocation{}, self_);
  }
}

// Whether all hosts are those of the batch system's allocation, which alone its commands reach.
bool AgentLaunch::in_allocation() const {
  const std::vector<Host>& allocated = plan_.options.allocation.hosts;
  return std::all_of(hosts_.begin(), hosts_.end(), [&allocated](const Host& host) {
    return is_this_host(host.name) || std::any_of(allocated.begin(), allocated.end(), [&host](const Host& a) {
             return same_host_name(a.name, host.name);
           });
  });
}

std::vector<unsigned> AgentLaunch::shares() const {
  if (mpirun_) return std::vector<unsigned>(plan_.processes, 1);
  std::vector<unsigned> shares;
  for (const Host& host : hosts_) shares.push_back(host.slots);
  return shares;
}

bool AgentLaunch::loopback_only() const {
  return mpirun_ && all_on_this_host(hosts_) && launch_interface().empty();
}

std::string AgentLaunch::conduit() const {
  // If the user names no conduit, processes on several hosts choose one that all of them have.
  if (plan_.options.conduit.empty() && mpirun_ && all_on_this_host(hosts_)) return "mpi";
  return plan_.options.conduit;
}

std::string AgentLaunch::describe() const {
  const bool allocated = !plan_.options.allocation.hosts.empty() && in_allocation();
  const std::string hosts =
      describe_hosts(hosts_) + (allocated ? " (" + plan_.options.allocation.describe() + ")" : "") + ", by ";
  if (!mpirun_) return hosts + remote_shell_->name();
  return hosts + mpirun_->path + " (" + upcr::mpi_library_name(mpirun_->library) + "; " + mpirun_->why + ")";
}

std::vector<LaunchCommand> AgentLaunch::commands(const Rendezvous& rendezvous) const {
  if (!mpirun_) return remote_shell_launches(rendezvous.format());
  std::vector<LaunchCommand> commands;
  commands.push_back(mpirun_launch(rendezvous.format()));
  return commands;
}

LaunchCommand AgentLaunch::mpirun_launch(const std::string& rendezvous) const {
  LaunchCommand launch{
      .name = "mpirun", .host = {}, .count = plan_.processes, .hosts = hosts_, .agents = plan_.processes};
  launch.arguments = mpirun_command(*mpirun_, plan_, hosts_, self_);
  launch.variables = {std::string(kAgentVariable) + "=" + rendezvous};
  if (needs_remote_shell_proxy(*mpirun_, plan_.options, hosts_))
    for (const std::string& variable : proxy_variables(plan_.options.rsh.empty() ? "ssh" : plan_.options.rsh))
      launch.variables.push_back(variable);
  return launch;
}

std::vector<LaunchCommand> AgentLaunch::remote_shell_launches(const std::string& rendezvous) const {
  std::vector<LaunchCommand> launches;
  unsigned first = 0;
  for (const Host& host : hosts_) {
    LaunchCommand launch{.name = is_this_host(host.name) ? "upcrun" : remote_shell_->name(),
                         .host = host.name,
                         .first = first,
                         .count = host.slots};
    launch.arguments = remote_shell_->command(host.name);
    launch.input = agent_line(first, host.slots, rendezvous);
    launch.explain_exit = [command = *remote_shell_, name = host.name](int status) {
      return command.explain(name, status);
    };
    first += host.slots;
    launches.push_back(std::move(launch));
  }
  return launches;
}

LaunchSpec make_launch_spec(const Plan& plan, const std::string& job_id, bool merged_output) {
  LaunchSpec launch_spec;
  launch_spec.options = plan.options;
  launch_spec.options.program = plan.program;
  launch_spec.options.pthreads = plan.pthreads;
  if (launch_spec.options.argv0.empty()) launch_spec.options.argv0 = plan.options.program;
  launch_spec.processes = plan.processes;
  launch_spec.job_id = job_id;
  launch_spec.folder = current_folder();
  launch_spec.merged_output = merged_output;
  launch_spec.environment = exported_environment();
  return launch_spec;
}

Rendezvous make_rendezvous(bool loopback_only) {
  Rendezvous rendezvous{Credentials::make(), 0, {"127.0.0.1"}};
  if (loopback_only && !has_loopback())
    throw Failure{
        1,
        "this host has no loopback interface with 127.0.0.1, over which the processes reach upcrun; "
        "bring it up (`ip link set lo up`), or name another interface in UPCR_LAUNCH_IFACE"};
  if (loopback_only) return rendezvous;
  rendezvous.addresses = own_addresses(launch_interface());
  if (rendezvous.addresses.empty())
    throw Failure{1, "this host has no address that other hosts could reach; bring a network interface up"};
  return rendezvous;
}

}  // namespace upcrun
