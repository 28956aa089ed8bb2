// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/library/launcher.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "conduits/core/base/system/text.hpp"

namespace upcr::mpi {
namespace {

#ifdef OPEN_MPI

// Open MPI has loaded PMIx into the process already; nothing is linked for it.
struct Pmix {
  int (*abort)(int status, const char* text, void* processes, std::size_t count) = nullptr;
  int (*finalize)(const void* info, std::size_t count) = nullptr;
  int (*initialized)() = nullptr;
} pmix;

template <class Function>
void look_up(void* handle, const char* name, Function* out) {
  *out = reinterpret_cast<Function>(::dlsym(handle, name));
}

#else

// PMI's wire protocol is lines of text on an inherited socket.
int pmi_socket = -1;
bool is_hydra = false;

bool write_line(const char* line, std::size_t length) noexcept {
  return pmi_socket >= 0 && ::send(pmi_socket, line, length, MSG_NOSIGNAL) == static_cast<ssize_t>(length);
}

#endif

}  // namespace

#ifdef OPEN_MPI

void find_launcher() {
  void* handle = ::dlopen("libpmix.so.2", RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) return;
  look_up(handle, "PMIx_Abort", &pmix.abort);
  look_up(handle, "PMIx_Finalize", &pmix.finalize);
  look_up(handle, "PMIx_Initialized", &pmix.initialized);
}

int watched_connection() { return -1; }
const char* watched_process() { return nullptr; }

bool end_job(int status) { return pmix.abort != nullptr && pmix.abort(status, "", nullptr, 0) == 0; }

bool notify_launcher_of_exit() {
  if (pmix.finalize == nullptr || pmix.initialized == nullptr) return false;
  while (pmix.initialized() != 0)  // counted
    if (pmix.finalize(nullptr, 0) != 0) return false;
  return true;
}

bool end_job_from_handler(int) noexcept {
  return false;
}  // mpirun ends the job with the status of a process that ends without this

#else

void find_launcher() {
  if (pmi_socket >= 0) return;
  const char* fd = std::getenv("PMI_FD");
  if (fd != nullptr && *fd >= '0' && *fd <= '9') pmi_socket = std::atoi(fd);
  is_hydra = std::getenv("HYDI_CONTROL_FD") != nullptr || std::getenv("MPI_LOCALNRANKS") != nullptr;
}

int watched_connection() { return pmi_socket >= 0 ? ::fcntl(pmi_socket, F_DUPFD_CLOEXEC, 3) : -1; }

const char* watched_process() {
  return is_hydra || std::getenv("SLURM_STEP_NUM_TASKS") == nullptr ? "hydra_pmi_proxy" : "slurmstepd";
}

bool end_job(int status) { return end_job_from_handler(status); }

bool end_job_from_handler(int status) noexcept {
  char line[48];
  SafeText text(line, sizeof line);
  text.add("cmd=abort exitcode=").add_number(static_cast<unsigned>(status)).add("\n");
  if (!write_line(line, text.size())) return false;
  // The launcher kills this process. If it ended by itself its connection would close, which hydra treats as
  // a failure: it would kill the other processes, and if it noticed that before the abort the job's exit
  // status would be made of theirs.
  const timespec killed_within{2, 0};
  (void)::nanosleep(&killed_within, nullptr);
  return true;
}

bool notify_launcher_of_exit() {
  static constexpr char kLine[] = "cmd=finalize\n";
  if (!write_line(kLine, sizeof kLine - 1)) return false;
  char answer[64];
  pollfd ready{pmi_socket, POLLIN, 0};
  return ::poll(&ready, 1, 1000) == 1 && ::read(pmi_socket, answer, sizeof answer) > 0;
}

bool has_launcher_barrier() { return pmi_socket >= 0 && is_hydra; }

bool enter_launcher_barrier() {
  static constexpr char kLine[] = "cmd=barrier_in\n";
  return write_line(kLine, sizeof kLine - 1);
}

bool launcher_barrier_over() {
  pollfd ready{pmi_socket, POLLIN, 0};
  return ::poll(&ready, 1, 0) == 1;
}

bool leave_launcher_barrier() {
  static constexpr char kReplySize[] = "cmd=barrier_out";
  char line[64];
  for (std::size_t n = 0; n < sizeof line; ++n) {
    ssize_t got;
    while ((got = ::read(pmi_socket, line + n, 1)) < 0 && errno == EINTR) {
    }
    if (got != 1) return false;
    if (line[n] == '\n')
      return n >= sizeof kReplySize - 1 && std::memcmp(line, kReplySize, sizeof kReplySize - 1) == 0;
  }
  return false;
}

#endif

}  // namespace upcr::mpi
