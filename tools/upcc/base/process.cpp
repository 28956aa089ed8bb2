// SPDX-License-Identifier: BSD-3-Clause
// See process.hpp.
#include "tools/upcc/base/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/upcc/base/temp_dir.hpp"

extern char** environ;

namespace upcc {

CommandMode command_mode;

namespace {

volatile sig_atomic_t ending_signal = 0;
volatile pid_t child = 0;

void on_signal(int number) {
  ending_signal = number;
  if (child > 0) kill(child, number);
}

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  end_if_signalled();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

pid_t start(const Arguments& command, posix_spawn_file_actions_t* actions) {
  end_if_signalled();
  std::vector<char*> argv;
  for (const std::string& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], actions, nullptr, argv.data(), environ);
  if (error != 0) fatal("cannot run '" + command[0] + "': " + std::strerror(error) + "; is it installed?");
  child = pid;
  if (ending_signal != 0) kill(pid, ending_signal);  // a signal came between the two lines above
  return pid;
}

bool plain_for_shell(const std::string& argument) {
  return !argument.empty() && argument.find_first_not_of(
                                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-+=./,:@%") == std::string::npos;
}

}  // namespace

void fatal(const std::string& message) {
  std::fprintf(stderr, "upcc: %s\n", message.c_str());
  std::exit(1);
}

void note(const std::string& message) { std::fprintf(stderr, "upcc: %s\n", message.c_str()); }
void warn(const std::string& message) { std::fprintf(stderr, "upcc: warning: %s\n", message.c_str()); }

std::string quoted(const Arguments& command) {
  std::string line;
  for (const std::string& argument : command) {
    if (!line.empty()) line += ' ';
    if (plain_for_shell(argument)) {
      line += argument;
      continue;
    }
    line += '\'';
    for (char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

int run(const Arguments& command) {
  if (command_mode.print) std::fprintf(stderr, "%s\n", quoted(command).c_str());
  if (!command_mode.run) return 0;
  return wait_for(start(command, nullptr));
}

std::string output_of(const Arguments& command) {
  std::string output;
  run_and_read(command, output);
  return output;
}

int run_and_read(const Arguments& command, std::string& output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fatal(std::string("cannot make a pipe: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  const pid_t pid = start(command, &actions);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);)
    if (n > 0) output.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  return wait_for(pid);
}

void end_if_signalled() {
  if (ending_signal == 0) return;
  remove_temp_dir();
  signal(ending_signal, SIG_DFL);
  raise(ending_signal);
}

void install_signal_handlers() {
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    struct sigaction before = {};
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;  // nohup
    sigaction(number, &action, nullptr);
  }
}

}  // namespace upcc
