// SPDX-License-Identifier: BSD-3-Clause
// Which variables of upcrun's environment are passed to a process on another host, and which of that host's
// own are kept. Each case runs in a process of its own, because it changes the environment.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <string>

#include "tools/upcrun/protocol/launch_spec.hpp"

namespace upcrun {
namespace {

using Variables = std::map<std::string, std::string>;

void set_environment(const Variables& variables) {
  ::clearenv();
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
}

Variables environment() {
  Variables all;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string text = *at;
    all[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  }
  return all;
}

std::string describe(const Variables& variables) {
  std::string text;
  for (const auto& [name, value] : variables) text += name + "=" + value + " ";
  return text;
}

// The environment of a program: upcrun had `here`, mpirun and the host have set `there`.
void expect(const Variables& here, const Variables& there, const Variables& expected) {
  const pid_t child = ::fork();
  if (child == 0) {
    set_environment(here);
    clear_outer_job();
    const std::vector<std::string> sent = exported_environment();
    set_environment(there);
    apply_environment(sent);
    EXPECT_EQ(describe(expected), describe(environment()));
    ::_exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  int status = -1;
  ASSERT_EQ(child, ::waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
}

TEST(Environment, VariablesThatConfigureMpiStay) {
  const Variables users = {{"OMPI_MCA_btl", "self"},
                           {"PMIX_MCA_gds", "hash"},
                           {"HYDRA_IFACE", "eth0"},
                           {"PRTE_MCA_x", "1"},
                           {"OMPI_MCA_ess_x", "1"}};
  expect(users, {}, users);
  // In a batch script the only process has a rank of Slurm's.
  Variables batch = users;
  batch["SLURM_PROCID"] = "0";
  expect(batch, {}, users);
  batch["OMPI_COMM_WORLD_RANK"] = "3";
  expect(batch, {}, users);
}

TEST(Environment, VariablesOfAnOuterJobAreRemoved) {
  expect({{"OMPI_COMM_WORLD_RANK", "1"},
          {"OMPI_COMM_WORLD_SIZE", "2"},
          {"OMPI_UNIVERSE_SIZE", "2"},
          {"OMPI_MCA_orte_hnp_uri", "x"},
          {"OMPI_MCA_ess_base_vpid", "1"},
          {"PMIX_RANK", "1"},
          {"PMIX_NAMESPACE", "x"},
          {"PMIX_SERVER_URI2", "x"},
          {"PMI_FD", "7"},
          {"HYDI_CONTROL_FD", "8"},
          {"A", "a"}},
         {}, {{"A", "a"}});
}

TEST(Environment, VariablesOfTheLauncherAndTheHostTakePrecedence) {
  const Variables there = {{"OMPI_COMM_WORLD_RANK", "1"},
                           {"OMPI_MCA_pmix", "s"},
                           {"SLURM_NODEID", "1"},
                           {"SLURM_CPUS_ON_NODE", "4"},
                           {"CUDA_VISIBLE_DEVICES", "1"}};
  Variables expected = there;
  expected["PATH"] = "/here";
  expected["SLURM_JOB_ID"] = "77";
  expected["ROCR_VISIBLE_DEVICES"] = "2";
  Variables before = there;
  before["PATH"] = "/there";
  expect({{"OMPI_MCA_pmix", "mine"},
          {"SLURM_NODEID", "0"},
          {"SLURM_LOCALID", "0"},
          {"SLURMD_NODENAME", "n0"},
          {"SLURM_CPUS_ON_NODE", "8"},
          {"SLURM_JOB_ID", "77"},
          {"CUDA_VISIBLE_DEVICES", "0"},
          {"ROCR_VISIBLE_DEVICES", "2"},
          {"PATH", "/here"},
          {"HOSTNAME", "n0"}},
         before, expected);
}

}  // namespace

}  // namespace upcrun
