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

// `upcrun --agent`: the environment says where upcrun is and which process this is.
// `upcrun --agent -`: the first line of standard input says so. `upcrun --agent FILE`: the line of a file,
// which the agent removes.
inline constexpr char kAgentOption[] = "--agent", kAgentByInput[] = "-";
inline constexpr char kAgentFile[] = "~/.upcrun-XXXXXX";  // FILE where it is not known yet
// That line, for the agent of `count` processes, whose ranks begin with `first`.
std::string agent_line(unsigned first, unsigned count, const std::string& rendezvous);

struct Credentials {
  std::string job_token;  // 16 hexadecimal digits
  std::string secret;     // 32 hexadecimal digits, 128 random bits

  std::string token_prefix() const { return job_token.substr(0, job_token.size() / 2); }

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
  // As rank: the sender is no agent but reports that `host` could not be reached (remote_shell_proxy.hpp);
  // `size` is then the exit status of the remote shell.
  static constexpr int kHostUnreachable = -2;

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

// Compares in a time that depends on the length of `expected` only.
bool same_secret(std::string_view expected, std::string_view received) noexcept;

// The variables by which mpirun or srun gives a process its rank and size; -1 where they are not set.
struct LauncherVariables {
  int rank = -1, size = -1;
  int host_rank = 0, host_size = 1;  // among the processes of this host, if known
  int processes = 1;                 // that this agent has to start: `rank` and those after it
  std::string rank_variable;         // the variable that holds the rank
};
LauncherVariables read_launcher_variables();

}  // namespace upcrun
