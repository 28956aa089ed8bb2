// SPDX-License-Identifier: BSD-3-Clause
// How an agent finds its job, and shows that it belongs to it: the variable that the starter hands on, and
// the agent's first frame.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace upcrun {

// Reaches the agents in the environment only: what is on a command line everybody on the host can read.
inline constexpr char kAgentVariable[] = "UPCR_AGENT";

struct Credentials {
  std::string greeting;  // 16 hexadecimal digits: the agent says the first half, upcrun answers the whole
  std::string secret;    // 32: 128 random bits, which the agent says then

  std::string knock() const { return greeting.substr(0, greeting.size() / 2); }

  // Of the system's random numbers. Throws Failure.
  static Credentials make();
};

// What the variable says: "1;GREETING;SECRET;PORT;ADDRESS[;ADDRESS...]".
struct Rendezvous {
  Credentials credentials;
  unsigned port = 0;
  std::vector<std::string> addresses;  // numeric, IPv4 or IPv6, the likeliest first

  std::string format() const;
  static std::optional<Rendezvous> parse(std::string_view text);
};

struct Hello {
  // As the rank: this is no agent, but the news that `host` could not be reached (remote_shell_proxy.hpp),
  // and `size` is the exit status of what tried.
  static constexpr int kUnreachable = -2;

  int version = 0;
  std::string secret;
  int rank = -1;  // -1: the starter did not tell
  int size = -1;  // of the starter's job; -1: it did not tell
  int pid = 0;
  std::string host;

  std::string format() const;
  static std::optional<Hello> parse(std::string_view text);
};
inline constexpr std::size_t kMaxHelloBytes = 512;

// Whether the two are the same, in a time that depends on the first one's length only.
bool same_secret(std::string_view expected, std::string_view said) noexcept;

// Rank and size as the starter of this process put them into the environment; -1 where it did not.
struct LauncherVariables {
  int rank = -1, size = -1;
  int host_rank = 0, host_size = 1;  // among the processes of this host, if it told
  int processes = 1;                 // that this agent is to start, `rank` and those after it
  std::string said_by;               // the variable that told the rank
};
LauncherVariables read_launcher_variables();

}  // namespace upcrun
