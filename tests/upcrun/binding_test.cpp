// SPDX-License-Identifier: BSD-3-Clause
// Which CPUs processes get, on machines that hwloc imagines.
#include "tools/upcrun/binding/binding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/upcrun/protocol_support.hpp"

namespace upcrun {
namespace {

using Numbers = std::vector<int>;
using Shares = std::vector<Numbers>;

// Two sockets with a NUMA node, two cores and two hardware threads each: CPUs 0-3 and 4-7, siblings adjacent.
constexpr const char* kMachine = "package:2 numa:1 core:2 pu:2";

Shares shares(const BindingRequest& request, const char* machine = kMachine) {
  const Binding binding(request, cpus_of_synthetic(machine));
  Shares all;
  for (unsigned rank = 0; rank < request.processes; ++rank) all.push_back(binding.cpus(rank));
  return all;
}

Shares shares(Bind mode, unsigned processes, unsigned width, const char* machine = kMachine) {
  return shares({mode, MapBy::kCore, processes, width}, machine);
}

Shares mapped(MapBy map_by, unsigned processes, unsigned width, const char* machine = kMachine) {
  return shares({Bind::kAuto, map_by, processes, width}, machine);
}

class Bindings : public testing::Test {
 protected:
  void SetUp() override {
    if (cpus_of_synthetic(kMachine).empty()) GTEST_SKIP() << "upcrun was built without hwloc";
  }
};

TEST_F(Bindings, CoresBeforeHardwareThreads) {
  EXPECT_EQ(shares(Bind::kAuto, 2, 1), Shares({{0}, {2}}));
  EXPECT_EQ(shares(Bind::kAuto, 4, 1), Shares({{0}, {2}, {4}, {6}}));
  EXPECT_EQ(shares(Bind::kCore, 6, 1), Shares({{0}, {2}, {4}, {6}, {1}, {3}}));
  EXPECT_EQ(shares(Bind::kCore, 1, 1), Shares({{0}}));
}

TEST_F(Bindings, ProcessesOfSeveralThreads) {
  EXPECT_EQ(shares(Bind::kAuto, 2, 2), Shares({{0, 2}, {4, 6}}));
  EXPECT_EQ(shares(Bind::kAuto, 4, 2), Shares({{0, 1}, {2, 3}, {4, 5}, {6, 7}}));  // a core of its own each
  EXPECT_EQ(shares(Bind::kCore, 2, BindingRequest::kAnyWidth), Shares({{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

TEST_F(Bindings, NodesAndSockets) {
  const Numbers first = {0, 1, 2, 3}, second = {4, 5, 6, 7};
  EXPECT_EQ(shares(Bind::kNuma, 4, 1), Shares({first, first, second, second}));
  EXPECT_EQ(shares(Bind::kSocket, 3, 8), Shares({first, first, second}));
  EXPECT_EQ(shares(Bind::kSocket, 1, 1), Shares({first}));
  EXPECT_EQ(shares(Bind::kNuma, 4, 1, "package:1 numa:4 core:1 pu:1"), Shares({{0}, {1}, {2}, {3}}));
  EXPECT_EQ(shares(Bind::kSocket, 2, 1, "package:1 numa:4 core:1 pu:1"),
            Shares({{0, 1, 2, 3}, {0, 1, 2, 3}}));
}

TEST_F(Bindings, MappedInTurn) {
  EXPECT_EQ(mapped(MapBy::kSocket, 4, 1), Shares({{0}, {4}, {2}, {6}}));
  EXPECT_EQ(mapped(MapBy::kNuma, 6, 1), Shares({{0}, {4}, {2}, {6}, {1}, {5}}));
  EXPECT_EQ(mapped(MapBy::kNuma, 2, 2), Shares({{0, 2}, {4, 6}}));
  EXPECT_EQ(mapped(MapBy::kNuma, 4, 2), Shares({{0, 1}, {4, 5}, {2, 3}, {6, 7}}));
  EXPECT_EQ(mapped(MapBy::kHardwareThread, 4, 1), Shares({{0}, {1}, {2}, {3}}));
  // Nodes of three cores: the third process of two threads gets what the nodes have left.
  EXPECT_EQ(mapped(MapBy::kNuma, 3, 2, "package:2 numa:1 core:3 pu:1"), Shares({{0, 1}, {3, 4}, {2, 5}}));
  const Numbers first = {0, 1, 2, 3}, second = {4, 5, 6, 7};
  EXPECT_EQ(shares({Bind::kNuma, MapBy::kNuma, 4}), Shares({first, second, first, second}));
}

// On the machine with these CPUs used by other jobs.
Shares beside(const std::vector<int>& busy, const BindingRequest& request, const char* machine = kMachine) {
  std::vector<Cpu> cpus = cpus_of_synthetic(machine);
  for (Cpu& cpu : cpus) cpu.busy = static_cast<unsigned>(std::count(busy.begin(), busy.end(), cpu.number));
  const Binding binding(request, cpus);
  Shares all;
  for (unsigned rank = 0; rank < request.processes; ++rank) all.push_back(binding.cpus(rank));
  return all;
}

TEST_F(Bindings, BesideOtherJobs) {
  constexpr const char* kFour = "package:1 numa:1 core:4 pu:1";
  EXPECT_EQ(beside({0, 1}, {Bind::kAuto, MapBy::kCore, 2}, kFour), Shares({{2}, {3}}));
  EXPECT_EQ(beside({1, 2}, {Bind::kCore, MapBy::kCore, 1, 2}, kFour), Shares({{0, 3}}));
  EXPECT_EQ(beside({0, 1, 2, 0}, {Bind::kCore, MapBy::kCore, 3}, kFour), Shares({{3}, {1}, {2}}));
  // Cores 0 and 1 (CPUs 0-3) have a busy hardware thread each: the free ones of other cores come first.
  EXPECT_EQ(beside({0, 3}, {Bind::kAuto, MapBy::kCore, 5}), Shares({{4}, {6}, {5}, {7}, {2}}));
  EXPECT_EQ(beside({0, 1, 2, 3}, {Bind::kAuto, MapBy::kCore, 2, 2}), Shares({{4, 5}, {6, 7}}));
  EXPECT_EQ(beside({4, 6}, {Bind::kAuto, MapBy::kNuma, 3}), Shares({{0}, {5}, {2}}));
  EXPECT_EQ(beside({0, 1, 2, 3, 4}, {Bind::kAuto, MapBy::kNuma, 3}), Shares({{6}, {7}, {5}}));
  EXPECT_EQ(beside({0}, {Bind::kNuma, MapBy::kCore, 1}), Shares({{4, 5, 6, 7}}));
  EXPECT_EQ(beside({0}, {Bind::kNuma, MapBy::kCore, 2}), Shares({{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

TEST_F(Bindings, NotBound) {
  EXPECT_EQ(shares(Bind::kNone, 2, 1), Shares({{}, {}}));
  EXPECT_EQ(shares(Bind::kAuto, 1, 1), Shares({{}}));
  EXPECT_EQ(shares(Bind::kAuto, 9, 1), Shares(9));
  EXPECT_EQ(shares(Bind::kAuto, 2, BindingRequest::kAnyWidth), Shares({{}, {}}));
  EXPECT_EQ(failure_of([] { return shares(Bind::kCore, 9, 1); }),
            "--bind core: not enough CPUs (9 needed, 8 allowed); lower -n, or use --bind none");
}

TEST_F(Bindings, Descriptions) {
  const Binding cores({Bind::kCore, MapBy::kCore, 2, 2}, cpus_of_synthetic(kMachine));
  EXPECT_EQ(cores.describe(1), "CPU 4 6 (socket 1, NUMA node 1, cores 2 3)");
  EXPECT_EQ(Binding({Bind::kAuto, MapBy::kCore, 9}, cpus_of_synthetic(kMachine)).describe(0),
            "not bound (CPUs: 9 needed, 8 allowed)");
}

// On this machine: all CPUs that may be used, each once, whatever hwloc finds.
TEST(Cpus, OfThisMachine) {
  const std::vector<Cpu> cpus = cpus_in_order({0});
  ASSERT_EQ(cpus.size(), 1u);
  EXPECT_EQ(cpus[0].number, 0);
  EXPECT_EQ(cpus[0].thread, 0u);
  EXPECT_EQ(cpus_in_order({0, 100000}).size(), 2u);  // one that hwloc does not know
}

}  // namespace
}  // namespace upcrun
