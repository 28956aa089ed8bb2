// SPDX-License-Identifier: BSD-3-Clause
// How an agent finds its job and proves that it belongs to it: the variable that the launcher (mpirun, ssh)
// passes on, and the agent's first frames. Both sides prove themselves: the agent sends the first half of the
// job token, upcrun replies with the whole token, and only then does the agent send the secret.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace upcrun {

// Passed in the environment, never on a command line, which every user of the host can read.
inline constexpr char kAgentVariable[] = "UPCR_AGENT";

struct Credentials {
  std::string greeting;  // 16 hexadecimal digits: the agent says the first half, upcrun answers the whole
  std::string secret;    // 32: 128 random bits, which the agent says then

  std::string knock() const { return greeting.substr(0, greeting.size() / 2); }

  // Made of the system's random numbers. Throws Failure.
  static Credentials make();
};

// The value of the variable: "1;TOKEN;SECRET;PORT;ADDRESS[;ADDRESS...]".
struct Rendezvous {
  Credentials credentials;
  unsigned port = 0;
  std::vector<std::string> addresses;  // numeric, IPv4 or IPv6, in the order in which to try them

  std::string format() const;
  static std::optional<Rendezvous> parse(std::string_view text);
};

struct Hello {
  // As the rank: this is no agent, but the news that `host` could not be reached (remote_shell_proxy.hpp),
  // and `size` is the exit status of what tried.
  static constexpr int kUnreachable = -2;

  int version = 0;
  std::string secret;
  int rank = -1;  // -1: unknown, the launcher has set no variable
  int size = -1;  // of the launcher's job; -1: unknown
  int pid = 0;
  std::string host;

  std::string format() const;
  static std::optional<Hello> parse(std::string_view text);
};
inline constexpr std::size_t kMaxHelloBytes = 512;

// Whether the two are the same, in a time that depends on the first one's length only.
bool same_secret(std::string_view expected, std::string_view said) noexcept;

// The variables by which mpirun or srun gives a process its rank and size; -1 where they are not set.
struct LauncherVariables {
  int rank = -1, size = -1;
  int host_rank = 0, host_size = 1;  // among the processes of this host, if it told
  int processes = 1;                 // that this agent is to start, `rank` and those after it
  std::string said_by;               // the variable that told the rank
};
LauncherVariables read_launcher_variables();

}  // namespace upcrun
