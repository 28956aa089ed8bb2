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

using test::equal;
using test::kAnonymous;
using test::kExit;
using test::kUnnamed;
using test::named;

BarrierSummary summary_of(const std::vector<BarrierValue>& values) {
  BarrierSummary s;
  for (Slot t = 0; t < values.size(); ++t) s.add(t, values[t]);
  return s;
}

TEST(BarrierSummary, AgreementAndDisagreement) {
  struct Case {
    std::vector<BarrierValue> values;
    bool mismatch;
    Slot first, second;
  };
  const Case cases[] = {
      {{kAnonymous, kAnonymous}, false, 0, 0},
      {{named(3), named(3), named(3)}, false, 0, 0},
      {{kAnonymous, named(3), kAnonymous, named(3)}, false, 1, 0},
      {{named(3), named(3), named(4)}, true, 0, 2},
      {{kAnonymous, named(4), named(3), named(4)}, true, 1, 2},
      {{kUnnamed, kUnnamed}, false, 0, 0},
      {{kUnnamed, kAnonymous}, true, 0, 1},
      {{kAnonymous, kUnnamed, kUnnamed}, true, 1, 0},
      {{named(0), kUnnamed}, true, 0, 1},
      {{kExit, kExit, kExit}, false, 0, 0},
      {{kAnonymous, kExit}, true, 1, 0},
      {{named(0), named(0), kExit}, true, 0, 2},
      {{kUnnamed, kExit}, true, 0, 1},
  };
  for (const Case& c : cases) {
    const BarrierResult r = summary_of(c.values).result();
    EXPECT_EQ(r.mismatch, c.mismatch) << &c - cases;
    EXPECT_EQ(r.first_thread, c.first) << &c - cases;
    if (c.mismatch) {
      EXPECT_EQ(r.second_thread, c.second) << &c - cases;
    }
  }
}

// However the set is split, reordered and duplicated, the result is that of the whole set.
TEST(BarrierSummary, IndependentOfThePath) {
  std::mt19937 random(1);
  const BarrierValue choices[] = {kAnonymous, named(1), named(2), kUnnamed, kExit};
  for (int round = 0; round < 3000; ++round) {
    std::vector<BarrierValue> values(1 + random() % 9);
    const unsigned variety = 1 + random() % 5;
    for (auto& v : values) v = choices[random() % variety];
    const BarrierResult whole = summary_of(values).result();

    std::vector<BarrierSummary> parts(1 + random() % 4);
    std::vector<Slot> order(values.size());
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), random);
    for (Slot t : order) parts[random() % parts.size()].add(t, values[t]);
    BarrierSummary joined;
    for (int i = 0; i < 3; ++i) {
      std::shuffle(parts.begin(), parts.end(), random);
      for (const BarrierSummary& p : parts) {
        std::uint32_t words[BarrierSummary::kWords];
        p.encode(words);
        BarrierSummary decoded;
        ASSERT_TRUE(decoded.decode(words));
        joined.join(decoded);
      }
    }
    ASSERT_TRUE(equal(whole, joined.result())) << "round " << round;
  }
}

TEST(BarrierSummary, RejectsInvalidEncodings) {
  const std::uint32_t wrong_first[BarrierSummary::kWords] = {9};
  const std::uint32_t wrong_second[BarrierSummary::kWords] = {0x10000};
  BarrierSummary s;
  EXPECT_FALSE(s.decode(wrong_first));
  EXPECT_FALSE(s.decode(wrong_second));
}

}  // namespace
}  // namespace upcr
