// SPDX-License-Identifier: BSD-3-Clause
// Slots of launchers in the environment: a program that a process of a job starts is not in its slot.
#include "conduits/core/bootstrap/launcher/launcher_slot.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "conduits/core/bootstrap/upcrun/wire.hpp"
#include "tests/support/child.hpp"

namespace upcr {
namespace {

// Runs `body` in a child without a launcher's variables; true when it returns true.
template <typename Body>
bool in_child(Body&& body) {
  return test::run_child([&] {
           clear_launcher_environment();
           for (const char* name : {"SLURM_PROCID", "SLURM_JOB_ID", "SLURM_STEP_ID"}) unsetenv(name);
           if (!body()) std::_Exit(1);
         })
      .exited(0);
}

void open_mpi_slot(const char* rank) {
  setenv("OMPI_COMM_WORLD_RANK", rank, 1);
  setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  setenv("PMIX_RANK", rank, 1);
  setenv("PMIX_NAMESPACE", "job", 1);
  setenv("OMPI_MCA_ess", "pmi", 1);
  setenv("OMPI_MCA_btl", "tcp", 1);  // a user's setting
}

bool is_set(const char* name) { return std::getenv(name) != nullptr; }

TEST(LauncherSlot, WithoutALauncherNothingIsMarked) {
  EXPECT_TRUE(in_child([] {
    mark_launcher_slot_used();
    return !is_set(wire::kLauncherSlotVariable) && !clear_used_launcher_slot();
  }));
}

TEST(LauncherSlot, AnUnusedOneIsKept) {
  EXPECT_TRUE(in_child([] {
    open_mpi_slot("1");
    return !clear_used_launcher_slot() && is_set("OMPI_COMM_WORLD_RANK");
  }));
}

TEST(LauncherSlot, AUsedOneIsClearedWithTheJobsConduit) {
  EXPECT_TRUE(in_child([] {
    open_mpi_slot("1");
    setenv("UPCR_CONDUIT", "mpi", 1);
    mark_launcher_slot_used();
    if (!clear_used_launcher_slot()) return false;
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMIX_NAMESPACE",
                             "OMPI_MCA_ess", "UPCR_CONDUIT", wire::kLauncherSlotVariable})
      if (is_set(name)) return false;
    return is_set("OMPI_MCA_btl");
  }));
}

TEST(LauncherSlot, AConduitThatIsSetAnewIsKept) {
  EXPECT_TRUE(in_child([] {
    open_mpi_slot("1");
    setenv("UPCR_CONDUIT", "mpi", 1);
    mark_launcher_slot_used();
    setenv("UPCR_CONDUIT", "smp", 1);
    return clear_used_launcher_slot() && is_set("UPCR_CONDUIT");
  }));
}

// A launcher inside the job has started this process, in a slot of its own.
TEST(LauncherSlot, AnotherSlotIsKept) {
  EXPECT_TRUE(in_child([] {
    open_mpi_slot("1");
    mark_launcher_slot_used();
    open_mpi_slot("0");
    return !clear_used_launcher_slot() && is_set("OMPI_COMM_WORLD_RANK");
  }));
}

}  // namespace
}  // namespace upcr
