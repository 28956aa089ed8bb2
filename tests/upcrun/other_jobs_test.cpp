// SPDX-License-Identifier: BSD-3-Clause
// The CPUs that other jobs use: claims, and what the kernel's files say of other processes.
#include "tools/upcrun/binding/other_jobs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace upcrun {
namespace {

using Busy = std::map<int, unsigned>;

// A folder with the kernel's files of processes that do not exist.
class Processes : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("other_jobs." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "net");
    std::ofstream(folder_ / "net/unix") << "Num       RefCount Protocol Flags    Type St Inode Path\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void add(int pid, const std::string& cpus, unsigned threads = 1, bool kernel_thread = false) {
    const std::filesystem::path process = folder_ / std::to_string(pid);
    std::filesystem::create_directories(process);
    std::ofstream status(process / "status");
    status << "Name:\tx\n";
    if (!kernel_thread) status << "VmSize:\t    4096 kB\n";
    status << "Threads:\t" << threads << "\nCpus_allowed:\tf\nCpus_allowed_list:\t" << cpus << "\n";
  }
  void claim(const std::string& name) {
    std::ofstream(folder_ / "net/unix", std::ios::app)
        << "0000000000000000: 00000002 00000000 00000000 0002 01 12345 " << name << "\n";
  }
  Busy busy() const { return busy_cpus({0, 1, 2, 3}, folder_.string()); }

  std::filesystem::path folder_;
};

TEST_F(Processes, BoundOnes) {
  EXPECT_EQ(busy(), Busy());
  add(1, "0-3");
  add(2, "0-127");  // as this one, or more
  EXPECT_EQ(busy(), Busy());
  add(3, "1");
  add(4, "2", 1, true);  // of the kernel itself
  EXPECT_EQ(busy(), Busy({{1, 1}}));
  add(5, "1,7-9", 4);  // one of its threads on each
  add(6, "100", 3);    // on a CPU that this process may not use
  EXPECT_EQ(busy(), Busy({{1, 2}}));
}

TEST_F(Processes, ThatShareCpus) {
  add(1, "0-1");
  EXPECT_EQ(busy(), Busy());  // half of each
  add(2, "0-1");
  EXPECT_EQ(busy(), Busy({{0, 1}, {1, 1}}));
}

TEST_F(Processes, ClaimedCpus) {
  claim("@upcr-cpu-2");
  claim("@upcr-cpu-77");
  claim("@another-cpu-1");
  claim("/run/upcr-cpu-1");
  EXPECT_EQ(busy(), Busy({{2, 1}}));
}

TEST(Claims, OfOneJobAtATime) {
  constexpr int kNoCpu = 1'000'000;  // which no machine of the other tests has
  CpuClaims first, second;
  EXPECT_TRUE(first.claim(kNoCpu));
  EXPECT_TRUE(first.claim(kNoCpu));
  EXPECT_FALSE(second.claim(kNoCpu));
  EXPECT_TRUE(second.claim(kNoCpu + 1));
  first.keep_only({});
  EXPECT_TRUE(second.claim(kNoCpu));
}

}  // namespace
}  // namespace upcrun
