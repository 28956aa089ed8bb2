// SPDX-License-Identifier: BSD-3-Clause
// The commands that start the agents of a job, and the message about hosts whose agents do not connect.
#include "tools/upcrun/remote/agent_launch.hpp"

#include <gtest/gtest.h>

#include "tools/upcrun/remote/missing_hosts.hpp"

namespace upcrun {
namespace {

Options options_of(const std::string& hosts, unsigned threads) {
  Options options;
  options.threads = threads;
  options.conduit = "ibv";
  options.program = "/bin/sh";
  options.hosts = hosts;
  options.rsh = "/opt/shells/reach -q";
  return options;
}

TEST(AgentLaunch, ARemoteShellForEachHost) {
  const Plan plan(options_of("a.test:2,b.test:3,localhost", 6));
  ASSERT_EQ(LaunchMethod::kRemoteShell, plan.launch_method);
  const AgentLaunch launch(plan);
  EXPECT_EQ((std::vector<unsigned>{2, 3, 1}), launch.shares());
  EXPECT_FALSE(launch.loopback_only());
  EXPECT_EQ("ibv", launch.conduit());
  EXPECT_EQ("2 on a.test, 3 on b.test, 1 on localhost, by reach", launch.describe());

  const Rendezvous rendezvous{Credentials::make(), 4711, {"10.0.0.1"}};
  const std::vector<LaunchCommand> commands = launch.commands(rendezvous);
  ASSERT_EQ(3u, commands.size());
  EXPECT_EQ("reach", commands[1].name);
  EXPECT_EQ("b.test", commands[1].host);
  EXPECT_EQ(2u, commands[1].first);
  EXPECT_EQ(3u, commands[1].count);
  EXPECT_EQ("2 3 " + rendezvous.format() + "\n", commands[1].input);
  EXPECT_EQ("upcrun", commands[2].name);  // this host needs no remote shell
  EXPECT_EQ(5u, commands[2].first);
  for (const LaunchCommand& command : commands) {
    EXPECT_EQ("-", command.arguments.back());
    for (const std::string& argument : command.arguments)  // ps would show it
      EXPECT_EQ(argument.npos, argument.find(rendezvous.credentials.secret)) << argument;
  }
}

TEST(AgentLaunch, TheSpecificationHasAllThatAChildInherits) {
  const Plan plan(options_of("a.test:2", 2));
  const LaunchSpec spec = make_launch_spec(plan, "1-2", true);
  EXPECT_EQ("/bin/sh", spec.options.program);
  EXPECT_EQ("/bin/sh", spec.options.argv0);
  EXPECT_EQ(1u, spec.options.pthreads);
  EXPECT_EQ(2u, spec.processes);
  EXPECT_EQ("1-2", spec.job_id);
  EXPECT_TRUE(spec.merged_output);
  EXPECT_EQ('/', spec.folder.at(0));
}

TEST(AgentLaunch, HostsWithoutAgentsAreNamed) {
  LaunchCommand mpirun{.name = "mpirun", .host = {}, .count = 6, .agents = 6};
  mpirun.hosts = {{"a.test", 2}, {"b.test", 3}, {"c.test", 1}};
  const auto connected = [](const std::vector<bool>& ranks) {
    return [ranks](unsigned rank) { return ranks[rank]; };
  };
  EXPECT_EQ("host b.test has",
            describe_missing_hosts(mpirun, connected({true, true, false, false, false, true})));
  EXPECT_EQ("hosts a.test (1 of 2 processes), c.test have",
            describe_missing_hosts(mpirun, connected({true, false, true, true, true, false})));
  LaunchCommand shell{.name = "ssh", .host = "d.test", .count = 1};
  EXPECT_EQ("host d.test has", describe_missing_hosts(shell, connected({false})));
  LaunchCommand batch{.name = "mpirun", .host = {}, .count = 4, .agents = 4};
  batch.connected = 1;
  EXPECT_EQ("3 of 4 processes have", describe_missing_hosts(batch, connected({true, false, false, false})));
}

}  // namespace
}  // namespace upcrun
