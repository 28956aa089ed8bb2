// SPDX-License-Identifier: BSD-3-Clause
// Information that upcrun reads before a job starts: lists of hosts, the libraries of a program, the version
// of mpirun.
#include "tools/upcrun/plan/hosts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/upcrun/protocol_support.hpp"
#include "tools/upcrun/base/program.hpp"
#include "tools/upcrun/launch/mpirun.hpp"

namespace upcrun {
namespace {

TEST(Hosts, Lists) {
  using Hosts = std::vector<Host>;
  EXPECT_EQ((Hosts{{"a", 0}}), parse_host_list("a"));
  EXPECT_EQ((Hosts{{"a", 0}, {"b.c", 2}}), parse_host_list("a,b.c:2"));
  EXPECT_EQ((Hosts{{"a", 4}, {"b", 0}}), parse_host_list("a:3,b,a"));
  EXPECT_EQ((Hosts{{"fd00::1", 0}, {"fd00::2", 5}, {"10.0.0.1", 1}}),
            parse_host_list("fd00::1,[fd00::2]:5,10.0.0.1:1"));
  for (const char* wrong :
       {"", ",", "a,", ",a", "a:", "a:0", "a:-1", "a:1x", "-a", "a b", "a;b", "a$b", "[fd00::1", "[a]2"})
    EXPECT_NE("no failure", failure_of([&] { return parse_host_list(wrong); })) << wrong;
}

TEST(Hosts, Dealing) {
  using Hosts = std::vector<Host>;
  EXPECT_EQ((Hosts{{"a", 3}, {"b", 2}}), deal({{"a", 0}, {"b", 0}}, 5));
  EXPECT_EQ((Hosts{{"a", 1}, {"b", 1}}), deal({{"a", 0}, {"b", 0}, {"c", 0}}, 2));
  EXPECT_EQ((Hosts{{"a", 1}, {"b", 4}}), deal({{"a", 1}, {"b", 9}, {"c", 1}}, 5));
  EXPECT_EQ((Hosts{{"a", 1}, {"b", 2}}), deal({{"a", 0}, {"b", 2}}, 3));
  EXPECT_NE(std::string::npos, failure_of([] { return deal({{"a", 0}, {"b", 2}}, 4); }).find("have 3 slots"));
}

TEST(Program, NeededLibraries) {
  const auto libraries = needed_libraries("/proc/self/exe");
  EXPECT_NE(libraries.end(), std::find(libraries.begin(), libraries.end(), "libc.so.6"));
  EXPECT_TRUE(needed_libraries("/etc/passwd").empty());
  EXPECT_TRUE(needed_libraries("/nowhere").empty());
}

TEST(Mpirun, Versions) {
  EXPECT_EQ(MpiLibrary::kOpenMpi, library_of_version("mpirun (Open MPI) 4.1.4\n"));
  EXPECT_EQ(MpiLibrary::kOpenMpi, library_of_version("mpirun.openmpi (OpenRTE) 4.1.4\n"));
  EXPECT_EQ(MpiLibrary::kMpich, library_of_version("HYDRA build details:\n    Version: 4.0.2\n"));
  EXPECT_EQ(MpiLibrary::kNone, library_of_version("true (GNU coreutils) 9.1\n"));
}

}  // namespace
}  // namespace upcrun
