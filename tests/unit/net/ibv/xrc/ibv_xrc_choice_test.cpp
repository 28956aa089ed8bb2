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
  t.queue_pairs = 1'000;
  t.has_xrc = t.shares = true;
  std::vector<XrcTraits> all(8, t);
  all[0].is_first = all[4].is_first = true;
  return all;
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

// Queue pairs of XRC are not closed when they are quiet, those between two processes are: a job that would
// exceed its limit with XRC, too, keeps within it without.
TEST(IbvXrcChoice, AutoNeedsFewHosts) {
  std::vector<XrcTraits> dealt_one_by_one = job(3);
  for (XrcTraits& t : dealt_one_by_one) t.distant = 7, t.host_size = 1, t.is_first = true;
  EXPECT_EQ(choose_xrc(dealt_one_by_one).sharers, 0u);
  EXPECT_EQ(choose_xrc(dealt_one_by_one).why_not,
            "rank 0 may need 7 queue pairs to hosts, which are never closed, and may have 3 of 1000");
  dealt_one_by_one[2].setting = XrcSetting::kYes;
  EXPECT_EQ(choose_xrc(dealt_one_by_one).sharers, 1u);
}

// One to each other host, and one that receives for each process there, which are as many for each of the
// own.
TEST(IbvXrcChoice, AutoNeedsQueuePairsThatReceive) {
  std::vector<XrcTraits> all = job(3);
  for (XrcTraits& t : all) t.queue_pairs = 2;
  EXPECT_EQ(choose_xrc(all).sharers, 4u);
  all[7].queue_pairs = 1;
  EXPECT_EQ(choose_xrc(all).sharers, 0u);
  EXPECT_FALSE(choose_xrc(all).is_wanted);
}

// A queue pair leads from one port to one port.
TEST(IbvXrcChoice, AutoCountsPairsOfPorts) {
  std::vector<XrcTraits> all = job(3);
  for (XrcTraits& t : all) t.ports = 2;
  EXPECT_EQ(choose_xrc(all).sharers, 0u);
  for (XrcTraits& t : all) t.connections = 4, t.distant = 5;
  EXPECT_EQ(choose_xrc(all).sharers, 4u);
}

// What only librdmacm can do, which asks the subnet manager, is not lost where nobody has asked for XRC.
TEST(IbvXrcChoice, AutoKeepsWhatLibrdmacmCanDo) {
  const auto with = [](auto&& how, std::uint8_t ways, XrcSetting setting) {
    std::vector<XrcTraits> all = job(1, setting);
    for (XrcTraits& t : all) t.ways = ways;
    how(all[5]);
    return choose_xrc(all);
  };
  const auto expect = [&](auto&& how, const std::string& why) {
    EXPECT_EQ(with(how, kByRdmacm | kByDatagrams, XrcSetting::kAuto).sharers, 0u);
    EXPECT_EQ(with(how, kByRdmacm | kByDatagrams, XrcSetting::kAuto).why_not, why);
    EXPECT_EQ(with(how, kByDatagrams, XrcSetting::kAuto).sharers, 4u);
    EXPECT_EQ(with(how, kByRdmacm | kByDatagrams, XrcSetting::kYes).sharers, 4u);
  };
  expect([](XrcTraits& t) { t.by_class = true; },
         "rank 5 has UPCR_IBV_TRAFFIC_CLASS, by which librdmacm asks the subnet manager for a service level");
  expect([](XrcTraits& t) { t.subnets = 17; },
         "rank 5 is in other subnets than rank 0, which datagrams do not join");
}

TEST(IbvXrcChoice, TheLargestHostCounts) {
  std::vector<XrcTraits> all = job(1);
  all[1].host_size = 16;
  EXPECT_EQ(choose_xrc(all).sharers, 16u);
}

}  // namespace
}  // namespace upcr::ibv
