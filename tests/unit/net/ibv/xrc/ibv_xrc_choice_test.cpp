// SPDX-License-Identifier: BSD-3-Clause
// Whether a job uses XRC.
#include "conduits/net/ibv/xrc/choice.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "conduits/net/ibv/connector/connect_by.hpp"

namespace upcr::ibv {
namespace {

// Two hosts of four processes, with devices that can do it.
std::vector<XrcTraits> job(unsigned connections = 1'000, XrcSetting setting = XrcSetting::kAuto) {
  XrcTraits t;
  t.distant = 4;
  t.connections = connections;
  t.host_size = 4;
  t.sends = 4'096;
  t.setting = setting;
  t.ways = kByDatagrams;
  t.has_xrc = t.shares = true;
  return std::vector<XrcTraits>(8, t);
}

TEST(IbvXrcChoice, AutoBeginsWhereConnectionsWouldBeEvicted) {
  EXPECT_EQ(choose_xrc(job(4)).sharers, 0u);
  EXPECT_EQ(choose_xrc(job(3)).sharers, 4u);
  std::vector<XrcTraits> one = job(4);
  one[5].connections = 3;
  EXPECT_EQ(choose_xrc(one).sharers, 4u);
}

TEST(IbvXrcChoice, YesNeedsNoReason) {
  std::vector<XrcTraits> one = job();
  one[7].setting = XrcSetting::kYes;
  EXPECT_EQ(choose_xrc(one).sharers, 4u);
  EXPECT_TRUE(choose_xrc(one).is_wanted);
}

TEST(IbvXrcChoice, NoOfOneProcessIsNoForAll) {
  std::vector<XrcTraits> all = job(1);
  all[2].setting = XrcSetting::kNo;
  EXPECT_EQ(choose_xrc(all).sharers, 0u);
  EXPECT_FALSE(choose_xrc(all).is_wanted);
  all[3].setting = XrcSetting::kYes;
  EXPECT_EQ(choose_xrc(all).sharers, 0u);
  EXPECT_TRUE(choose_xrc(all).is_wanted);
  EXPECT_EQ(choose_xrc(all).why_not,
            "rank 2 has UPCR_IBV_XRC=no and rank 3 yes; set it to the same value everywhere");
}

TEST(IbvXrcChoice, OneProcessThatCannotDecidesForAll) {
  const auto change = [](auto&& how, XrcSetting setting) {
    std::vector<XrcTraits> all = job(1, setting);
    how(all[6]);
    return choose_xrc(all);
  };
  const auto expect = [&](auto&& how, const std::string& why) {
    EXPECT_EQ(change(how, XrcSetting::kAuto).sharers, 0u);
    EXPECT_FALSE(change(how, XrcSetting::kAuto).is_wanted);
    EXPECT_EQ(change(how, XrcSetting::kYes).sharers, 0u);
    EXPECT_TRUE(change(how, XrcSetting::kYes).is_wanted);
    EXPECT_EQ(change(how, XrcSetting::kYes).why_not, why);
  };
  expect([](XrcTraits& t) { t.has_xrc = false; }, "rank 6 has a device without XRC");
  expect([](XrcTraits& t) { t.shares = false; },
         "rank 6 uses no shared receive queue (UPCR_IBV_SRQ=no, or the device has none)");
  expect([](XrcTraits& t) { t.sends = 16; },
         "4 processes of a host are too many for the send queue of rank 6");
}

// Connections of XRC are made by datagrams, also where all processes have librdmacm as well.
TEST(IbvXrcChoice, AllMustHaveDatagrams) {
  std::vector<XrcTraits> all = job(1);
  for (XrcTraits& t : all) t.ways = kByRdmacm | kByDatagrams;
  EXPECT_EQ(choose_xrc(all).sharers, 4u);
  all[3].ways = kByRdmacm;
  EXPECT_EQ(choose_xrc(all).sharers, 0u);
  EXPECT_FALSE(choose_xrc(all).is_wanted);
  EXPECT_EQ(choose_xrc(all).why_not,
            "rank 3 cannot make connections by datagrams (iWARP, or UPCR_IBV_CONNECT_BY=rdmacm)");
}

TEST(IbvXrcChoice, TheLargestHostCounts) {
  std::vector<XrcTraits> all = job(1);
  all[1].host_size = 16;
  EXPECT_EQ(choose_xrc(all).sharers, 16u);
}

}  // namespace
}  // namespace upcr::ibv
