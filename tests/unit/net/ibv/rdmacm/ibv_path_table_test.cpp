// SPDX-License-Identifier: BSD-3-Clause
// The paths that the processes of a host share. Time is virtual.
#include "conduits/net/ibv/rdmacm/path_table.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace upcr::ibv {
namespace {

using Answer = PathTable::Answer;

ibv_gid gid(std::uint32_t number) {
  ibv_gid g{};
  g.raw[0] = 0xfe;
  g.raw[1] = 0x80;
  std::memcpy(g.raw + 12, &number, sizeof number);
  return g;
}

PathKey pair_of(std::uint32_t own, std::uint32_t remote) {
  PathKey key;
  key.own = gid(own);
  key.remote = gid(remote);
  key.partition = 0xffff;
  return key;
}

ibv_path_record path_to(std::uint16_t lid) {
  ibv_path_record path{};
  path.dlid = lid;
  return path;
}

class Shared {
 public:
  explicit Shared(Rank processes = 8) : bytes(PathTable::bytes_for(processes)) {
    memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(memory, MAP_FAILED);
  }
  ~Shared() { ::munmap(memory, bytes); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  std::size_t bytes;
  void* memory;
};

// As two processes see it.
struct IbvPathTable : testing::Test {
  IbvPathTable() {
    one.open(shared.memory, shared.bytes);
    other.open(shared.memory, shared.bytes);
  }
  Shared shared;
  PathTable one, other;
  const PathKey key = pair_of(1, 2);
};

TEST_F(IbvPathTable, TheFirstAsksTheOthersWaitForItsAnswer) {
  const PathTable::Found first = one.find(key, 100);
  EXPECT_EQ(first.answer, Answer::kAsk);
  EXPECT_NE(first.claim, PathTable::kNoClaim);
  EXPECT_EQ(other.find(key, 100).answer, Answer::kWait);
  EXPECT_EQ(one.find(key, 101).answer, Answer::kWait);
  one.keep(key, first.claim, path_to(7), 102);
  const PathTable::Found later = other.find(key, 103);
  EXPECT_EQ(later.answer, Answer::kKept);
  EXPECT_EQ(later.path.dlid, 7);
}

TEST_F(IbvPathTable, OtherPairsArePathsOfTheirOwn) {
  const PathTable::Found first = one.find(key, 100);
  one.keep(key, first.claim, path_to(7), 100);
  PathKey partition = key, traffic_class = key, back = key;
  partition.partition = 0x8001;
  traffic_class.traffic_class = 1;
  std::swap(back.own, back.remote);
  for (const PathKey& differing : {partition, traffic_class, back, pair_of(1, 3), pair_of(3, 2)})
    EXPECT_EQ(other.find(differing, 100).answer, Answer::kAsk);
  EXPECT_EQ(other.find(key, 100).answer, Answer::kKept);
}

TEST_F(IbvPathTable, OneThatGivesUpLeavesTheQuestionToTheNext) {
  const PathTable::Found first = one.find(key, 100);
  one.give_up(key, first.claim);
  const PathTable::Found next = other.find(key, 101);
  EXPECT_EQ(next.answer, Answer::kAsk);
  EXPECT_NE(next.claim, PathTable::kNoClaim);
  EXPECT_NE(next.claim, first.claim);
}

TEST_F(IbvPathTable, AClaimHasAnEnd) {
  const PathTable::Found dead = one.find(key, 100);
  EXPECT_EQ(other.find(key, 100 + PathTable::kClaimLimit - 1).answer, Answer::kWait);
  const PathTable::Found next = other.find(key, 100 + PathTable::kClaimLimit);
  EXPECT_EQ(next.answer, Answer::kAsk);
  EXPECT_EQ(one.find(key, 100 + PathTable::kClaimLimit).answer, Answer::kWait);  // one asks, not all
  // The late answer is not taken for that of the new claim.
  one.keep(key, dead.claim, path_to(7), 100 + PathTable::kClaimLimit);
  one.give_up(key, dead.claim);
  EXPECT_EQ(one.find(key, 100 + PathTable::kClaimLimit).answer, Answer::kWait);
  other.keep(key, next.claim, path_to(8), 100 + PathTable::kClaimLimit);
  EXPECT_EQ(one.find(key, 100 + PathTable::kClaimLimit).path.dlid, 8);
}

// All at the same time: nobody waits for the others one after another.
TEST_F(IbvPathTable, AnAnswerThatIsDeclinedSendsEachToAsk) {
  const PathTable::Found first = one.find(key, 100);
  one.decline(key, first.claim, 101);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(other.find(key, 102).answer, Answer::kAsk);
    EXPECT_EQ(one.find(key, 102).answer, Answer::kAsk);
  }
  one.drop_from(gid(1));
  EXPECT_NE(one.find(key, 103).claim, PathTable::kNoClaim);
}

TEST_F(IbvPathTable, OnlyThePathThatFailedIsDropped) {
  one.keep(key, one.find(key, 100).claim, path_to(7), 100);
  other.drop(key, path_to(6));  // an older one
  EXPECT_EQ(one.find(key, 101).answer, Answer::kKept);
  other.drop(key, path_to(7));
  EXPECT_EQ(one.find(key, 102).answer, Answer::kAsk);
}

TEST_F(IbvPathTable, AllPathsFromAPortAreDropped) {
  const PathKey claimed = pair_of(1, 3), kept = pair_of(4, 2);
  one.keep(key, one.find(key, 100).claim, path_to(7), 100);
  one.keep(kept, one.find(kept, 100).claim, path_to(8), 100);
  const PathTable::Found asked = one.find(claimed, 100);
  other.drop_from(gid(1));
  EXPECT_EQ(one.find(key, 101).answer, Answer::kAsk);
  EXPECT_EQ(one.find(kept, 101).answer, Answer::kKept);
  // What was asked before the change is not an answer after it.
  one.keep(claimed, asked.claim, path_to(9), 101);
  EXPECT_EQ(one.find(claimed, 101).answer, Answer::kAsk);
}

// More pairs than there is room for: each gets an answer, the newest ones stay.
TEST_F(IbvPathTable, HasABound) {
  constexpr std::uint32_t kPairs = 100'000;
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    const PathKey pair = pair_of(1, i);
    const PathTable::Found found = one.find(pair, i);
    ASSERT_EQ(found.answer, Answer::kAsk);
    ASSERT_NE(found.claim, PathTable::kNoClaim);
    one.keep(pair, found.claim, path_to(static_cast<std::uint16_t>(i)), i);
    ASSERT_EQ(other.find(pair, i).answer, Answer::kKept);
  }
  unsigned left = 0;
  for (std::uint32_t i = 0; i < kPairs; ++i)
    if (const PathTable::Found found = other.find(pair_of(1, i), kPairs); found.answer == Answer::kKept) {
      EXPECT_EQ(found.path.dlid, static_cast<std::uint16_t>(i));
      ++left;
    } else {
      other.give_up(pair_of(1, i), found.claim);
    }
  EXPECT_GT(left, 0u);
  EXPECT_LT(left, shared.bytes / sizeof(ibv_path_record));
}

