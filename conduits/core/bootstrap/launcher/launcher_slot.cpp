// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/bootstrap/launcher/launcher_slot.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "conduits/core/bootstrap/upcrun/wire.hpp"

namespace upcr {
namespace {

// The variables by which a process finds its slot in a job of MPI. A star at the end matches anything.
constexpr std::string_view kSlotVariables[] = {
    "OMPI_COMM_WORLD_*", "OMPI_UNIVERSE*", "PMI_*",         "PMIX_RANK", "PMIX_NAMESPACE",  "PMIX_ID",
    "PMIX_HOSTNAME",     "PMIX_DSTORE_*",  "PMIX_SERVER_*", "HYDI_*",    "MPI_LOCALRANKID", "MPI_LOCALNRANKS",
};
// The variables of Open MPI's daemons in each process that mpirun starts. As parameters of MCA a user could
// set them, but in such a process they are mpirun's.
constexpr std::string_view kOpenMpiDaemonVariables[] = {
    "OMPI_MCA_ess",
    "OMPI_MCA_ess_base_*",
    "OMPI_MCA_orte_ess_*",
    "OMPI_MCA_orte_hnp_uri",
    "OMPI_MCA_orte_launch",
    "OMPI_MCA_orte_local_daemon_uri",
    "OMPI_MCA_orte_jobfam_session_dir",
    "OMPI_MCA_orte_top_session_dir",
    "OMPI_MCA_orte_precondition_transports",
    "OMPI_MCA_pmix",
};

template <std::size_t n>
bool matches(std::string_view name, const std::string_view (&patterns)[n]) {
  for (std::string_view pattern : patterns) {
    if (name == pattern) return true;
    if (pattern.back() == '*' && name.starts_with(pattern.substr(0, pattern.size() - 1))) return true;
  }
  return false;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::string(name) + "=" + value + "," : std::string();
}

// Distinguishes this slot from all others; empty when there is none.
std::string slot_of_environment() {
  std::string slot;
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
                           "PMI_FD", "PMI_PORT", "SLURM_PROCID", "SLURM_JOB_ID", "SLURM_STEP_ID"})
    slot += variable(name);
  return slot;
}

// The inode of the connection to Hydra, whose variables are the same in every job of as many processes. 0
// when there is none.
unsigned long long connection() {
  const char* fd = std::getenv("PMI_FD");
  struct stat about {};
  if (fd == nullptr || ::fstat(std::atoi(fd), &about) != 0 || !S_ISSOCK(about.st_mode)) return 0;
  return about.st_ino;
}

}  // namespace

void mark_launcher_slot_used() {
  const std::string slot = slot_of_environment();
  if (slot.empty()) return;
  const char* conduit = std::getenv("UPCR_CONDUIT");
  const std::string text =
      std::to_string(connection()) + ";" + (conduit != nullptr ? conduit : "") + ";" + slot;
  ::setenv(wire::kLauncherSlotVariable, text.c_str(), 1);
}

bool clear_used_launcher_slot() {
  const char* const used = std::getenv(wire::kLauncherSlotVariable);
  if (used == nullptr) return false;
  const std::string text = used;
  ::unsetenv(wire::kLauncherSlotVariable);
  const std::size_t first = text.find(';');
  const std::size_t second = first == text.npos ? text.npos : text.find(';', first + 1);
  if (second == text.npos || text.substr(second + 1) != slot_of_environment()) return false;
  // The descriptor is closed or inherited; another connection is a launcher's new one.
  const unsigned long long now = connection();
  if (now != 0 && std::to_string(now) != text.substr(0, first)) return false;
  const char* const conduit = std::getenv("UPCR_CONDUIT");
  if (conduit != nullptr && text.substr(first + 1, second - first - 1) == conduit) ::unsetenv("UPCR_CONDUIT");
  clear_launcher_environment();
  for (const char* name : {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS"}) ::unsetenv(name);
  return true;
}

void clear_launcher_environment() {
  const bool open_mpi = std::getenv("OMPI_COMM_WORLD_RANK") != nullptr;
  std::vector<std::string> names;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry = *at, name = entry.substr(0, entry.find('='));
    if (matches(name, kSlotVariables) || (open_mpi && matches(name, kOpenMpiDaemonVariables)))
      names.emplace_back(name);
  }
  for (const std::string& name : names) ::unsetenv(name.c_str());
}

}  // namespace upcr
