// SPDX-License-Identifier: BSD-3-Clause
// The tree of relays: how hosts are split, what each relay is told, and what is copied to a link that is
// slow.
#include "tools/upcrun/remote/tree.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "tests/upcrun/protocol_support.hpp"
#include "tools/upcrun/protocol/launcher_report.hpp"
#include "tools/upcrun/remote/agent_launch.hpp"

namespace upcrun {
namespace {

std::vector<Host> hosts(unsigned count) {
  std::vector<Host> all;
  for (unsigned i = 0; i < count; ++i) all.push_back({"n" + std::to_string(i) + ".test", i + 1});
  return all;
}

TEST(Tree, PartsAreRunsOfNearlyEqualSize) {
  for (const unsigned count : {0u, 1u, 5u, 32u, 33u, 1000u})
    for (const unsigned fanout : {1u, 2u, 3u, 32u}) {
      const auto parts = split_hosts(hosts(count), fanout);
      EXPECT_LE(parts.size(), fanout);
      EXPECT_EQ(std::min(count, fanout), parts.size());
      std::vector<Host> together;
      for (const auto& part : parts) {
        EXPECT_LE(part.size(), (count + fanout - 1) / fanout);
        EXPECT_GE(part.size(), count / fanout);
        together.insert(together.end(), part.begin(), part.end());
      }
      EXPECT_EQ(hosts(count), together);
    }
}

// The number of levels of agents and relays below upcrun.
unsigned depth(const std::vector<Host>& all, unsigned fanout) {
  unsigned most = 0;
  for (const auto& part : split_hosts(all, fanout))
    most = std::max(most, part.size() == 1 ? 0 : depth({part.begin() + 1, part.end()}, fanout));
  return most + 1;
}

TEST(Tree, TheDepthIsALogarithm) {
  EXPECT_EQ(1u, depth(hosts(32), 32));
  EXPECT_EQ(2u, depth(hosts(1024), 32));
  EXPECT_EQ(3u, depth(hosts(32768), 32));
  EXPECT_EQ(3u, depth(hosts(14), 2));
}

TEST(Tree, TheVariable) {
  ::setenv("UPCRUN_FANOUT", "3", 1);
  EXPECT_EQ(3u, launch_fanout());
  for (const char* wrong : {"0", "-1", "two", "3x"}) {
    ::setenv("UPCRUN_FANOUT", wrong, 1);
    EXPECT_NE(std::string::npos, failure_of([] { return launch_fanout(); }).find("UPCRUN_FANOUT=")) << wrong;
  }
  ::unsetenv("UPCRUN_FANOUT");
  EXPECT_EQ(kFanout, launch_fanout());
}

TEST(Tree, UpcrunsOwnHostIsNeverBehindARelay) {
  ::setenv("UPCRUN_FANOUT", "1", 1);
  Options options;
  options.conduit = "ibv";
  options.program = "/bin/sh";
  options.rsh = "/opt/shells/reach";
  options.threads = 6;
  options.hosts = "a.test:1,b.test:1,localhost:2,c.test:1,d.test:1";
  const Plan plan(options);
  const AgentLaunch launch(plan);
  ::unsetenv("UPCRUN_FANOUT");
  EXPECT_EQ((std::vector<unsigned>{2, 2, 2}), launch.shares());
  const Subtree subtree = launch.subtree(4);
  EXPECT_EQ((std::vector<Host>{{"c.test", 1}, {"d.test", 1}}), subtree.hosts);
  EXPECT_EQ(1u, subtree.fanout);
  EXPECT_EQ("/opt/shells/reach", subtree.rsh);
  EXPECT_EQ("b.test", launch.host_name(1));
  EXPECT_EQ("localhost", launch.host_name(3));
  const auto commands = launch.commands({Credentials::make(), 4711, {"10.0.0.1"}});
  ASSERT_EQ(3u, commands.size());
  EXPECT_EQ("a.test", commands[0].host);
  EXPECT_EQ(2u, commands[0].count);
  EXPECT_EQ("upcrun", commands[1].name);
}

TEST(Tree, TheSpecificationNamesTheSubtree) {
  LaunchSpec sent;
  sent.options.threads = sent.options.pthreads = sent.processes = 3;
  sent.options.program = "/bin/true";
  const Subtree subtree{
      {{"fd00::1", 2}, {"name with blank", 1}}, 5, "rsh -x", BatchSystem::kSlurm, "4711", 7, true};
  LaunchSpec got;
  ASSERT_TRUE(LaunchSpec::parse(sent.format() + subtree.format(), &got));
  EXPECT_EQ(subtree.hosts, got.subtree.hosts);
  EXPECT_EQ(5u, got.subtree.fanout);
  EXPECT_EQ("rsh -x", got.subtree.rsh);
  EXPECT_EQ(BatchSystem::kSlurm, got.subtree.system);
  EXPECT_EQ("4711", got.subtree.allocation_id);
  EXPECT_EQ(7u, got.subtree.start_timeout);
  EXPECT_TRUE(got.subtree.verbose);
  EXPECT_FALSE(LaunchSpec::parse(sent.format() + std::string("Hnothing\0", 9), &got));
}

TEST(Tree, Reports) {
  const LauncherReport sent{
      "ssh", "b", "a", 4, 4711, "ssh ended with status 255", "it cannot be reached", "No route\n"};
  const LauncherReport got = LauncherReport::parse(sent.format());
  EXPECT_EQ(sent.format(), got.format());
  EXPECT_EQ("b", got.host);
  EXPECT_EQ(4u, got.processes);
  EXPECT_EQ("No route\n", got.output);
  EXPECT_EQ("", LauncherReport::parse("ssh").output);
}

TEST(Link, WhatSeveralLinksSendIsNotCopied) {
  const auto bytes = std::make_shared<const std::string>(8 << 20, 'x');
  int fds[2];
  ASSERT_EQ(0, ::socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
  Link to{UniqueFd(fds[0]), 100}, from{UniqueFd(fds[1]), 16 << 20};
  to.send(MessageType::kOutput, 1, "before");
  to.send_shared(MessageType::kReply, 0, "head", bytes);
  to.send(MessageType::kOutput, 2, "behind");
  EXPECT_EQ(2, bytes.use_count());
  EXPECT_NE(0u, to.unsent());
  std::vector<std::string> got;
  for (int i = 0; got.size() < 3 && i < 100'000; ++i) {
    to.flush();
    (void)from.fill();
    while (const auto message = from.next()) got.emplace_back(message->payload);
  }
  ASSERT_EQ(3u, got.size());
  EXPECT_EQ("before", got[0]);
  EXPECT_EQ("head" + *bytes, got[1]);
  EXPECT_EQ("behind", got[2]);
  EXPECT_EQ(0u, to.unsent());
  EXPECT_EQ(1, bytes.use_count());
}

}  // namespace
}  // namespace upcrun
