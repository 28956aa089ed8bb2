// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/launch/mpirun.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/base/program.hpp"
#include "tools/upcrun/base/text.hpp"
#include "tools/upcrun/protocol/hello.hpp"

namespace upcrun {
namespace {

constexpr int kNotFound = 127, kWrongUse = 2;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string version_text(const std::string& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      ::popen((shell_quoted(path) + " --version 2>&1 </dev/null").c_str(), "re"), ::pclose);
  std::string text(4096, '\0');
  text.resize(pipe ? std::fread(text.data(), 1, text.size(), pipe.get()) : 0);
  return text;
}

bool is_program(const std::string& path) {
  try {
    return !find_program(path).empty();
  } catch (const Failure&) {
    return false;
  }
}

// Open MPI takes its installation prefix from the path by which mpirun is called. For /bin/mpirun that is the
// root, which it refuses; /bin is a link to /usr/bin there.
Mpirun below_usr(Mpirun mpirun) {
  const std::filesystem::path file = mpirun.path;
  std::error_code error;
  if (file.parent_path().parent_path() != "/") return mpirun;
  const std::filesystem::path folder = std::filesystem::canonical(file.parent_path(), error);
  if (!error) mpirun.path = (folder / file.filename()).string();
  return mpirun;
}

// The first mpirun in PATH, of library `wanted` unless that is kNone. Folders count in the order of PATH, and
// within a folder names in that of kMpirunNames.
std::optional<Mpirun> mpirun_in_path(MpiLibrary wanted) {
  for (const std::string& folder : path_folders())
    for (const auto& [name, named] : kMpirunNames) {
      const std::string path = folder + "/" + name;
      if (wanted != MpiLibrary::kNone && named != MpiLibrary::kNone && named != wanted) continue;
      if (!is_program(path)) continue;
      const MpiLibrary library = named != MpiLibrary::kNone ? named : library_of_version(version_text(path));
      if (library != MpiLibrary::kNone && (wanted == MpiLibrary::kNone || library == wanted))
        return below_usr({path, library, {}});
    }
  return std::nullopt;
}

const char* package_of(MpiLibrary library) { return library == MpiLibrary::kMpich ? "mpich" : "openmpi-bin"; }

MpiLibrary wanted_by_user() {
  const std::string name = environment("UPCR_MPI_LIBRARY");
  if (name.empty() || name == "auto") return MpiLibrary::kNone;
  if (name == "openmpi") return MpiLibrary::kOpenMpi;
  if (name == "mpich") return MpiLibrary::kMpich;
  throw Failure{kWrongUse, "UPCR_MPI_LIBRARY is '" + name + "': expected auto, openmpi or mpich"};
}

MpiLibrary linked_by(const std::string& program) {
  for (const std::string& library : needed_libraries(program))
    if (const MpiLibrary found = upcr::mpi_library_of_file(library); found != MpiLibrary::kNone) return found;
  return MpiLibrary::kNone;
}

Mpirun check(Mpirun mpirun, MpiLibrary wanted, const std::string& by) {
  mpirun.library = library_of_version(version_text(mpirun.path));
  if (mpirun.library == MpiLibrary::kNone)
    throw Failure{
        kWrongUse,
        "UPCR_MPIRUN=" + mpirun.path +
            ": `--version` names neither Open MPI nor MPICH's hydra, which are what upcrun supports; name one of their "
            "mpiruns"};
  if (wanted != MpiLibrary::kNone && wanted != mpirun.library)
    throw Failure{kWrongUse, "UPCR_MPIRUN=" + mpirun.path + " belongs to " +
                                 upcr::mpi_library_name(mpirun.library) + ", " + by + " " +
                                 upcr::mpi_library_name(wanted) +
                                 "; name the mpirun of the same library, or unset it"};
  mpirun.why = "UPCR_MPIRUN";
  return mpirun;
}

// Whether mpirun itself knows which hosts the batch system has given to the job. Distributions build Open MPI
// without the libraries of PBS and LSF, so there upcrun names the hosts.
bool mpirun_knows_hosts(const Allocation& allocation) {
  return allocation.hosts.empty() || allocation.system == BatchSystem::kSlurm ||
         allocation.system == BatchSystem::kSge;
}

// Under a batch system mpirun knows the hosts of the job, which may not include this one.
bool batch_system() {
  for (const char* name : {"SLURM_JOB_ID", "SLURM_JOBID", "PBS_JOBID", "LSB_JOBID", "PE_HOSTFILE",
                           "LOADL_STEP_ID", "COBALT_JOBID", "FLUX_URI"})
    if (!environment(name).empty()) return true;
  return false;
}

std::string host_list(const std::vector<Host>& hosts) {
  std::string arguments;
  for (const Host& host : hosts)
    arguments += (arguments.empty() ? "" : ",") + host.name + ":" + std::to_string(host.slots);
  return arguments;
}

}  // namespace

MpiLibrary library_of_version(const std::string& text) {
  if (text.find("Open MPI") != text.npos || text.find("OpenRTE") != text.npos) return MpiLibrary::kOpenMpi;
  if (text.find("HYDRA") != text.npos) return MpiLibrary::kMpich;
  return MpiLibrary::kNone;
}

