// SPDX-License-Identifier: BSD-3-Clause
// The texts that upcrun and its agents exchange: credentials, hellos, launch specifications.
#include "tools/upcrun/protocol/hello.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/upcrun/protocol_support.hpp"
#include "tools/upcrun/protocol/launch_spec.hpp"

namespace upcrun {
namespace {

TEST(Hello, RoundTrip) {
  const Rendezvous where{Credentials::make(), 4711, {"10.0.0.1", "fd00::7"}};
  EXPECT_EQ(32u, where.credentials.secret.size());
  EXPECT_NE(where.credentials.secret, Credentials::make().secret);
  const auto parsed = Rendezvous::parse(where.format());
  ASSERT_TRUE(parsed);
  EXPECT_EQ(where.format(), parsed->format());
  EXPECT_EQ(4711u, parsed->port);
  EXPECT_EQ((std::vector<std::string>{"10.0.0.1", "fd00::7"}), parsed->addresses);

  const auto hello = Hello::parse(Hello{1, "abc", 3, 8, 99, "n1.cluster"}.format());
  ASSERT_TRUE(hello);
  EXPECT_EQ(3, hello->rank);
  EXPECT_EQ(8, hello->size);
  EXPECT_EQ("n1.cluster", hello->host);
}

TEST(Hello, WrongTexts) {
  const std::string g(16, 'a'), s(32, 'b');
  for (const std::string& text :
       {std::string(), std::string("x"), "2;" + g + ";" + s + ";1;a", "1;" + g + ";" + s + ";0;a",
        "1;" + g + ";" + s + ";65536;a", "1;" + g + ";" + s + ";1", "1;" + g + ";" + s + ";1;",
        "1;" + s + ";" + g + ";1;a", "1;" + g + ";" + std::string(32, 'X') + ";1;a"})
    EXPECT_FALSE(Rendezvous::parse(text)) << text;
  for (const std::string& text :
       {std::string("upcr;1;s;0;1;2"), std::string("upcr;1;s;0;1;2;h;x"), std::string("other;1;s;0;1;2;h"),
        std::string("upcr;1;s;x;1;2;h"), "upcr;1;s;0;1;2;" + std::string(600, 'h')})
    EXPECT_FALSE(Hello::parse(text)) << text;
}

TEST(Hello, Secrets) {
  EXPECT_TRUE(same_secret("abcd", "abcd"));
  for (const char* other : {"abce", "bbcd", "abc", "abcde", ""}) EXPECT_FALSE(same_secret("abcd", other));
}

TEST(LaunchSpec, RoundTrip) {
  LaunchSpec launch_spec;
  launch_spec.options.threads = 7;
  launch_spec.options.pthreads = 2;
  launch_spec.options.bind = Bind::kCore;
  launch_spec.options.map_by = MapBy::kNuma;
  launch_spec.options.cpus_per_process = 3;
  launch_spec.options.conduit = "mpi";
  launch_spec.options.program = "./a b";
  launch_spec.options.argv0 = "";
  launch_spec.options.arguments = {"", "-n", "two\nlines", "'\""};
  launch_spec.processes = 4;
  launch_spec.job_id = "1-2";
  launch_spec.folder = "/x y";
  launch_spec.merged_output = true;
  launch_spec.environment = {"A=", "B= x=\n", "C=\x01\xff"};
  LaunchSpec got;
  ASSERT_TRUE(LaunchSpec::parse(launch_spec.format(), &got));
  EXPECT_EQ(launch_spec.format(), got.format());
  EXPECT_EQ(launch_spec.options.arguments, got.options.arguments);
  EXPECT_EQ(launch_spec.environment, got.environment);
  EXPECT_EQ(Bind::kCore, got.options.bind);
  EXPECT_EQ(MapBy::kNuma, got.options.map_by);
  EXPECT_EQ(3u, got.options.cpus_per_process);
  EXPECT_TRUE(got.merged_output);

  const std::string text = launch_spec.format();
  EXPECT_FALSE(LaunchSpec::parse(text.substr(0, text.size() - 1), &got));
  EXPECT_FALSE(LaunchSpec::parse("", &got));
  EXPECT_FALSE(LaunchSpec::parse(std::string("nx\0pp\0", 6), &got));
  EXPECT_FALSE(LaunchSpec::parse(text + std::string("Z1\0", 3), &got));
}

}  // namespace
}  // namespace upcrun
