// SPDX-License-Identifier: BSD-3-Clause
// Which ports are chosen, and the errors when none can be: on invented hosts.
#include "conduits/net/ibv/device/found.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include "conduits/core/base/config/config.hpp"
#include "conduits/net/ibv/connector/published.hpp"
#include "conduits/net/ibv/device/address.hpp"
#include "conduits/net/ibv/device/choice.hpp"

namespace upcr::ibv {
namespace {

FoundAddress address(const char* text, unsigned bits = 24, unsigned scope = 0) {
  FoundAddress a;
  a.prefix_bits = static_cast<std::uint8_t>(bits);
  auto& four = reinterpret_cast<sockaddr_in&>(a.address);
  auto& six = reinterpret_cast<sockaddr_in6&>(a.address);
  if (::inet_pton(AF_INET, text, &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
  } else {
    EXPECT_EQ(::inet_pton(AF_INET6, text, &six.sin6_addr), 1) << text;
    six.sin6_family = AF_INET6;
    six.sin6_scope_id = scope;
  }
  return a;
}

FoundDevice device(const char* name, Kind kind, unsigned span, const char* ip, unsigned gigabits = 100) {
  FoundDevice d;
  d.name = name;
  d.span = span;
  FoundPort p;
  p.kind = kind;
  p.state = PortState::kActive;
  p.gigabits = gigabits;
  p.netdev = std::string("net_") + name;
  if (*ip != 0) p.addresses.push_back(address(ip));
  d.ports.push_back(p);
  return d;
}

// "mlx5_0:1 mlx5_1:1", or the error.
std::string chosen(const Found& found, const char* wish = nullptr, unsigned turn = 0) {
  const Choice choice = choose_ports(found, wish, turn, kMaxPorts);
  EXPECT_EQ(choice.ports.empty(), !choice.error.empty());
  std::string all = choice.error;
  for (const ChosenPort& p : choice.ports)
    all += (all.empty() ? "" : " ") + found.devices[p.device].name + ":" +
           std::to_string(found.devices[p.device].ports[p.port].number);
  return all;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

FoundAddress in_partition(const char* text, std::uint16_t pkey) {
  FoundAddress a = address(text);
  a.pkey = pkey;
  return a;
}

TEST(IbvFound, AddressesOfOnePartition) {
  Found f{"node1", "", {}};
  f.devices = {device("mlx5_0", Kind::kInfiniBand, 8, ""), device("mlx5_1", Kind::kInfiniBand, 8, ""),
               device("roce0", Kind::kRoce, 8, "10.9.0.1")};
  f.devices[0].ports[0].addresses = {in_partition("10.1.0.1", 0xffff), in_partition("10.2.0.1", 0x8001)};
  f.devices[1].ports[0].addresses = {in_partition("10.3.0.1", 0xffff)};
  Found limited = f;
  EXPECT_EQ(keep_partition(f, "0x8001"), "");
  EXPECT_EQ(chosen(f), "mlx5_0:1");
  ASSERT_EQ(f.devices[0].ports[0].addresses.size(), 1U);
  EXPECT_EQ(text_of(f.devices[0].ports[0].addresses[0].address), "10.2.0.1");
  EXPECT_TRUE(has(unusable_reason(f.devices[1], f.devices[1].ports[0]), "no address in partition 0x8001"));
  EXPECT_EQ(f.devices[2].ports[0].addresses.size(), 1U);  // partitions are InfiniBand's
  // The membership bit does not count: 0x0001 is a limited member of 0x8001's partition.
  EXPECT_EQ(keep_partition(limited, "1"), "");
  EXPECT_EQ(text_of(limited.devices[0].ports[0].addresses.at(0).address), "10.2.0.1");
  for (const char* wrong : {"", "x", "0x8001,0x8002", "0x18001", "0x8000", "-1"})
    EXPECT_TRUE(has(keep_partition(f, wrong), "UPCR_IBV_PKEY")) << wrong;
}

TEST(IbvFound, NearestOfTheBestKind) {
  Found f{"node1", "", {}};
  f.devices = {device("roce0", Kind::kRoce, 8, "10.1.0.1"), device("ib0", Kind::kInfiniBand, 64, "10.2.0.1"),
               device("ib1", Kind::kInfiniBand, 16, "10.2.0.2"), device("rxe0", Kind::kRoce, 1, "10.3.0.1")};
  f.devices[3].software = true;
  EXPECT_EQ(chosen(f), "ib1:1");  // the peers have InfiniBand too, so it comes before the nearer RoCE
  f.devices[2].ports[0].state = PortState::kDown;
  EXPECT_EQ(chosen(f), "ib0:1");
  f.devices[1].ports[0].addresses.clear();
  EXPECT_EQ(chosen(f), "roce0:1");
  f.devices[0].error = "no permission";
  EXPECT_EQ(chosen(f), "rxe0:1");
}

TEST(IbvFound, OneOfEachSubnetTheNearestFirst) {
  Found f{"node1", "", {}};
  f.devices = {device("a", Kind::kRoce, 64, "10.1.0.1"), device("b", Kind::kRoce, 16, "10.2.0.1"),
               device("c", Kind::kRoce, 16, "10.1.0.2"), device("d", Kind::kRoce, 64, "10.2.0.2")};
  EXPECT_EQ(chosen(f), "b:1 c:1");
}

TEST(IbvFound, TheFasterOfEqualsAndEqualsInTurn) {
  Found f{"node1", "", {}};
  f.devices = {device("slow", Kind::kRoce, 4, "10.1.0.1", 25), device("x", Kind::kRoce, 4, "10.1.0.2", 200),
               device("y", Kind::kRoce, 4, "10.1.0.3", 200)};
  EXPECT_EQ(chosen(f, nullptr, 0), "x:1");
  EXPECT_EQ(chosen(f, nullptr, 1), "y:1");
  EXPECT_EQ(chosen(f, nullptr, 2), "x:1");
}

TEST(IbvFound, NoMorePortsThanTheMost) {
  Found f{"node1", "", {}};
  for (const char* ip : {"10.1.0.1", "10.2.0.1", "10.3.0.1", "10.4.0.1", "10.5.0.1", "10.6.0.1"})
    f.devices.push_back(device(ip, Kind::kRoce, 4, ip));
  EXPECT_EQ(choose_ports(f, nullptr, 0, kMaxPorts).ports.size(), kMaxPorts);
}

TEST(IbvFound, PortsByName) {
  Found f{"node1", "", {}};
  f.devices = {device("ib0", Kind::kInfiniBand, 4, "10.1.0.1"), device("roce0", Kind::kRoce, 8, "10.2.0.1"),
               device("roce1", Kind::kRoce, 64, "10.2.0.2")};
  f.devices[2].ports.push_back(f.devices[2].ports[0]);
  f.devices[2].ports[0].state = PortState::kDown;
  f.devices[2].ports[1].number = 2;
  EXPECT_EQ(chosen(f, "roce1:2"), "roce1:2");
  EXPECT_EQ(chosen(f, "roce1"), "roce1:2");  // the one that does
  EXPECT_EQ(chosen(f, "roce1:2,roce0:1"), "roce1:2 roce0:1");
  EXPECT_TRUE(has(chosen(f, "mlx9_0:1"), "UPCR_IBV_PORTS=mlx9_0:1: there is no device 'mlx9_0' on node1"));
  EXPECT_TRUE(has(chosen(f, "roce1:1"), "cannot be used: no link: ip link set net_roce1 up"));
  EXPECT_TRUE(has(chosen(f, "roce1:3"), "has no port 3; its ports are 1 to 2"));
  EXPECT_TRUE(has(chosen(f, "roce0:x"), "names no port: expected device:port"));
  EXPECT_TRUE(has(chosen(f, "roce0:0"), "names no port"));
  EXPECT_TRUE(has(chosen(f, "roce0:1,"), "an entry is empty"));
  EXPECT_TRUE(has(chosen(f, "roce0:1,roce0:1"), "named twice"));
  EXPECT_TRUE(has(chosen(f, "ib0:1,roce0:1"), "of InfiniBand and of RoCE, which do not reach each other"));
  EXPECT_EQ(chosen(f, "ib0:1"), "ib0:1");
}

TEST(IbvFound, NoDevices) {
  const Found none{"node1", "", {}};
  EXPECT_TRUE(has(chosen(none), "there is no RDMA device on node1"));
  EXPECT_EQ(list_of(none), "");
  Found error{"node1", "modprobe rdma_ucm", {device("ib0", Kind::kInfiniBand, 4, "10.1.0.1")}};
  EXPECT_EQ(chosen(error), "modprobe rdma_ucm");
  EXPECT_EQ(chosen(error, "ib0:1"), "modprobe rdma_ucm");
}

TEST(IbvFound, EveryPortIsListedWithItsReason) {
  Found f{"node1", "", {}};
  f.devices = {device("ok", Kind::kRoce, 4, "10.1.0.1"),
               device("down", Kind::kInfiniBand, 4, "10.1.0.2"),
               device("bare", Kind::kRoce, 4, ""),
               device("noip", Kind::kInfiniBand, 4, ""),
               device("init", Kind::kInfiniBand, 4, ""),
               device("other", Kind::kOther, 4, "10.1.0.3"),
               FoundDevice{"shut", "no permission", false, 0, {}}};
  f.devices[1].ports[0].state = PortState::kDown;
  f.devices[4].ports[0].state = PortState::kInit;
  const std::string list = list_of(f);
  EXPECT_TRUE(has(list, "\n  ok:1 RoCE, active, 100 Gbit/s, net_ok, 10.1.0.1\n")) << list;
  EXPECT_TRUE(
      has(list, "\n  down:1 InfiniBand, down, 100 Gbit/s, net_down, 10.1.0.2: no link: look at the cable"));
  EXPECT_TRUE(has(list, "net_bare: no IP address: ip address add ... dev net_bare"));
  EXPECT_TRUE(has(list, "IP over InfiniBand (modprobe ib_ipoib"));
  EXPECT_TRUE(has(list, "subnet manager"));
  EXPECT_TRUE(has(list, "no reliable connections"));
  EXPECT_TRUE(has(list, "\n  shut: no permission"));
  f.devices.erase(f.devices.begin());
  EXPECT_EQ(chosen(f), "no RDMA port of node1 can be used");
}

TEST(IbvAddress, TextAndSubnets) {
  const auto wire = [](const char* text, unsigned bits, unsigned scope = 0) {
    const FoundAddress a = address(text, bits, scope);
    return to_wire(a.address, a.prefix_bits);
  };
  EXPECT_EQ(text_of(wire("10.77.0.1", 24)), "10.77.0.1");
  EXPECT_EQ(text_of(wire("fd00::1", 64)), "fd00::1");
  EXPECT_TRUE(same_subnet(wire("10.77.0.1", 24), wire("10.77.0.200", 24)));
  EXPECT_FALSE(same_subnet(wire("10.77.0.1", 24), wire("10.77.1.1", 24)));
  EXPECT_FALSE(same_subnet(wire("10.77.0.1", 16), wire("10.77.1.1", 24)));  // the longer prefix counts
  EXPECT_TRUE(same_subnet(wire("10.77.0.1", 23), wire("10.77.1.1", 23)));
  EXPECT_FALSE(same_subnet(wire("10.77.0.1", 32), wire("10.77.0.2", 32)));
  EXPECT_TRUE(same_subnet(wire("fd00::1", 64), wire("fd00::2", 64)));
  EXPECT_FALSE(same_subnet(wire("fd00::1", 64), wire("10.77.0.1", 0)));
  EXPECT_TRUE(is_link_local(wire("fe80::1", 64)));
  EXPECT_FALSE(is_link_local(wire("fec0::1", 64)));
}

TEST(IbvAddress, LinkLocalTakesTheScopeOfTheOwnPort) {
  const FoundAddress theirs = address("fe80::2", 64, 7), mine = address("fe80::1", 64, 3);
  const sockaddr_storage to = from_wire(to_wire(theirs.address, 64), mine.address);
  EXPECT_EQ(reinterpret_cast<const sockaddr_in6&>(to).sin6_scope_id, 3u);
  const sockaddr_storage global = from_wire(to_wire(address("fd00::2", 64).address, 64), mine.address);
  EXPECT_EQ(reinterpret_cast<const sockaddr_in6&>(global).sin6_scope_id, 0u);
}

PublishedPort published(const char* ip, unsigned span = 0, Kind kind = Kind::kRoce, unsigned bits = 24) {
  PublishedPort p;
  p.address = to_wire(address(ip, bits).address, static_cast<std::uint8_t>(bits));
  p.kind = kind;
  p.span = static_cast<std::uint16_t>(span);
  return p;
}
Published process(const std::vector<PublishedPort>& ports) {
  Published p;
  for (const PublishedPort& port : ports) p.ports[p.count++] = port;
  return p;
}
std::string pair_of(const Published& a, const Published& b, unsigned turn = 0) {
  PortPair pair;
  if (!choose_pair(a, b, turn, &pair)) return "none";
  return std::to_string(pair.own) + "-" + std::to_string(pair.remote);
}

TEST(IbvPairs, SameSubnetThenNearest) {
  const Published a = process({published("10.1.0.1", 64), published("10.2.0.1", 8)});
  const Published b = process({published("10.2.0.2", 8), published("10.1.0.2", 64)});
  EXPECT_EQ(pair_of(a, b), "1-0");
  EXPECT_EQ(pair_of(b, a), "0-1");  // the same ports
  const Published only = process({published("10.1.0.3", 64)});
  EXPECT_EQ(pair_of(a, only), "0-0");
}

TEST(IbvPairs, EqualsAreUsedEvenly) {
  const Published a = process({published("10.1.0.1"), published("10.1.0.2")});
  unsigned used[2][2] = {};
  for (unsigned turn = 0; turn < 8; ++turn) {
    PortPair pair;
    ASSERT_TRUE(choose_pair(a, a, turn, &pair));
    ++used[pair.own][pair.remote];
  }
  for (auto& row : used)
    for (const unsigned n : row) EXPECT_EQ(n, 2u);
}

TEST(IbvPairs, ARouterMayJoinSubnetsButNotKindsOrFamilies) {
  EXPECT_EQ(pair_of(process({published("10.1.0.1")}), process({published("10.2.0.1")})), "0-0");
  EXPECT_EQ(pair_of(process({published("10.1.0.1")}), process({published("10.1.0.2", 0, Kind::kIwarp)})),
            "none");
  EXPECT_EQ(pair_of(process({published("10.1.0.1")}), process({published("fd00::1", 0, Kind::kRoce, 64)})),
            "none");
  const Published local = process({published("fe80::1", 0, Kind::kRoce, 64)});
  EXPECT_EQ(pair_of(local, process({published("fe80::2", 0, Kind::kRoce, 64)})), "0-0");
  EXPECT_EQ(pair_of(local, process({published("fd00::2", 0, Kind::kRoce, 64)})),
            "none");  // no router takes it
}

TEST(IbvFound, ReasonsNotToBeTheDefault) {
  Found f{"node1", "", {}};
  f.devices = {device("rxe0", Kind::kRoce, 1, "10.3.0.1")};
  EXPECT_EQ(reason_not_to_choose(f, nullptr, SIZE_MAX), "");
  EXPECT_EQ(reason_not_to_choose(f, nullptr, kMinLockable), "");
  EXPECT_TRUE(has(reason_not_to_choose(f, nullptr, kMinLockable - 1), "ulimit -l"));
  f.devices[0].software = true;
  EXPECT_TRUE(has(reason_not_to_choose(f, nullptr, SIZE_MAX), "rxe0 is a device in software"));
  EXPECT_EQ(reason_not_to_choose(f, "rxe0:1", SIZE_MAX), "");
  f.devices = {device("roce0", Kind::kRoce, 8, "")};
  EXPECT_TRUE(has(reason_not_to_choose(f, nullptr, SIZE_MAX), "no RDMA port of node1 can be used"));
}

// The variable belongs to core, whose table this test does not link.
constexpr ConfigVar kVars[] = {{"UPCR_CONDUIT", ConfigType::kString, nullptr, nullptr}};
const ConfigTable table("core", kVars);

TEST(IbvFound, ErrorsNameAnotherConduitIfIbvWasNotChosen) {
  unsetenv("UPCR_CONDUIT");
  configure();
  EXPECT_TRUE(has(other_conduit(), "UPCR_CONDUIT=mpi"));
  setenv("UPCR_CONDUIT", "ibv", 1);
  configure();
  EXPECT_STREQ(other_conduit(), "");
}

}  // namespace
}  // namespace upcr::ibv
