// SPDX-License-Identifier: BSD-3-Clause
// gasnett_print_backtrace: the mechanisms that write a backtrace, and their choice. Printing allocates
// nothing, so that signal handlers may do it. Any thread.
#include <fcntl.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "conduits/api/gasnet/tools/numbers.hpp"
#include "conduits/api/gasnet/tools/tools.hpp"
#include "conduits/core/base/config/config_parse.hpp"
#include "conduits/core/base/report/backtrace.hpp"
#include "conduits/core/base/system/privileges.hpp"
#include "conduits/core/base/system/text.hpp"
#include "include/gasnet/tools/environment.h"
#include "include/gasnet/tools/errors.h"

extern "C" {
// A program's own definition replaces it.
__attribute__((weak)) gasnett_backtrace_type_t gasnett_backtrace_user = {nullptr, nullptr, 0};
}

namespace upcr::gasnet {
namespace {

char types[512] = "";  // GASNET_BACKTRACE_TYPE at gasnett_backtrace_init()
bool initialised = false;

// GASNET_BACKTRACE and GASNET_BACKTRACE_NODES, never freed. Copies for signal handlers: the interrupted
// thread may hold the lock of the job's environment.
std::atomic<const char*> wanted{nullptr}, nodes_wanted{nullptr};

// A mechanism of this library; the program's comes in addition.
struct Mechanism {
  const char* name;
  int (*write)(int fd);
};

int by_library(int fd) {
  upcr::print_backtrace(fd);
  return 0;
}

// Runs gdb on this process.
int by_gdb(int fd) {
  if (upcr::has_privileges()) return 1;  // PATH is its user's, who must not choose the program
  char pid[24];
  SafeText(pid, sizeof pid).add_number(static_cast<std::uint64_t>(getpid()));
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  const pid_t child = fork();
  if (child == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(fd, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execlp("gdb", "gdb", "-nx", "-batch", "-ex", "set pagination off", "-ex", "thread apply all backtrace",
           "-p", pid, static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : 1;
}

constexpr Mechanism kMechanisms[] = {{"EXECINFO", by_library}, {"GDB", by_gdb}};

bool same_name(std::string_view word, const char* name) noexcept {
  return std::strlen(name) == word.size() && strncasecmp(name, word.data(), word.size()) == 0;
}

// 0: written; non-zero: it failed, or there is no such mechanism.
int write_by(std::string_view word, int fd) {
  const gasnett_backtrace_type_t& own = gasnett_backtrace_user;
  if (own.name != nullptr && own.fnp != nullptr && same_name(word, own.name)) return own.fnp(fd);
  for (const Mechanism& mechanism : kMechanisms)
    if (same_name(word, mechanism.name)) return mechanism.write(fd);
  return 1;
}

void print_line(int fd, const char* line) { write_all(fd, line, std::strlen(line)); }

int print_if_enabled(int fd) {
  const bool in_job = tools_job().getenv != nullptr;
  const char* choice = in_job ? wanted.load() : std::getenv("GASNET_BACKTRACE");
  bool yes = false;
  if (choice == nullptr || !parse_bool(choice, &yes) || !yes) return 1;
  const char* nodes = in_job ? nodes_wanted.load() : std::getenv("GASNET_BACKTRACE_NODES");
  const long node = tools_job().node;
  if (nodes != nullptr && *nodes != '\0' && node >= 0 && !in_list(nodes, node)) return 1;
  if (!initialised) return by_library(fd);
  return gasnett_print_backtrace(fd);
}

}  // namespace

void read_backtrace_choice() {
  wanted.store(gasnett_getenv("GASNET_BACKTRACE"));
  nodes_wanted.store(gasnett_getenv("GASNET_BACKTRACE_NODES"));
}

void backtrace_if_enabled() { (void)gasnett_print_backtrace_ifenabled(STDERR_FILENO); }

extern "C" {

GASNETI_API int (*gasnett_print_backtrace_ifenabled)(int fd) = print_if_enabled;

GASNETI_API void gasnett_backtrace_init(const char* exename) {
  (void)exename;  // the library reads /proc/self/exe
  char usual[sizeof types] = "";
  upcr::SafeText text(usual, sizeof usual);
  if (gasnett_backtrace_user.name != nullptr) text.add(gasnett_backtrace_user.name).add(",");
  text.add("EXECINFO,GDB");
  const char* chosen = gasnett_getenv_withdefault("GASNET_BACKTRACE_TYPE", usual);
  upcr::SafeText(types, sizeof types).add(chosen);
  read_backtrace_choice();
  initialised = true;
}

GASNETI_API int gasnett_print_backtrace(int fd) {
  if (!initialised) {
    print_line(fd, "*** WARNING: no backtrace: gasnett_backtrace_init() has not been called\n");
    return 1;
  }
  std::string_view rest = types;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view word = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    if (!word.empty() && write_by(word, fd) == 0) return 0;
  }
  print_line(fd, "*** WARNING: no backtrace: none of the mechanisms in GASNET_BACKTRACE_TYPE works here\n");
  return 1;
}

}  // extern "C"

}  // namespace upcr::gasnet
