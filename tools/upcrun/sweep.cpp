// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/sweep.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <utility>

#include "tools/upcrun/clock.hpp"

namespace upcrun {
namespace {

struct Entry {
  pid_t pid, parent;
  unsigned flags;
  std::string name;
  bool mine;
};

// Reads "pid (name) state parent group session tty tty-group flags ..."; the name may hold anything,
// parentheses included.
bool read_entry(pid_t pid, Entry* out) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[512];
  const ssize_t got = ::read(fd, text, sizeof text - 1);
  ::close(fd);
  if (got <= 0) return false;
  text[got] = '\0';
  const char *start = std::strchr(text, '('), *rest = std::strrchr(text, ')');
  int parent = 0;
  unsigned flags = 0;
  if (start == nullptr || rest == nullptr ||
      std::sscanf(rest + 1, " %*c %d %*d %*d %*d %*d %u", &parent, &flags) != 2)
    return false;
  *out = {pid, parent, flags, std::string(start + 1, rest), false};
  return true;
}

std::vector<Entry> processes() {
  std::vector<Entry> all;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return all;
  while (const dirent* entry = ::readdir(folder)) {
    const pid_t pid = std::atoi(entry->d_name);
    Entry found;
    if (pid > 0 && read_entry(pid, &found)) all.push_back(std::move(found));
  }
  ::closedir(folder);
  return all;
}

// Takes the status of every child that has ended. False when there is no child at all.
bool reap() {
  pid_t pid;
  while ((pid = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
  }
  return pid == 0;
}

// Those of this name and what descends from them are left out.
std::vector<pid_t> descendants_without(std::string_view name) {
  std::vector<Entry> all = processes();
  std::vector<pid_t> found = {::getpid()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (Entry& entry : all) {
      if (entry.mine || entry.parent != found[i] || (!name.empty() && entry.name == name)) continue;
      entry.mine = true;
      found.push_back(entry.pid);
    }
  }
  found.erase(found.begin());
  return found;
}

}  // namespace

void become_subreaper() { (void)::prctl(PR_SET_CHILD_SUBREAPER, 1); }

bool is_exiting(pid_t pid) {
  constexpr unsigned kExiting = 0x4;  // PF_EXITING of the kernel
  Entry entry;
  return read_entry(pid, &entry) && (entry.flags & kExiting) != 0;
}

std::vector<pid_t> descendants() { return descendants_without({}); }

void signal_descendants(int signal) {
  for (const pid_t pid : descendants()) {
    (void)::kill(pid, signal);
    if (signal != SIGKILL) (void)::kill(pid, SIGCONT);  // one that is stopped could not obey
  }
}

void sweep(long grace_ms, int signal, const Exception& exception) {
  const Milliseconds deadline = now_ms() + grace_ms, last = now_ms() + std::max(grace_ms, exception.grace_ms);
  while (reap()) {
    if (signal != 0) signal_descendants(std::exchange(signal, 0));
    if (now_ms() >= deadline)
      for (const pid_t pid : descendants_without(now_ms() < last ? exception.name : ""))
        (void)::kill(pid, SIGKILL);
    const timespec pause{0, 5'000'000};
    (void)::nanosleep(&pause, nullptr);
  }
}

}  // namespace upcrun
