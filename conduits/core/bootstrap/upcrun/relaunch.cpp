// SPDX-License-Identifier: BSD-3-Clause
// A program that was started by hand with UPCR_THREADS=N becomes `upcrun -n N` of itself.
// Main thread, before the library has started anything.
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "conduits/core/base/modules.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/bootstrap/upcrun/bootstraps.hpp"

namespace upcr {
namespace {

bool is_program(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && S_ISREG(st.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string find_in_path(const char* name) {
  const char* path = ::secure_getenv("PATH");
  for (const char* at = path; at != nullptr;) {
    const char* end = std::strchr(at, ':');
    const std::string folder = end != nullptr ? std::string(at, end) : std::string(at);
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_program(candidate)) return candidate;
    at = end != nullptr ? end + 1 : nullptr;
  }
  return {};
}

std::string find_upcrun(unsigned threads) {
  if (const char* set = ::secure_getenv("UPCRUN"); set != nullptr && *set != '\0') {
    if (!is_program(set))
      fatal("UPCRUN=%s: not an executable file; set it to the path of upcrun, or unset it", set);
    return set;
  }
  const std::string folder = library_folder();
  if (!folder.empty()) {
    // bin/ beside lib/ (installed, or a build tree), or beside lib/ARCHITECTURE.
    for (const char* path : {"/../bin/upcrun", "/../../bin/upcrun"})
      if (is_program(folder + path)) return folder + path;
  }
  std::string found = find_in_path("upcrun");
  if (found.empty())
    fatal(
        "UPCR_THREADS=%u needs upcrun to start the processes, and it is neither in %s/../bin nor in PATH; "
        "set UPCRUN to its path, or run `upcrun -n %u PROGRAM` yourself",
        threads, folder.empty() ? "(unknown)" : folder.c_str(), threads);
  return found;
}

}  // namespace

[[noreturn]] void relaunch(unsigned threads, unsigned pthreads, const char* conduit, char** argv) {
  char self[PATH_MAX];
  const ssize_t length = ::readlink("/proc/self/exe", self, sizeof self - 1);
  if (length < 0)
    fatal_errno("UPCR_THREADS=%u: cannot read /proc/self/exe to start this program again", threads);
  self[length] = '\0';
  const std::string upcrun = find_upcrun(threads);
  if (std::getenv(wire::kRelaunchVariable) != nullptr)
    fatal(
        "UPCR_THREADS=%u: '%s' started this program without making it part of a job; set UPCRUN to the "
        "upcrun of this installation",
        threads, upcrun.c_str());
  setenv(wire::kRelaunchVariable, "1", 1);

  std::vector<std::string> command = {upcrun, "-n", std::to_string(threads)};
  if (pthreads != 0) command.insert(command.end(), {"--pthreads", std::to_string(pthreads)});
  const char* const chosen = std::getenv("UPCR_CONDUIT");
  if (conduit != nullptr && (chosen == nullptr || *chosen == '\0')) setenv("UPCR_CONDUIT", conduit, 1);
  if (argv != nullptr && argv[0] != nullptr) command.insert(command.end(), {"--argv0", argv[0]});
  command.insert(command.end(), {"--", self});
  std::vector<char*> args;
  for (std::string& argument : command) args.push_back(argument.data());
  for (char** arg = argv; arg != nullptr && *arg != nullptr; ++arg)
    if (arg != argv) args.push_back(*arg);
  args.push_back(nullptr);
  ::execv(upcrun.c_str(), args.data());
  fatal_errno("UPCR_THREADS=%u: cannot run '%s'", threads, upcrun.c_str());
}

}  // namespace upcr
