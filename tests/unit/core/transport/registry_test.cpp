// SPDX-License-Identifier: BSD-3-Clause
// Built-in conduits, modules that are found, and the reasons given for those that are not.
#include "conduits/core/transport/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
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
      {"mpi", here + "mpi_openmpi.so was built for another upcr: its interface has version " +
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

// A job of three whose ranks 0 and 1 can use every conduit, and rank 2 the first one that is asked for, ibv,
// as `can` says; this is rank `rank_`.
class ThreeRanks final : public Bootstrap {
 public:
  ThreeRanks(Rank rank, bool can) : can_{1, 1, can ? std::uint8_t{1} : std::uint8_t{0}} {
    rank_ = rank;
    size_ = 3;
  }
  void allgather(const void* mine, std::size_t bytes, void* all) override {
    EXPECT_EQ(bytes, 1u);
    std::memcpy(all, can_, sizeof can_);
    static_cast<std::uint8_t*>(all)[rank_] = *static_cast<const std::uint8_t*>(mine);
    can_[2] = 1;
  }
  void barrier() override {}
  void polling_barrier(const std::function<void()>&) override {}
  void finalize() override {}
  [[noreturn]] void global_exit(int status) override { std::_Exit(status); }
  [[noreturn]] void abort(int status) override { std::_Exit(status); }

 private:
  std::uint8_t can_[3];
};

// The conduit that is chosen, by rank 0, with this obstacle to ibv here (null: none).
ChildResult choose(bool one_host, bool others_can, const char* obstacle, const std::string& module_path) {
  return run_child([=] {
    setenv("UPCR_MODULE_PATH", module_path.c_str(), 1);
    setenv("UPCR_LOG_LEVEL", "conduit:info", 1);
    if (obstacle != nullptr) setenv("TEST_OBSTACLE_ibv", obstacle, 1);
    configure();
    ThreeRanks job(0, others_can);
    std::printf("%s", make_conduit(suitable_conduit(job, one_host))->name());
  });
}

TEST(Registry, WhereNobodyChoosesTheHostsDecide) {
  const std::string good = kModules + "/good", all = good + ":" + kModules + "/more";
  EXPECT_EQ(choose(true, true, nullptr, all).out, "smp");

  const ChildResult every = choose(false, true, nullptr, all);
  EXPECT_EQ(every.out, "ibv") << every.err;
  EXPECT_NE(every.err.find("ibv is chosen"), every.err.npos) << every.err;

  const ChildResult not_here = choose(false, true, "no port", all);
  EXPECT_EQ(not_here.out, "mpi") << not_here.err;
  EXPECT_NE(not_here.err.find("not ibv: no port"), not_here.err.npos) << not_here.err;

  const ChildResult not_there = choose(false, false, nullptr, all);
  EXPECT_EQ(not_there.out, "mpi") << not_there.err;
  EXPECT_NE(not_there.err.find("not ibv: rank 2 cannot use it"), not_there.err.npos) << not_there.err;

  const ChildResult missing = choose(false, true, nullptr, kModules + "/more");
  EXPECT_EQ(missing.out, "mpi") << missing.err;
  EXPECT_NE(missing.err.find("not ibv: not installed"), missing.err.npos) << missing.err;
}

// The conduit that is chosen where ibv cannot be used, with these obstacles.
ChildResult choose_without_ibv(const char* to_ofi, const char* to_mpi) {
  setenv("TEST_OBSTACLE_ofi", to_ofi, 1);
  setenv("TEST_OBSTACLE_mpi", to_mpi, 1);
  if (*to_ofi == '\0') unsetenv("TEST_OBSTACLE_ofi");
  if (*to_mpi == '\0') unsetenv("TEST_OBSTACLE_mpi");
  ChildResult r =
      choose(false, true, "no port", kModules + "/good:" + kModules + "/more:" + kModules + "/plain");
  unsetenv("TEST_OBSTACLE_ofi");
  unsetenv("TEST_OBSTACLE_mpi");
  return r;
}

TEST(Registry, OfiComesBeforeMpiOnlyWhereItsNetworkIsPreferred) {
  EXPECT_EQ(choose_without_ibv("", "").out, "ofi");
  EXPECT_EQ(choose_without_ibv("last resort", "").out, "mpi");
  const ChildResult tcp = choose_without_ibv("last resort", "no mpirun");
  EXPECT_EQ(tcp.out, "ofi") << tcp.err;
  EXPECT_NE(tcp.err.find("not ibv: no port, and not mpi: no mpirun"), tcp.err.npos) << tcp.err;
  const ChildResult none = choose_without_ibv("no address", "no mpirun");
  EXPECT_TRUE(none.exited(255)) << none.out;
  EXPECT_NE(
      none.err.find("needs conduit ibv, ofi or mpi; ibv cannot be used: no port; ofi cannot be used: no "
                    "address; mpi cannot be used: no mpirun; present: smp, mpi, ibv, ofi; install one"),
      none.err.npos)
      << none.err;
}

TEST(Registry, SmpIsTheDefaultForOneHost) {
  EXPECT_TRUE(is_default_for_one_host("smp"));
  for (const char* name : {"mpi", "ibv", "absent", ""}) EXPECT_FALSE(is_default_for_one_host(name)) << name;
}

TEST(Registry, SeveralHostsAndNoConduitForThem) {
  const std::string good = kModules + "/good";
  const ChildResult none = choose(false, true, "no port", good);
  EXPECT_TRUE(none.exited(255));
  EXPECT_NE(
      none.err.find(
          "the job has processes on several hosts, which needs conduit ibv, ofi or mpi; ibv cannot be used: no "
          "port; ofi cannot be used: not installed: no conduit_ofi.so in " +
          good + "; mpi cannot be used: not installed: no conduit_mpi_openmpi.so in " + good +
          "; not installed: no conduit_mpi_mpich.so in " + good + "; present: smp, ibv;"),
      none.err.npos)
      << none.err;
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
