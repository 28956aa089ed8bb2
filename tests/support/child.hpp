// SPDX-License-Identifier: BSD-3-Clause
// Runs a function in a forked child and returns its output and its status: for tests of code that ends a
// process, or depends on the environment or on state that a process has once.
// The calling process must have one thread.
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace upcr::test {

struct ChildResult {
  int pid = 0;
  int wait_status = 0;
  std::string out, err;

  bool exited(int status) const { return WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == status; }
  bool died_of(int signal) const { return WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == signal; }
  // stderr without backtrace lines, and with the child's pid written as PID.
  std::string message() const {
    std::string text;
    for (std::size_t at = 0; at < err.size();) {
      const std::size_t end = std::min(err.find('\n', at), err.size());
      const std::string line = err.substr(at, end - at);
      if (line.rfind("[upcr", 0) != 0 || line.find("] #") == std::string::npos) text += line + "\n";
      at = end + 1;
    }
    const std::string number = "pid " + std::to_string(pid);
    for (std::size_t at; (at = text.find(number)) != std::string::npos;)
      text.replace(at, number.size(), "pid PID");
    return text;
  }
  bool has_backtrace() const { return err.find("] #0 ") != std::string::npos; }
};

// Removes the runtime's variables from the environment.
inline void clear_environment() {
  std::vector<std::string> names;
  for (char** e = environ; *e != nullptr; ++e) {
    const std::string entry = *e;
    if (entry.rfind("UPC", 0) == 0 || entry.rfind("GASNET_", 0) == 0)
      names.push_back(entry.substr(0, entry.find('=')));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

// `child` runs with a clean environment and no core dumps; returning from it is exit status 0.
// `parent(pid)` runs here meanwhile.
template <typename Child, typename Parent>
ChildResult run_child(Child&& child, Parent&& parent) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) abort();
  std::fflush(nullptr);
  ChildResult result;
  result.pid = fork();
  if (result.pid == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    for (int fd : {out[0], out[1], err[0], err[1]}) close(fd);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    clear_environment();
    child();
    std::fflush(nullptr);
    _exit(0);
  }
  close(out[1]);
  close(err[1]);
  parent(result.pid);
  pollfd fds[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  std::string* texts[2] = {&result.out, &result.err};
  for (int open = 2; open > 0;) {
    poll(fds, 2, -1);
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      char buf[4096];
      const ssize_t n = read(fds[i].fd, buf, sizeof buf);
      if (n > 0) {
        texts[i]->append(buf, static_cast<std::size_t>(n));
      } else {
        close(fds[i].fd);
        fds[i].fd = -1;
        --open;
      }
    }
  }
  waitpid(result.pid, &result.wait_status, 0);
  return result;
}

template <typename Child>
ChildResult run_child(Child&& child) {
  return run_child(child, [](int) {});
}

}  // namespace upcr::test
