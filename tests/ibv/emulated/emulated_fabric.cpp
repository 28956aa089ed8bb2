// SPDX-License-Identifier: BSD-3-Clause
// emulated_fabric possible: ends with status 77 and the reason if processes cannot reach each other's memory
// here. emulated_fabric port DEVICE NUMBER down|up: changes the state of a port, as emu0 1; processes that
// use the fabric of EMULATED_VERBS_DIR get the event.
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/ibv/emulated/fabric/ports.hpp"

namespace {

constexpr int kSkipped = 77;

// A child reads its sibling, as processes of a job are siblings.
int possible() {
  int ready[2];
  if (::pipe(ready) != 0) return 1;
  static const char kByte = 1;
  const pid_t sleeper = ::fork();
  if (sleeper == 0) {
    (void)::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::write(ready[1], &kByte, 1) != 1) ::_exit(1);
    ::pause();
  }
  const pid_t reader = ::fork();
  if (reader == 0) {
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1) ::_exit(1);
    iovec to{&byte, 1}, from{const_cast<char*>(&kByte), 1};
    ::_exit(::process_vm_readv(sleeper, &to, 1, &from, 1, 0) == 1 ? 0 : errno);
  }
  int status = 0;
  ::waitpid(reader, &status, 0);
  ::kill(sleeper, SIGKILL);
  ::waitpid(sleeper, nullptr, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
  std::printf("SKIP: emulated verbs: process_vm_readv: %s (kernel.yama.ptrace_scope, or seccomp)\n",
              std::strerror(WEXITSTATUS(status)));
  return kSkipped;
}

int set_port(const char* device, const char* number, bool down) {
  if (std::strncmp(device, "emu", 3) != 0) return 2;
  emulated::Guard guard;
  const auto n = static_cast<unsigned>(std::atoi(device + 3));
  if (n < emulated::kMaxDevices &&
      emulated::set_port_down(guard.fabric(), n, static_cast<unsigned>(std::atoi(number)), down))
    return 0;
  std::fprintf(stderr, "emulated_fabric: there is no port %s:%s\n", device, number);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "possible") == 0) return possible();
  if (argc == 5 && std::strcmp(argv[1], "port") == 0)
    return set_port(argv[2], argv[3], std::strcmp(argv[4], "down") == 0);
  std::fprintf(stderr, "usage: emulated_fabric possible | port DEVICE NUMBER down|up\n");
  return 2;
}