Mpirun find_mpirun(const std::string& program) {
  const MpiLibrary user = wanted_by_user(), linked = linked_by(program);
  if (user != MpiLibrary::kNone && linked != MpiLibrary::kNone && user != linked)
    throw Failure{kWrongUse, std::string("UPCR_MPI_LIBRARY asks for ") + upcr::mpi_library_name(user) +
                                 ", but '" + program + "' is linked with " + upcr::mpi_library_name(linked) +
                                 "; unset it, or link the program anew"};
  const MpiLibrary wanted = user != MpiLibrary::kNone ? user : linked;
  const std::string by =
      user != MpiLibrary::kNone ? "UPCR_MPI_LIBRARY asks for" : "the program is linked with";
  const char* named = ::secure_getenv("UPCR_MPIRUN");
  if (named != nullptr && *named != '\0')
    return below_usr(check({find_program(named), MpiLibrary::kNone, {}}, wanted, by));
  if (auto found = mpirun_in_path(wanted)) {
    found->why =
        wanted != MpiLibrary::kNone ? by + " " + upcr::mpi_library_name(wanted) : "the first one found";
    return *found;
  }
  if (wanted != MpiLibrary::kNone)
    throw Failure{kNotFound, "no mpirun of " + std::string(upcr::mpi_library_name(wanted)) +
                                 " in PATH, and " + by + " it; install it (Debian: " + package_of(wanted) +
                                 "), or name it in UPCR_MPIRUN"};
  throw Failure{kNotFound,
                "the conduit mpi needs mpirun to start the processes, and there is none in PATH; install "
                "Open MPI or MPICH (Debian: openmpi-bin or mpich), or name one in UPCR_MPIRUN; over RDMA "
                "devices `upcrun --conduit ibv` starts them by ssh, without mpirun"};
}

std::vector<Host> hosts_for_mpirun(const Options& options, unsigned processes) {
  std::vector<Host> hosts = named_hosts(options, processes);
  if (hosts.empty() && !mpirun_knows_hosts(options.allocation)) hosts = allocated_hosts(options, processes);
  for (const Host& host : hosts)
    if (host.name.find(':') != host.name.npos)
      throw Failure{kWrongUse,
                    "host '" + host.name +
                        "' is an IPv6 address, whose colons mpirun takes for a number of processes; "
                        "give the host a name (in DNS or /etc/hosts) and use that"};
  if (!hosts.empty() || (batch_system() && !options.local_only)) return hosts;
  return {{"localhost", processes}};
}

// A batch system starts the daemons itself.
bool needs_remote_shell_proxy(const Mpirun& mpirun, const Options& options, const std::vector<Host>& hosts) {
  return mpirun.library == MpiLibrary::kMpich &&
         (!options.rsh.empty() || (!hosts.empty() && !all_on_this_host(hosts)));
}

std::vector<std::string> mpirun_command(const Mpirun& mpirun, const Plan& plan,
                                        const std::vector<Host>& hosts, const std::string& self) {
  std::vector<std::string> arguments = {mpirun.path};
  const auto add = [&arguments](std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more);
  };
  const Options& options = plan.options;
  const unsigned per_host = options.host_slots != 0 ? options.host_slots
                            : options.host_count != 0
                                ? (plan.processes + options.host_count - 1) / options.host_count
                                : 0;
  const bool open = mpirun.library == MpiLibrary::kOpenMpi;
  if (open) {
    if (::geteuid() == 0) add({"--allow-run-as-root"});
    // Each agent binds the processes of its host.
    add({"--oversubscribe", "--bind-to", "none"});
    // plm_rsh_no_tree_spawn: every host is reached from here, not from host to host.
    if (options.rsh.find(':') != options.rsh.npos)
      throw Failure{kWrongUse,
                    "--rsh '" + options.rsh +
                        "' has a colon, which separates alternatives for Open MPI's mpirun; use a path "
                        "without one"};
    // Otherwise mpirun would use the batch system.
    if (!options.rsh.empty() && batch_system()) add({"--mca", "plm", "rsh"});
    if (!options.rsh.empty())
      add({"--mca", "plm_rsh_agent", options.rsh, "--mca", "plm_rsh_no_tree_spawn", "1"});
    if (!hosts.empty()) add({"--host", host_list(hosts), "--map-by", "slot"});
    if (hosts.empty() && per_host != 0) add({"--map-by", "ppr:" + std::to_string(per_host) + ":node"});
    add({"-x", kAgentVariable});  // only the name, because ps would show the value
  } else {
    add({"-bind-to", "none", "-genvlist", kAgentVariable});
    if (needs_remote_shell_proxy(mpirun, options, hosts))
      add({"-launcher", options.rsh.empty() ? "ssh" : "rsh", "-launcher-exec", self});
    if (!hosts.empty()) add({"-hosts", host_list(hosts)});
    if (hosts.empty() && per_host != 0) add({"-ppn", std::to_string(per_host)});
  }
  add({"-n", std::to_string(plan.processes), self, "--agent"});
  return arguments;
}

}  // namespace upcrun