// More questions at the same time than there is room for: those that find none ask, too.
TEST_F(IbvPathTable, ManyClaimsAtOnceKeepNobodyWaiting) {
  constexpr std::uint32_t kPairs = 10'000;
  unsigned without = 0;
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    const PathTable::Found found = one.find(pair_of(1, i), 100);
    ASSERT_EQ(found.answer, Answer::kAsk);
    if (found.claim == PathTable::kNoClaim) ++without;
  }
  EXPECT_GT(without, 0u);
  EXPECT_NE(one.find(pair_of(2, 1), 100 + PathTable::kClaimLimit).claim, PathTable::kNoClaim);
}

TEST(IbvPathTableMemory, HasRoomForTheHostsOfAJob) {
  for (const Rank processes : {1u, 100u, 8'000u}) {
    Shared shared(processes);
    PathTable table;
    table.open(shared.memory, shared.bytes);
    unsigned kept = 0;
    const std::uint32_t pairs = processes / 8 + 1;
    for (std::uint32_t i = 0; i < pairs; ++i)
      table.keep(pair_of(1, i), table.find(pair_of(1, i), i).claim, path_to(1), i);
    for (std::uint32_t i = 0; i < pairs; ++i)
      kept += table.find(pair_of(1, i), pairs).answer == Answer::kKept ? 1 : 0;
    EXPECT_GE(kept * 100, pairs * 95) << processes;
  }
  EXPECT_LT(PathTable::bytes_for(1'000'000), std::size_t{2} << 20);
}

TEST(IbvPathTableMemory, WithoutItEverybodyAsks) {
  PathTable table;
  table.open(nullptr, 0);
  const PathKey key = pair_of(1, 2);
  EXPECT_EQ(table.find(key, 1).answer, Answer::kAsk);
  table.keep(key, 1, path_to(1), 1);
  table.drop_from(gid(1));
  EXPECT_EQ(table.find(key, 1).answer, Answer::kAsk);
}

// Real processes, which come at the same time.
TEST(IbvPathTableProcesses, OneOfThemAsks) {
  constexpr int kProcesses = 8, kPairs = 200;
  Shared shared(kPairs * 8);
  struct Counts {
    std::atomic<int> here, asked[kPairs];
  };
  auto* counts = static_cast<Counts*>(
      ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(counts, MAP_FAILED);
  pid_t children[kProcesses];
  for (pid_t& child : children) {
    child = ::fork();
    ASSERT_GE(child, 0);
    if (child != 0) continue;
    PathTable table;
    table.open(shared.memory, shared.bytes);
    ++counts->here;
    while (counts->here < kProcesses) ::usleep(100);
    for (int i = 0; i < kPairs; ++i) {
      const PathKey key = pair_of(1, static_cast<std::uint32_t>(i));
      for (;;) {
        const PathTable::Found found = table.find(key, 1);
        if (found.answer == Answer::kKept) {
          if (found.path.dlid != i) ::_exit(1);
          break;
        }
        if (found.answer == Answer::kAsk) {
          ++counts->asked[i];
          ::usleep(50);
          table.keep(key, found.claim, path_to(static_cast<std::uint16_t>(i)), 1);
        }
      }
    }
    ::_exit(0);
  }
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  for (const std::atomic<int>& asked : counts->asked) EXPECT_EQ(asked, 1);
  ::munmap(counts, sizeof(Counts));
}

// A process that is killed, perhaps in the middle of a change, leaves a table that others can use.
TEST(IbvPathTableProcesses, OneThatIsKilledDoesNotBlockTheOthers) {
  Shared shared;
  PathTable table;
  table.open(shared.memory, shared.bytes);
  const PathKey key = pair_of(1, 2);
  for (int round = 0; round < 40; ++round) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const PathKey other = pair_of(3, 4);
      for (;;) {
        const PathTable::Found found = table.find(other, 1);
        table.keep(other, found.claim, path_to(5), 1);
        table.drop(other, path_to(5));
      }
    }
    ::usleep(2'000);
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    const PathTable::Found found = table.find(key, 1);
    ASSERT_EQ(found.answer, Answer::kAsk);
    ASSERT_NE(found.claim, PathTable::kNoClaim);
    table.keep(key, found.claim, path_to(7), 1);
    ASSERT_EQ(table.find(key, 1).answer, Answer::kKept);
    table.drop(key, path_to(7));
  }
}

// One that a debugger stops in the middle of a change: the others ask for themselves until it goes on.
TEST(IbvPathTableProcesses, OneThatIsStoppedDoesNotBlockTheOthers) {
  Shared shared(8'192);
  const pid_t changing = ::fork();
  ASSERT_GE(changing, 0);
  if (changing == 0) {
    PathTable table;
    table.open(shared.memory, shared.bytes);
    for (;;) table.drop_from(gid(3));  // it reads the whole table
  }
  ::usleep(20'000);
  const PathKey key = pair_of(1, 2);
  for (int round = 0; round < 3; ++round) {
    ::usleep(2'000);
    ::kill(changing, SIGSTOP);
    ASSERT_EQ(::waitpid(changing, nullptr, WUNTRACED), changing);
    const pid_t asking = ::fork();
    ASSERT_GE(asking, 0);
    if (asking == 0) {
      PathTable table;
      table.open(shared.memory, shared.bytes);
      const PathTable::Found found = table.find(key, 1);
      table.give_up(key, found.claim);
      ::_exit(found.answer == Answer::kAsk ? 0 : 1);
    }
    int status = -1;
    pid_t ended = 0;
    for (int ms = 0; ended == 0 && ms < 20'000; ++ms) {
      ended = ::waitpid(asking, &status, WNOHANG);
      ::usleep(1'000);
    }
    ::kill(changing, SIGCONT);
    EXPECT_EQ(ended, asking) << "it waits for the one that was stopped";
    if (ended == 0) ::waitpid(asking, &status, 0);
    EXPECT_EQ(status, 0);
  }
  PathTable table;
  table.open(shared.memory, shared.bytes);
  EXPECT_NE(table.find(key, 1).claim, PathTable::kNoClaim);
  ::kill(changing, SIGKILL);
  ::waitpid(changing, nullptr, 0);
}

}  // namespace
}  // namespace upcr::ibv
