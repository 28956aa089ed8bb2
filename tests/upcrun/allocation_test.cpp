// SPDX-License-Identifier: BSD-3-Clause
// Allocations of batch systems, from environments as these systems set them.
#include "tools/upcrun/plan/allocation.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/upcrun/protocol_support.hpp"
#include "tools/upcrun/plan/hosts.hpp"

namespace upcrun {
namespace {

using Hosts = std::vector<Host>;
using Names = std::vector<std::string>;
using Texts = std::map<std::string, std::string>;

Allocation allocation_of(const Texts& variables, const Texts& files = {}) {
  return read_allocation(
      [&variables](const char* name) {
        const auto found = variables.find(name);
        return found != variables.end() ? found->second : "";
      },
      [&files](const std::string& path) {
        const auto found = files.find(path);
        return found != files.end() ? std::optional(found->second) : std::nullopt;
      });
}

TEST(HostLists, OfSlurm) {
  EXPECT_EQ(expand_host_list(""), Names());
  EXPECT_EQ(expand_host_list("n1"), Names({"n1"}));
  EXPECT_EQ(expand_host_list("n[1-3,7],m5"), Names({"n1", "n2", "n3", "n7", "m5"}));
  EXPECT_EQ(expand_host_list("n[08-11]"), Names({"n08", "n09", "n10", "n11"}));
  EXPECT_EQ(expand_host_list("a,b-2,c[5]x"), Names({"a", "b-2", "c5x"}));
  EXPECT_EQ(expand_host_list("r[0-1]c[01-02],login"), Names({"r0c01", "r0c02", "r1c01", "r1c02", "login"}));
  for (const char* wrong : {",", "n1,", ",n1", "n[1-", "n[3-1]", "n[]", "n[a-b]", "n[1-2", "n[1-9999999999]"})
    EXPECT_NE(failure_of([&] { return expand_host_list(wrong); }), "no failure") << wrong;
}

TEST(HostLists, CountsOfSlurm) {
  EXPECT_EQ(expand_counts(""), std::vector<unsigned>());
  EXPECT_EQ(expand_counts("4"), std::vector<unsigned>({4}));
  EXPECT_EQ(expand_counts("2(x3),1"), std::vector<unsigned>({2, 2, 2, 1}));
  EXPECT_EQ(expand_counts("16,8(x2)"), std::vector<unsigned>({16, 8, 8}));
  for (const char* wrong : {"x", "2(x", "2(x3", "2(3)", "-1", "2(x9999999)"})
    EXPECT_NE(failure_of([&] { return expand_counts(wrong); }), "no failure") << wrong;
}

TEST(Names, ShortAndFull) {
  EXPECT_TRUE(same_host_name("n1", "n1"));
  EXPECT_TRUE(same_host_name("n1", "N1.cluster.example"));
  EXPECT_TRUE(same_host_name("n1.cluster.example", "n1"));
  EXPECT_FALSE(same_host_name("n1", "n10.cluster.example"));
  EXPECT_FALSE(same_host_name("n1.a", "n1.b"));
  EXPECT_FALSE(same_host_name("n1.a", "n1.a.b"));
  EXPECT_FALSE(same_host_name("10", "10.0.0.1"));
  EXPECT_EQ(parse_host_list("n1:2,n1.cluster.example:3"), Hosts({{"n1", 5}}));
}

TEST(Allocations, None) {
  const Allocation none = allocation_of({{"PBS_NODEFILE", "/x"}, {"JOB_ID", "3"}});
  EXPECT_EQ(none.system, BatchSystem::kNone);
  EXPECT_EQ(none.hosts, Hosts());
  EXPECT_EQ(none.processes, 0u);
}

// sbatch -N 3 --ntasks=7
TEST(Allocations, Slurm) {
  const Texts recorded = {{"SLURM_JOB_ID", "4711"},
                          {"SLURM_JOBID", "4711"},
                          {"SLURM_JOB_NODELIST", "n[01-02],big1"},
                          {"SLURM_NODELIST", "n[01-02],big1"},
                          {"SLURM_JOB_NUM_NODES", "3"},
                          {"SLURM_TASKS_PER_NODE", "3(x2),1"},
                          {"SLURM_JOB_CPUS_PER_NODE", "4(x2),1"},
                          {"SLURM_NTASKS", "7"},
                          {"SLURM_NPROCS", "7"}};
  const Allocation job = allocation_of(recorded);
  EXPECT_EQ(job.system, BatchSystem::kSlurm);
  EXPECT_EQ(job.describe(), "Slurm's job 4711");
  EXPECT_EQ(job.hosts, Hosts({{"n01", 3}, {"n02", 3}, {"big1", 1}}));
  EXPECT_EQ(job.processes, 7u);
}

// salloc -N 2: no number of tasks was given, and Slurm counts CPUs.
TEST(Allocations, SlurmWithoutTasks) {
  const Allocation job = allocation_of({{"SLURM_JOB_ID", "5"},
                                        {"SLURM_JOB_NODELIST", "n[1-2]"},
                                        {"SLURM_TASKS_PER_NODE", "8(x2)"},
                                        {"SLURM_JOB_CPUS_PER_NODE", "8(x2)"}});
  EXPECT_EQ(job.hosts, Hosts({{"n1", 8}, {"n2", 8}}));
  EXPECT_EQ(job.processes, 0u);
}

// Of a step on one of two hosts, where the counts are the step's.
TEST(Allocations, SlurmStep) {
  const Allocation job =
      allocation_of({{"SLURM_JOB_ID", "5"}, {"SLURM_JOB_NODELIST", "n[1-2]"}, {"SLURM_TASKS_PER_NODE", "1"}});
  EXPECT_EQ(job.hosts, Hosts({{"n1", 0}, {"n2", 0}}));
  EXPECT_EQ(allocation_of({{"SLURM_JOB_ID", "7"}}).hosts, Hosts());
}

// qsub -l select=2:ncpus=4:mpiprocs=2
TEST(Allocations, Pbs) {
  const Texts recorded = {{"PBS_JOBID", "123.server"}, {"PBS_NODEFILE", "/var/spool/pbs/aux/123.server"}};
  const Allocation job =
      allocation_of(recorded, {{"/var/spool/pbs/aux/123.server", "n1.c\nn1.c\nn2.c\nn2.c\n"}});
  EXPECT_EQ(job.describe(), "PBS's job 123.server");
  EXPECT_EQ(job.hosts, Hosts({{"n1.c", 2}, {"n2.c", 2}}));
  EXPECT_EQ(job.processes, 4u);
  EXPECT_NE(failure_of([&] { return allocation_of(recorded); }).find("cannot be read"), std::string::npos);
}

// bsub -n 6
TEST(Allocations, Lsf) {
  const Allocation job = allocation_of({{"LSB_JOBID", "99"},
                                        {"LSB_HOSTS", "hostA hostA hostA hostA hostB hostB"},
                                        {"LSB_MCPU_HOSTS", "hostA 4 hostB 2 "},
                                        {"LSB_DJOB_NUMPROC", "6"}});
  EXPECT_EQ(job.system, BatchSystem::kLsf);
  EXPECT_EQ(job.hosts, Hosts({{"hostA", 4}, {"hostB", 2}}));
  EXPECT_EQ(job.processes, 6u);
  EXPECT_EQ(allocation_of({{"LSB_JOBID", "99"}, {"LSB_HOSTS", "a b a"}}).hosts, Hosts({{"a", 2}, {"b", 1}}));
  EXPECT_NE(failure_of([] {
              return allocation_of({{"LSB_JOBID", "1"}, {"LSB_MCPU_HOSTS", "a b 2"}});
            }),
            "no failure");
}

// qsub -pe mpi 5
TEST(Allocations, Sge) {
  const std::string file = "n1.c 3 all.q@n1.c UNDEFINED\nn2.c 2 all.q@n2.c <NULL>\n";
  const Allocation job =
      allocation_of({{"JOB_ID", "17"}, {"NSLOTS", "5"}, {"PE_HOSTFILE", "/spool/pe"}}, {{"/spool/pe", file}});
  EXPECT_EQ(job.describe(), "SGE's job 17");
  EXPECT_EQ(job.hosts, Hosts({{"n1.c", 3}, {"n2.c", 2}}));
  EXPECT_EQ(job.processes, 5u);
}

TEST(Allocations, HostsOfAJob) {
  Options options;
  options.allocation.hosts = {{"n1", 3}, {"n2", 3}, {"n3", 1}};
  EXPECT_EQ(allocated_hosts(options, 5), Hosts({{"n1", 3}, {"n2", 2}}));
  EXPECT_EQ(allocated_hosts(options, 9), Hosts({{"n1", 3}, {"n2", 3}, {"n3", 3}}));  // more than slots
  options.host_count = 2;
  EXPECT_EQ(allocated_hosts(options, 5), Hosts({{"n1", 3}, {"n2", 2}}));
  options.host_count = 0;
  options.host_slots = 2;
  EXPECT_EQ(allocated_hosts(options, 5), Hosts({{"n1", 2}, {"n2", 2}, {"n3", 1}}));
  EXPECT_NE(failure_of([&] { return allocated_hosts(options, 7); }), "no failure");
  options.local_only = true;
  EXPECT_EQ(allocated_hosts(options, 5), Hosts());
}

}  // namespace
}  // namespace upcrun
