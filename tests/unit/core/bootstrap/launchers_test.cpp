// SPDX-License-Identifier: BSD-3-Clause
// The method of joining a job that the environment allows, for each launcher; and the choice of the MPI
// library.
#include "conduits/core/bootstrap/launcher/launchers.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "conduits/core/bootstrap/launcher/mpi_library.hpp"

namespace upcr {
namespace {

constexpr MpiLibrary kNone = MpiLibrary::kNone, kOpenMpi = MpiLibrary::kOpenMpi, kMpich = MpiLibrary::kMpich;

// The launchers' variables, and only those that are named here.
class Launchers : public ::testing::Test {
 protected:
  void SetUp() override { forget(); }
  void TearDown() override { forget(); }

  static void forget() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE",
                             "PMIX_RANK", "PMIX_NAMESPACE", "SLURM_PROCID", "SLURM_NTASKS",
                             "SLURM_STEP_NUM_TASKS", "HYDI_CONTROL_FD", "UPCR_CONDUIT"})
      unsetenv(name);
  }
  static void hydra(const char* size) {
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", size, 1);
    setenv("HYDI_CONTROL_FD", "7", 1);
  }
  static void pmix() {
    setenv("PMIX_RANK", "1", 1);
    setenv("PMIX_NAMESPACE", "job", 1);
  }
  static void open_mpi(const char* size) {
    setenv("OMPI_COMM_WORLD_RANK", "1", 1);
    setenv("OMPI_COMM_WORLD_SIZE", size, 1);
    pmix();
  }
  static void srun(const char* size) {
    setenv("SLURM_PROCID", "1", 1);
    setenv("SLURM_NTASKS", size, 1);
    setenv("SLURM_STEP_NUM_TASKS", size, 1);
  }
  static JoinMethod method() { return choose_join_method(read_launcher_environment()); }
};

TEST_F(Launchers, WithoutOneTheJobIsASingleProcess) { EXPECT_EQ(method(), JoinMethod::kSingleton); }

TEST_F(Launchers, OpenMpiOffersPmix) {
  open_mpi("4");
  const LauncherEnvironment s = read_launcher_environment();
  EXPECT_EQ(s.rank, 1u);
  EXPECT_EQ(s.size, 4u);
  EXPECT_STREQ(s.size_variable, "OMPI_COMM_WORLD_SIZE");
  EXPECT_EQ(choose_join_method(s), JoinMethod::kPmix);
  setenv("UPCR_CONDUIT", "mpi", 1);  // the connection is Open MPI's too, and better at ending jobs
  EXPECT_EQ(method(), JoinMethod::kPmix);
}

TEST_F(Launchers, HydraIsMpi) {
  hydra("3");
  EXPECT_EQ(method(), JoinMethod::kMpi);
  hydra("1");
  EXPECT_EQ(method(), JoinMethod::kSingleton);
  setenv("UPCR_CONDUIT", "mpi", 1);
  EXPECT_EQ(method(), JoinMethod::kMpi);
}

TEST_F(Launchers, SrunIsPmixOrUnreachable) {
  srun("2");
  EXPECT_EQ(method(), JoinMethod::kUnreachable);
  setenv("UPCR_CONDUIT", "mpi", 1);
  EXPECT_EQ(method(), JoinMethod::kUnreachable);
  pmix();
  EXPECT_EQ(method(), JoinMethod::kPmix);
  unsetenv("UPCR_CONDUIT");
  EXPECT_EQ(method(), JoinMethod::kPmix);
}

TEST_F(Launchers, ABatchScriptIsNoStep) {
  setenv("SLURM_PROCID", "0", 1);
  setenv("SLURM_NTASKS", "8", 1);
  EXPECT_EQ(method(), JoinMethod::kSingleton);
}

TEST_F(Launchers, AProgramThatInitialisedMpiIsJoinedThere) {
  LauncherEnvironment s;
  s.mpi_initialized = true;
  EXPECT_EQ(choose_join_method(s), JoinMethod::kMpi);
  s.pmix = s.open_mpi = true;
  s.size = 2;
  EXPECT_EQ(choose_join_method(s), JoinMethod::kMpi);
}

TEST_F(Launchers, AnInvalidNumberIsNoLauncher) {
  setenv("PMI_RANK", "x", 1);
  setenv("PMI_SIZE", "2", 1);
  EXPECT_EQ(method(), JoinMethod::kSingleton);
}

TEST_F(Launchers, TheLaunchersLibrary) {
  EXPECT_EQ(launcher_mpi(), kNone);
  hydra("2");
  EXPECT_EQ(launcher_mpi(), kMpich);
  unsetenv("HYDI_CONTROL_FD");  // srun --mpi=pmi2 serves both libraries
  EXPECT_EQ(launcher_mpi(), kNone);
  open_mpi("2");
  EXPECT_EQ(launcher_mpi(), kOpenMpi);
}

TEST(MpiChoice, TheProgramsElseTheLaunchers) {
  EXPECT_EQ(choose_mpi(kNone, kNone, kNone).library, kNone);
  EXPECT_EQ(choose_mpi(kNone, kNone, kMpich).library, kMpich);
  EXPECT_EQ(choose_mpi(kNone, kOpenMpi, kNone).library, kOpenMpi);
  EXPECT_EQ(choose_mpi(kMpich, kNone, kNone).library, kMpich);
  EXPECT_EQ(choose_mpi(kMpich, kMpich, kMpich).library, kMpich);
  EXPECT_EQ(choose_mpi(kNone, kNone, kNone, kMpich).library, kMpich);
  EXPECT_EQ(choose_mpi(kNone, kOpenMpi, kNone, kMpich).library, kOpenMpi);
}

TEST(MpiChoice, ContradictionsAreExplained) {
  const struct {
    MpiLibrary requested, loaded, launcher;
    const char* words;
  } cases[] = {
      {kNone, kMpich, kOpenMpi, "linked with MPICH, but Open MPI's mpirun started it; start it with MPICH's"},
      {kOpenMpi, kMpich, kNone, "UPCR_MPI_LIBRARY asks for Open MPI, but the program is linked with MPICH"},
      {kMpich, kNone, kOpenMpi, "UPCR_MPI_LIBRARY asks for MPICH, but Open MPI's mpirun started the program"},
  };
  for (const auto& c : cases) {
    const MpiChoice choice = choose_mpi(c.requested, c.loaded, c.launcher);
    EXPECT_EQ(choice.library, kNone);
    EXPECT_NE(choice.why_not.find(c.words), std::string::npos) << choice.why_not;
  }
}

}  // namespace
}  // namespace upcr
