// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/base/process_table.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace upcrun {
namespace {

// The first 1024 bytes of a file; empty when it cannot be read.
std::string read_text(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  char text[1024];
  const ssize_t got = ::read(fd, text, sizeof text);
  ::close(fd);
  return {text, got > 0 ? static_cast<std::size_t>(got) : 0};
}

// The entries of a folder whose names are numbers.
std::vector<pid_t> numbers_in(const std::string& path) {
  std::vector<pid_t> all;
  DIR* folder = ::opendir(path.c_str());
  if (folder == nullptr) return all;
  while (const dirent* entry = ::readdir(folder))
    if (const pid_t number = std::atoi(entry->d_name); number > 0) all.push_back(number);
  ::closedir(folder);
  return all;
}

std::string folder_of(pid_t pid) { return "/proc/" + std::to_string(pid); }

// Reads "pid (name) state parent group session tty tty-group flags ... start"; the name may hold anything,
// parentheses included.
bool read_stat(const std::string& folder, ProcessEntry* out) {
  const std::string text = read_text(folder + "/stat");
  const std::size_t start = text.find('('), end = text.rfind(')');
  if (start == text.npos || end == text.npos) return false;
  out->name = text.substr(start + 1, end - start - 1);
  return std::sscanf(text.c_str() + end + 1,
                     " %c %d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                     &out->state, &out->parent, &out->flags, &out->id.start) == 4;
}

std::vector<std::string> threads_of(pid_t pid) {
  std::vector<std::string> folders;
  const std::string tasks = folder_of(pid) + "/task";
  for (const pid_t thread : numbers_in(tasks)) folders.push_back(tasks + "/" + std::to_string(thread));
  return folders;
}

const char* state_name(char state) {
  switch (state) {
    case 'R':
      return "running in the kernel";
    case 'S':
      return "sleeping";
    case 'D':
      return "uninterruptible, in the kernel";
    case 'T':
      return "stopped";
    case 't':
      return "stopped by a debugger";
    case 'Z':
      return "has ended, but its tracer has not read its status";
    default:
      return "unknown";
  }
}

// A thread of the process that has not ended, if there is one, and its folder in /proc: the first thread may
// have ended, and waits for the others.
bool find_living_thread(pid_t pid, ProcessEntry* out, std::string* folder) {
  folder->clear();
  for (const std::string& thread : threads_of(pid)) {
    ProcessEntry entry;
    if (!read_stat(thread, &entry)) continue;
    if (!folder->empty() && out->state != 'Z') break;
    *out = std::move(entry);
    *folder = thread;
  }
  return !folder->empty();
}

std::string kernel_state(const ProcessEntry& entry, const std::string& folder) {
  std::string function = read_text(folder + "/wchan");
  while (!function.empty() && function.back() == '\n') function.pop_back();
  return std::string("state ") + entry.state + " (" + state_name(entry.state) + ")" +
         (function.empty() || function == "0" ? "" : ", in " + function);
}

}  // namespace

bool read_process(pid_t pid, ProcessEntry* out) {
  out->id.pid = pid;
  return read_stat(folder_of(pid), out);
}

std::vector<ProcessEntry> all_processes() {
  std::vector<ProcessEntry> all;
  for (const pid_t pid : numbers_in("/proc"))
    if (ProcessEntry found; read_process(pid, &found)) all.push_back(std::move(found));
  return all;
}

ProcessId identify(pid_t pid) {
  ProcessEntry entry;
  return read_process(pid, &entry) ? entry.id : ProcessId{};
}

bool is_exiting(pid_t pid) {
  constexpr unsigned kExiting = 0x4;  // PF_EXITING of the kernel
  ProcessEntry entry;
  return read_process(pid, &entry) && (entry.flags & kExiting) != 0;
}

bool is_running(pid_t pid) {
  const std::vector<std::string> threads = threads_of(pid);
  return std::any_of(threads.begin(), threads.end(), [](const std::string& thread) {
    ProcessEntry entry;
    return read_stat(thread, &entry) && entry.state == 'R';
  });
}

std::string describe_kernel_state(pid_t pid) {
  ProcessEntry entry;
  std::string folder;
  return find_living_thread(pid, &entry, &folder) ? kernel_state(entry, folder) : "state unknown";
}

std::string describe_state(pid_t pid) {
  std::string text = "pid " + std::to_string(pid);
  ProcessEntry entry;
  std::string folder;
  if (!find_living_thread(pid, &entry, &folder)) return text;
  return text + " (" + entry.name + "), " + kernel_state(entry, folder);
}

}  // namespace upcrun
