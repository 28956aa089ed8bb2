// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/remote/agent_launch.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <utility>

#include "tools/upcrun/base/addresses.hpp"
#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/protocol/remote_shell_proxy.hpp"

namespace upcrun {
namespace {

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

// Of a relay's host, which may have no interface of the name that upcrun's host has.
std::vector<std::string> relay_addresses() {
  try {
    return own_addresses(launch_interface());
  } catch (const Failure&) {
    return own_addresses("");
  }
}

// The parts that upcrun starts itself. Its own host is always one of them: the user's name for it
// ("localhost") may be another one elsewhere.
std::vector<std::vector<Host>> own_parts(const std::vector<Host>& hosts, unsigned fanout) {
  std::vector<std::vector<Host>> parts;
  std::vector<Host> others;
  const auto split_others = [&] {
    for (std::vector<Host>& part : split_hosts(others, fanout)) parts.push_back(std::move(part));
    others.clear();
  };
  for (const Host& host : hosts) {
    others.push_back(host);
    if (hosts.size() <= fanout || !is_this_host(host.name)) continue;
    others.pop_back();
    split_others();
    parts.push_back({host});
  }
  split_others();
  return parts;
}

std::string describe_hosts(const std::vector<Host>& hosts) {
  std::string text;
  for (const Host& host : hosts)
    text += (text.empty() ? "" : ", ") + std::to_string(host.slots) + " on " + host.name;
  return text.empty() ? "hosts as the batch system says" : text;
}

}  // namespace

std::string path_of_upcrun() {
  char path[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) throw Failure{1, "cannot read /proc/self/exe, the path of upcrun, which the agents run"};
  return {path, static_cast<std::size_t>(length)};
}

AgentLaunch::AgentLaunch(const Plan& plan) : plan_(plan), self_(path_of_upcrun()) {
  if (plan.launch_method == LaunchMethod::kMpirun) {
    mpirun_ = find_mpirun(plan.program);
    hosts_ = hosts_for_mpirun(plan.options, plan.processes);
  } else {
    hosts_ = plan.hosts;
    remote_shell_.emplace(plan.options.rsh, in_allocation() ? plan.options.allocation : Allocation{}, self_);
    fanout_ = launch_fanout();
    parts_ = own_parts(hosts_, fanout_);
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
  for (const std::vector<Host>& part : parts_) shares.push_back(processes_on(part));
  return shares;
}

Subtree AgentLaunch::subtree(unsigned first) const {
  unsigned rank = 0;
  for (const std::vector<Host>& part : parts_) {
    if (rank == first) {
      const bool allocated = in_allocation();
      return {part,
              fanout_,
              plan_.options.rsh,
              allocated ? plan_.options.allocation.system : BatchSystem::kNone,
              allocated ? plan_.options.allocation.id : std::string(),
              plan_.options.start_timeout,
              plan_.options.verbose};
    }
    rank += processes_on(part);
  }
  return {};
}

std::string AgentLaunch::host_name(unsigned rank) const {
  if (mpirun_) return {};
  for (const Host& host : hosts_) {
    if (rank < host.slots) return host.name;
    rank -= host.slots;
  }
  return {};
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
  return agent_commands(parts_, 0, *remote_shell_, rendezvous);
}

std::vector<LaunchCommand> agent_commands(const std::vector<std::vector<Host>>& parts, unsigned first,
                                          const HostCommand& remote_shell, const std::string& rendezvous) {
  std::vector<LaunchCommand> launches;
  for (const std::vector<Host>& part : parts) {
    const Host& host = part.front();
    const unsigned count = processes_on(part);
    LaunchCommand launch{.name = is_this_host(host.name) ? "upcrun" : remote_shell.name(),
                         .host = host.name,
                         .first = first,
                         .count = count};
    launch.input = agent_line(first, count, rendezvous);
    launch.input_by_file = !remote_shell.passes_input(host.name);
    launch.arguments = remote_shell.command(host.name, launch.input_by_file ? kAgentFile : kAgentByInput);
    launch.explain_exit = [command = remote_shell, name = host.name](int status) {
      return command.explain(name, status);
    };
    first += count;
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

Rendezvous make_relay_rendezvous() {
  Rendezvous rendezvous{Credentials::make(), 0, relay_addresses()};
  if (rendezvous.addresses.empty())
    throw Failure{1, "this host has no address that other hosts could reach; bring a network interface up"};
  return rendezvous;
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
