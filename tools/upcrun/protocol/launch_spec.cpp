// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/protocol/launch_spec.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <charconv>
#include <cstring>

#include "conduits/core/bootstrap/launcher/launcher_slot.hpp"
#include "conduits/core/bootstrap/upcrun/wire.hpp"
#include "tools/upcrun/protocol/hello.hpp"
#include "tools/upcrun/protocol/remote_shell_proxy.hpp"

namespace upcrun {
namespace {

// Variables that belong to the host or the session in which upcrun runs. A star at the end matches anything.
constexpr std::string_view kHostVariables[] = {
    "_",
    "SHLVL",
    "HOSTNAME",
    "HOST",
    "DISPLAY",
    "XAUTHORITY",
    "WAYLAND_*",
    "WINDOWID",
    "SSH_*",
    "PBS_NODENUM",
    "PBS_VNODENUM",
    "PBS_TASKNUM",
    "PBS_MOMPORT",
    "XDG_RUNTIME_DIR",
    "XDG_SEAT*",
    "XDG_VTNR",
    "XDG_SESSION_*",
    "TMUX*",
    "STY",
    "GPG_*",
    "INVOCATION_ID",
    "JOURNAL_STREAM",
    "DBUS_SESSION_BUS_ADDRESS",
    // Slurm's variables of the task that runs upcrun, and of its host.
    "SLURM_PROCID",
    "SLURM_LOCALID",
    "SLURM_NODEID",
    "SLURM_GTIDS",
    "SLURM_TASK_PID",
    "SLURM_TOPOLOGY_ADDR*",
    "SLURMD_NODENAME",
};
// Variables that a launcher or a batch system sets for each process or host. Where they are set, they are
// kept.
constexpr std::string_view kLauncherVariables[] = {
    "OMPI_*",
    "PMIX_*",
    "PMI_*",
    "PRTE_*",
    "HYDI_*",
    "MPI_LOCALRANKID",
    "MPI_LOCALNRANKS",
    "SLURM_*",
    "SLURMD_*",
    "CUDA_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "ZE_AFFINITY_MASK",
};

bool matches(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  pattern.remove_suffix(1);
  return name.starts_with(pattern);
}

template <std::size_t n>
bool among(std::string_view name, const std::string_view (&patterns)[n]) {
  for (const std::string_view pattern : patterns)
    if (matches(name, pattern)) return true;
  return false;
}

std::string_view name_of(std::string_view variable) { return variable.substr(0, variable.find('=')); }

bool is_upcrun_variable(std::string_view name) {
  return name == kAgentVariable || name == kRemoteShellVariable ||
         name == upcr::wire::kLauncherSlotVariable || name == upcr::wire::kJobVariable ||
         name == upcr::wire::kRelaunchVariable;
}

void add(std::string& text, char kind, std::string_view value) {
  text += kind;
  text += value;
  text += '\0';
}

bool to_number(std::string_view text, unsigned* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

// "SLOTS NAME"
bool parse_host(std::string_view text, std::vector<Host>& hosts) {
  const std::size_t blank = text.find(' ');
  Host host;
  if (blank == text.npos || !to_number(text.substr(0, blank), &host.slots)) return false;
  host.name = text.substr(blank + 1);
  hosts.push_back(std::move(host));
  return true;
}

}  // namespace

std::string LaunchSpec::format() const {
  std::string text;
  add(text, 'n', std::to_string(options.threads));
  add(text, 'k', std::to_string(options.pthreads));
  add(text, 's', std::to_string(processes));
  add(text, 'b', std::to_string(static_cast<int>(options.bind)));
  add(text, 'o', std::to_string(static_cast<int>(options.map_by)));
  add(text, 'u', std::to_string(options.cpus_per_process));
  add(text, 'g', options.gasnet ? "1" : "0");
  add(text, 'm', merged_output ? "1" : "0");
  add(text, 'i', job_id);
  add(text, 'd', folder);
  add(text, 'c', options.conduit);
  add(text, 'h', options.shared_heap);
  add(text, 't', options.stats);
  add(text, 'r', options.trace);
  add(text, 'w', options.stall_report);
  add(text, 'p', options.program);
  add(text, '0', options.argv0);
  for (const std::string& argument : options.arguments) add(text, 'a', argument);
  for (const std::string& variable : environment) add(text, 'e', variable);
  return text;
}

std::string Subtree::format() const {
  std::string text;
  for (const Host& host : hosts) add(text, 'H', std::to_string(host.slots) + " " + host.name);
  add(text, 'F', std::to_string(fanout));
  add(text, 'R', rsh);
  add(text, 'Y', std::to_string(static_cast<int>(system)));
  add(text, 'J', allocation_id);
  add(text, 'T', std::to_string(start_timeout));
  add(text, 'V', verbose ? "1" : "0");
  return text;
}

bool LaunchSpec::parse(std::string_view text, LaunchSpec* out) {
  LaunchSpec launch_spec;
  unsigned bind = 0, map_by = 0, system = 0;
  Subtree& subtree = launch_spec.subtree;
  while (!text.empty()) {
    const std::size_t end = text.find('\0');
    if (end == text.npos || end == 0) return false;
    const char kind = text[0];
    const std::string value(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
    switch (kind) {
      // clang-format off
      case 'n': if (!to_number(value, &launch_spec.options.threads)) return false; break;
      case 'k': if (!to_number(value, &launch_spec.options.pthreads)) return false; break;
      case 's': if (!to_number(value, &launch_spec.processes)) return false; break;
      case 'b': if (!to_number(value, &bind) || bind > static_cast<unsigned>(Bind::kSocket)) return false; break;
      case 'o': if (!to_number(value, &map_by) || map_by > static_cast<unsigned>(MapBy::kSocket)) return false; break;
      case 'u': if (!to_number(value, &launch_spec.options.cpus_per_process)) return false; break;
      case 'g': launch_spec.options.gasnet = value == "1"; break;
      case 'm': launch_spec.merged_output = value == "1"; break;
      case 'i': launch_spec.job_id = value; break;
      case 'd': launch_spec.folder = value; break;
      case 'c': launch_spec.options.conduit = value; break;
      case 'h': launch_spec.options.shared_heap = value; break;
      case 't': launch_spec.options.stats = value; break;
      case 'r': launch_spec.options.trace = value; break;
      case 'w': launch_spec.options.stall_report = value; break;
      case 'p': launch_spec.options.program = value; break;
      case '0': launch_spec.options.argv0 = value; break;
      case 'a': launch_spec.options.arguments.push_back(value); break;
      case 'e': launch_spec.environment.push_back(value); break;
      case 'H': if (!parse_host(value, subtree.hosts)) return false; break;
      case 'F': if (!to_number(value, &subtree.fanout)) return false; break;
      case 'R': subtree.rsh = value; break;
      case 'Y': if (!to_number(value, &system) || system > static_cast<unsigned>(BatchSystem::kSge)) return false; break;
      case 'J': subtree.allocation_id = value; break;
      case 'T': if (!to_number(value, &subtree.start_timeout)) return false; break;
      case 'V': subtree.verbose = value == "1"; break;
      default: return false;
        // clang-format on
    }
  }
  launch_spec.options.bind = static_cast<Bind>(bind);
  launch_spec.options.map_by = static_cast<MapBy>(map_by);
  subtree.system = static_cast<BatchSystem>(system);
  if (launch_spec.options.threads == 0 || launch_spec.options.pthreads == 0 ||
      launch_spec.options.program.empty())
    return false;
  *out = std::move(launch_spec);
  return true;
}

std::vector<std::string> exported_environment() {
  std::vector<std::string> all;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view name = name_of(*at);
    if (!name.empty() && !is_upcrun_variable(name) && !among(name, kHostVariables)) all.emplace_back(*at);
  }
  return all;
}

void apply_environment(const std::vector<std::string>& environment) {
  for (const std::string& variable : environment) {
    const std::string name(name_of(variable));
    if (name.size() == variable.size() || is_upcrun_variable(name)) continue;
    if (among(name, kLauncherVariables) && ::getenv(name.c_str()) != nullptr) continue;
    ::setenv(name.c_str(), variable.c_str() + name.size() + 1, 1);
  }
}

void clear_outer_job() { upcr::clear_launcher_environment(); }

}  // namespace upcrun
