// SPDX-License-Identifier: BSD-3-Clause
// The summary of the threads' values is the same on every path through the groups.
#include "conduits/core/barrier/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/barrier_values.hpp"

namespace upcr {
namespace {

using namespace test;

BarrierSummary summary_of(const std::vector<BarrierValue>& said) {
  BarrierSummary s;
  for (Slot t = 0; t < said.size(); ++t) s.add(t, said[t]);
  return s;
}

TEST(BarrierSummary, AgreementAndDisagreement) {
  struct Case {
    std::vector<BarrierValue> said;
    bool mismatch;
    Slot first, second;
  };
  const Case cases[] = {
      {{kAnyone, kAnyone}, false, 0, 0},
      {{named(3), named(3), named(3)}, false, 0, 0},
      {{kAnyone, named(3), kAnyone, named(3)}, false, 1, 0},
      {{named(3), named(3), named(4)}, true, 0, 2},
      {{kAnyone, named(4), named(3), named(4)}, true, 1, 2},
      {{kTogether, kTogether}, false, 0, 0},
      {{kTogether, kAnyone}, true, 0, 1},
      {{kAnyone, kTogether, kTogether}, true, 1, 0},
      {{named(0), kTogether}, true, 0, 1},
      {{kLeaving, kLeaving, kLeaving}, false, 0, 0},
      {{kAnyone, kLeaving}, true, 1, 0},
      {{named(0), named(0), kLeaving}, true, 0, 2},
      {{kTogether, kLeaving}, true, 0, 1},
  };
  for (const Case& c : cases) {
    const BarrierResult r = summary_of(c.said).result();
    EXPECT_EQ(r.mismatch, c.mismatch) << &c - cases;
    EXPECT_EQ(r.first_thread, c.first) << &c - cases;
    if (c.mismatch) {
      EXPECT_EQ(r.second_thread, c.second) << &c - cases;
    }
  }
}

// However the set is cut, reordered and doubled, the result is that of the whole.
TEST(BarrierSummary, IndependentOfTheWay) {
  std::mt19937 random(1);
  const BarrierValue choices[] = {kAnyone, named(1), named(2), kTogether, kLeaving};
  for (int round = 0; round < 3000; ++round) {
    std::vector<BarrierValue> said(1 + random() % 9);
    const unsigned variety = 1 + random() % 5;
    for (auto& v : said) v = choices[random() % variety];
    const BarrierResult whole = summary_of(said).result();

    std::vector<BarrierSummary> parts(1 + random() % 4);
    std::vector<Slot> order(said.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    for (Slot t : order) parts[random() % parts.size()].add(t, said[t]);
    BarrierSummary joined;
    for (int i = 0; i < 3; ++i) {
      std::shuffle(parts.begin(), parts.end(), random);
      for (const BarrierSummary& p : parts) {
        std::uint32_t words[BarrierSummary::kWords];
        p.encode(words);
        BarrierSummary travelled;
        ASSERT_TRUE(travelled.decode(words));
        joined.join(travelled);
      }
    }
    ASSERT_TRUE(equal(whole, joined.result())) << "round " << round;
  }
}

TEST(BarrierSummary, RejectsWordsThatAreNone) {
  const std::uint32_t wrong_first[BarrierSummary::kWords] = {9};
  const std::uint32_t wrong_second[BarrierSummary::kWords] = {0x10000};
  BarrierSummary s;
  EXPECT_FALSE(s.decode(wrong_first));
  EXPECT_FALSE(s.decode(wrong_second));
}

}  // namespace
}  // namespace upcr
