// SPDX-License-Identifier: BSD-3-Clause
// The limits of this host's memory, and their descriptions, with files as the kernel writes them.
#include "conduits/core/memory/memory_limits.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

using upcr::memory_limit;

class MemoryLimits : public ::testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/memory_limits.XXXXXX";
    ASSERT_NE(::mkdtemp(folder), nullptr);
    root_ = folder;
    write("/proc/meminfo",
          "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  void expect(std::uint64_t bytes, const std::string& source) {
    const upcr::MemoryLimit limit = memory_limit(root_);
    EXPECT_EQ(limit.bytes, bytes);
    EXPECT_EQ(limit.source, source);
  }

  static constexpr std::uint64_t kMiB = 1 << 20, kGiB = 1 << 30;
  static constexpr char kFree[] = "its free memory (MemAvailable of /proc/meminfo is 8 GiB)";
  std::string root_;
};

TEST_F(MemoryLimits, TheMachine) {
  expect(8 * kGiB, kFree);  // no cgroups at all
  write("/proc/self/cgroup", "0::/user.slice/job\n");
  write("/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
  write("/sys/fs/cgroup/user.slice/job/memory.current", "1073741824\n");
  expect(8 * kGiB, kFree);
  write("/sys/fs/cgroup/user.slice/job/memory.max",
        "10737418240\n");  // 9 GiB are left, more than the machine has
  expect(8 * kGiB, kFree);
}

TEST_F(MemoryLimits, ItsCgroup) {
  write("/proc/self/cgroup", "0::/user.slice/job\n");
  write("/sys/fs/cgroup/user.slice/job/memory.max", "2147483648\n");
  write("/sys/fs/cgroup/user.slice/job/memory.current", "536870912\n");
  expect(
      1536 * kMiB,
      "its memory cgroup (/sys/fs/cgroup/user.slice/job/memory.max is 2 GiB, of which 512 MiB are in use)");
}

TEST_F(MemoryLimits, WithoutProcItIsUnknown) {
  ASSERT_EQ(std::remove((root_ + "/proc/meminfo").c_str()), 0);
  expect(UINT64_MAX, "its free memory is unknown (there is no /proc/meminfo)");
}

TEST_F(MemoryLimits, ACgroupAboveIt) {
  write("/proc/self/cgroup", "0::/user.slice/job\n");
  write("/sys/fs/cgroup/user.slice/job/memory.max", "2147483648\n");
  write("/sys/fs/cgroup/user.slice/job/memory.current", "0\n");
  write("/sys/fs/cgroup/user.slice/memory.max", "4294967296\n");
  write("/sys/fs/cgroup/user.slice/memory.current", "3221225472\n");
  expect(kGiB,
         "its memory cgroup (/sys/fs/cgroup/user.slice/memory.max is 4 GiB, of which 3 GiB are in use)");
}

TEST_F(MemoryLimits, AContainer) {
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/memory.max", "67108864\n");
  write("/sys/fs/cgroup/memory.current", "134217728\n");  // over it, for a moment
  expect(0, "its memory cgroup (/sys/fs/cgroup/memory.max is 64 MiB, of which 128 MiB are in use)");
}

TEST_F(MemoryLimits, TheFirstVersionOfCgroups) {
  write("/proc/self/cgroup", "12:cpu,cpuacct:/\n7:memory:/slurm/uid_1/job_2\n1:name=systemd:/\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1073741824\n");
  write("/sys/fs/cgroup/memory/slurm/uid_1/job_2/memory.limit_in_bytes", "1073741824\n");
  write("/sys/fs/cgroup/memory/slurm/uid_1/job_2/memory.usage_in_bytes", "268435456\n");
  expect(768 * kMiB,
         "its memory cgroup (/sys/fs/cgroup/memory/slurm/uid_1/job_2/memory.limit_in_bytes is 1 GiB, "
         "of which 256 MiB are in use)");
}

}  // namespace
