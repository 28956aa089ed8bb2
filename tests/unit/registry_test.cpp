// SPDX-License-Identifier: BSD-3-Clause
// Built-in conduits, modules that are found, and the reasons given for those that are not.
#include "conduits/core/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/child.hpp"

namespace upcr {
namespace {

using test::ChildResult;
using test::run_child;

const std::string kModules = TEST_MODULES;

// Prints list_conduits() as "name present where" lines, in a process that loads nothing into this one.
ChildResult list_with(const char* module_path) {
  return run_child([=] {
    if (module_path != nullptr) setenv("UPCR_MODULE_PATH", module_path, 1);
    for (const ConduitInfo& c : list_conduits())
      std::printf("%s %s %s\n", c.name.c_str(), c.present ? "present" : "missing", c.where.c_str());
  });
}

ChildResult make_with(const std::string& module_path, const char* name) {
  return run_child([=] {
    setenv("UPCR_MODULE_PATH", module_path.c_str(), 1);
    const std::unique_ptr<Conduit> c = make_conduit(name);
    std::printf("%s %zu", c->name(), c->caps().max_medium);
  });
}

TEST(Registry, SmpIsBuiltIn) {
  EXPECT_NE(list_with(nullptr).out.find("smp present built in\n"), std::string::npos);
  const ChildResult r = make_with("", "smp");
  EXPECT_TRUE(r.exited(0)) << r.err;
  EXPECT_EQ(r.out.substr(0, 4), "smp ");
}

TEST(Registry, MissingModulesSayWhereTheyWereLookedFor) {
  const ChildResult unset = list_with(nullptr);
  // Beside the library, which here is part of the program.
  EXPECT_NE(unset.out.find("mpi missing not installed: no conduit_mpi_mpich.so in "), unset.out.npos)
      << unset.out;
  EXPECT_NE(unset.out.find("/upcr\n"), unset.out.npos) << unset.out;
  const ChildResult path = list_with("/nonexistent/a::/nonexistent/b:");
  EXPECT_NE(path.out.find("ibv missing not installed: no conduit_ibv.so in /nonexistent/a, /nonexistent/b\n"),
            path.out.npos)
      << path.out;
}

TEST(Registry, ModulesAreFoundInTheOrderOfThePath) {
  const std::string good = kModules + "/good", bad = kModules + "/bad";
  const ChildResult first = list_with((good + ":" + bad).c_str());
  EXPECT_NE(first.out.find("ibv present " + good + "/conduit_ibv.so\n"), first.out.npos) << first.out;
  const ChildResult second = list_with((bad + ":" + good).c_str());
  EXPECT_NE(second.out.find("ibv missing " + bad), second.out.npos) << second.out;
}

TEST(Registry, AModuleIsLoadedByNameKnownOrNot) {
  for (const char* name : {"ibv", "other"}) {
    const ChildResult r = make_with(kModules + "/good", name);
    EXPECT_TRUE(r.exited(0)) << r.err;
    EXPECT_EQ(r.out, std::string(name) + " 4242");
  }
}

TEST(Registry, ReasonsForModulesThatCannotBeUsed) {
  const std::string bad = kModules + "/bad", here = bad + "/conduit_";
  const std::string abi = std::to_string(kConduitAbi);
  const struct {
    const char* name;
    std::string reason;
  } cases[] = {
      {"mpi", here + "mpi_openmpi.so was built for another upcr: its interface has number " +
                  std::to_string(kConduitAbi + 1) + ", this library's " + abi},
      {"ibv", here + "ibv.so holds the conduit elan, not ibv"},
      {"other", here + "other.so is not a conduit module (it has no upcr_conduit_module)"},
      {"absent", "not installed: no conduit_absent.so in " + bad},
      {"../good/conduit_ibv", "not a conduit's name"},
      {"", "not a conduit's name"},
  };
  for (const auto& c : cases) {
    const ChildResult r = make_with(bad, c.name);
    EXPECT_TRUE(r.exited(255)) << c.name;
    EXPECT_EQ(r.message(), std::string("UPC Runtime error: conduit '") + c.name +
                               "' (UPCR_CONDUIT) cannot be used: " + c.reason + "; present: smp (pid PID)\n");
  }
}

TEST(Registry, WhereNobodyChoosesTheHostsDecide) {
  const ChildResult here = run_child([] { std::printf("%s", make_suitable_conduit(true)->name()); });
  EXPECT_EQ(here.out, "smp") << here.err;
  const std::string good = kModules + "/good";
  const ChildResult missing = run_child([=] {
    setenv("UPCR_MODULE_PATH", good.c_str(), 1);
    (void)make_suitable_conduit(false);
  });
  EXPECT_TRUE(missing.exited(255));
  EXPECT_NE(
      missing.err.find("the job has processes on several hosts, which needs conduit mpi, and that cannot be "
                       "used: not installed: no conduit_mpi_openmpi.so in " +
                       good + "; not installed: no conduit_mpi_mpich.so in " + good + "; present: smp, ibv;"),
      missing.err.npos)
      << missing.err;
}

TEST(Registry, AnMpiModuleThatIsThereAndBrokenIsTheReason) {
  for (const std::string library : {"openmpi", "mpich"}) {
    char folder[] = "/tmp/upcr-registry-XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    const std::string file = std::string(folder) + "/conduit_mpi_" + library + ".so";
    std::ofstream(file) << "not a library";
    const ChildResult r = run_child([&] {
      setenv("UPCR_MODULE_PATH", folder, 1);
      (void)make_conduit("mpi");
    });
    EXPECT_TRUE(r.exited(255));
    EXPECT_NE(r.err.find("cannot be used: cannot be loaded: " + file), r.err.npos) << r.err;
    EXPECT_EQ(r.err.find("not installed"), r.err.npos) << r.err;
    std::filesystem::remove_all(folder);
  }
}

TEST(Registry, AFileThatIsNoLibrary) {
  const std::string folder = kModules + "/broken";
  ASSERT_EQ(std::system(("mkdir -p '" + folder + "'").c_str()), 0);
  std::ofstream(folder + "/conduit_mpi_openmpi.so") << "hello";
  const ChildResult r = make_with(folder, "mpi");
  EXPECT_TRUE(r.exited(255));
  EXPECT_NE(r.err.find("cannot be used: cannot be loaded: " + folder + "/conduit_mpi_openmpi.so"), r.err.npos)
      << r.err;
}

}  // namespace
}  // namespace upcr
