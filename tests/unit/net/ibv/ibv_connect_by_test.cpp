// SPDX-License-Identifier: BSD-3-Clause
// Which way processes make connections, which GID they use, and the paths of datagrams: on invented hosts.
#include "conduits/net/ibv/connector/connect_by.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "conduits/net/ibv/datagrams/path.hpp"
#include "conduits/net/ibv/device/gid.hpp"

namespace upcr::ibv {
namespace {

ibv_gid_entry entry(unsigned index, unsigned port, std::uint32_t type, const char* address) {
  ibv_gid_entry e{};
  e.gid_index = index;
  e.port_num = port;
  e.gid_type = type;
  e.ndev_ifindex = 7;
  EXPECT_EQ(::inet_pton(AF_INET6, address, e.gid.raw), 1) << address;
  return e;
}

int chosen(const std::vector<ibv_gid_entry>& table, unsigned port, Kind kind) {
  const ibv_gid_entry* best = choose_gid(table, port, kind);
  return best != nullptr ? static_cast<int>(best->gid_index) : -1;
}

TEST(IbvConnectBy, TheGidOfRoceIsOfVersion2AndAnIpAddressIfThereIsOne) {
  std::vector<ibv_gid_entry> table = {entry(0, 1, IBV_GID_TYPE_ROCE_V1, "::ffff:10.1.0.1"),
                                      entry(1, 1, IBV_GID_TYPE_ROCE_V1, "fe80::1"),
                                      entry(2, 2, IBV_GID_TYPE_ROCE_V2, "::ffff:10.2.0.1")};
  EXPECT_EQ(chosen(table, 1, Kind::kRoce), 0);
  table.push_back(entry(3, 1, IBV_GID_TYPE_ROCE_V2, "fe80::1"));
  EXPECT_EQ(chosen(table, 1, Kind::kRoce), 3);
  table.push_back(entry(4, 1, IBV_GID_TYPE_ROCE_V2, "2001:db8::1"));
  EXPECT_EQ(chosen(table, 1, Kind::kRoce), 4);
  table.push_back(entry(5, 1, IBV_GID_TYPE_ROCE_V2, "::ffff:10.1.0.1"));
  table.push_back(entry(6, 1, IBV_GID_TYPE_ROCE_V2, "::ffff:10.1.0.2"));
  EXPECT_EQ(chosen(table, 1, Kind::kRoce), 5);
  EXPECT_EQ(chosen(table, 3, Kind::kRoce), -1);
  EXPECT_EQ(chosen(table, 1, Kind::kIwarp), -1);
  EXPECT_EQ(text_of(address_of(table[5], Kind::kRoce)), "10.1.0.1");
}

TEST(IbvConnectBy, TheGidOfInfiniBandIsTheDefault) {
  const std::vector<ibv_gid_entry> table = {entry(0, 1, IBV_GID_TYPE_IB, "fe80::2:c903:1:2"),
                                            entry(1, 1, IBV_GID_TYPE_IB, "fe80::2:c903:1:3")};
  EXPECT_EQ(chosen(table, 1, Kind::kInfiniBand), 0);
  EXPECT_EQ(text_of(address_of(table[0], Kind::kInfiniBand)), "fe80::2:c903:1:2");  // no scope
}

FoundPort port_of(Kind kind, const char* ip, bool gid) {
  FoundPort port;
  port.kind = kind;
  port.state = PortState::kActive;
  if (*ip != 0) {
    FoundAddress address;
    auto& four = reinterpret_cast<sockaddr_in&>(address.address);
    four.sin_family = AF_INET;
    EXPECT_EQ(::inet_pton(AF_INET, ip, &four.sin_addr), 1);
    address.prefix_bits = 24;
    port.addresses.push_back(address);
  }
  if (gid) {
    port.gid_index = 0;
    port.gid = {address_of(entry(0, 1, IBV_GID_TYPE_IB, "fe80::1"), kind), kGidPrefixBits, 0};
  }
  return port;
}

FoundDevice device_of(const char* name, const FoundPort& port) {
  FoundDevice device;
  device.name = name;
  device.ports.push_back(port);
  return device;
}

std::string ports_chosen(const Found& found) {
  const Choice choice = choose_ports(found, nullptr, 0, kMaxPorts);
  std::string all = choice.error;
  for (const ChosenPort& p : choice.ports) all += (all.empty() ? "" : " ") + found.devices[p.device].name;
  return all;
}

TEST(IbvConnectBy, PortsWithoutAddressAreUsedWhereNoneHasOne) {
  const Found bare{"node1", "", {device_of("ib0", port_of(Kind::kInfiniBand, "", true))}};
  Found f = bare;
  apply_connect_setting(f, ConnectBy::kRdmacm);
  EXPECT_EQ(ports_chosen(f), "no RDMA port of node1 can be used");
  EXPECT_NE(unusable_reason(f.devices[0], f.devices[0].ports[0]).find("UPCR_IBV_CONNECT_BY=ud"),
            std::string::npos);
  f = bare;
  apply_connect_setting(f, ConnectBy::kAuto);
  EXPECT_EQ(ports_chosen(f), "ib0");
  EXPECT_TRUE(f.devices[0].ports[0].by_gid);
  // Beside a port that has one, it is not.
  f = bare;
  f.devices.push_back(device_of("ib1", port_of(Kind::kInfiniBand, "10.1.0.1", true)));
  Found both = f;
  apply_connect_setting(f, ConnectBy::kAuto);
  EXPECT_EQ(ports_chosen(f), "ib1");
  EXPECT_FALSE(f.devices[1].ports[0].by_gid);
  // Even if that is of a kind that otherwise comes later.
  f = bare;
  f.devices.push_back(device_of("roce0", port_of(Kind::kRoce, "10.1.0.1", true)));
  apply_connect_setting(f, ConnectBy::kAuto);
  EXPECT_EQ(ports_chosen(f), "roce0");
  apply_connect_setting(both, ConnectBy::kDatagrams);  // all by their GIDs, and in one subnet
  EXPECT_TRUE(both.devices[0].ports[0].by_gid && both.devices[1].ports[0].by_gid);
}

TEST(IbvConnectBy, DatagramsNeedNoLibrdmacm) {
  const Found found{"node1", "modprobe rdma_ucm", {device_of("ib0", port_of(Kind::kInfiniBand, "", true))}};
  for (const ConnectBy setting : {ConnectBy::kAuto, ConnectBy::kDatagrams}) {
    Found f = found;
    apply_connect_setting(f, setting);
    EXPECT_EQ(ports_chosen(f), "ib0");
  }
  Found f = found;
  apply_connect_setting(f, ConnectBy::kRdmacm);
  EXPECT_EQ(ports_chosen(f), "modprobe rdma_ucm");
}

TEST(IbvConnectBy, IwarpHasNoDatagrams) {
  Found f{"node1", "", {device_of("iw0", port_of(Kind::kIwarp, "10.1.0.1", false))}};
  Found automatic = f;
  apply_connect_setting(automatic, ConnectBy::kAuto);
  EXPECT_EQ(ports_chosen(automatic), "iw0");
  apply_connect_setting(f, ConnectBy::kDatagrams);
  EXPECT_NE(unusable_reason(f.devices[0], f.devices[0].ports[0]).find("iWARP has no datagrams"),
            std::string::npos);
}

Published process(std::uint8_t ways) {
  Published p;
  std::strcpy(p.host, "node1");
  p.ways = ways;
  return p;
}

TEST(IbvConnectBy, AllProcessesUseOneWay) {
  constexpr std::uint8_t kBoth = kByRdmacm | kByDatagrams;
  EXPECT_EQ(ways_of(ConnectBy::kAuto, true, true), kBoth);
  EXPECT_EQ(ways_of(ConnectBy::kAuto, false, true), kByDatagrams);
  EXPECT_EQ(ways_of(ConnectBy::kAuto, true, false), kByRdmacm);
  EXPECT_EQ(ways_of(ConnectBy::kRdmacm, true, true), kByRdmacm);
  EXPECT_EQ(ways_of(ConnectBy::kDatagrams, true, true), kByDatagrams);
  const auto way = [](std::vector<Published> all) { return choose_way(all).way; };
  EXPECT_EQ(way({process(kBoth), process(kBoth)}), kByRdmacm);
  EXPECT_EQ(way({process(kBoth), process(kByRdmacm)}), kByRdmacm);
  EXPECT_EQ(way({process(kBoth), process(kByDatagrams)}), kByDatagrams);
  const std::vector<Published> apart = {process(kBoth), process(kByRdmacm), process(kByDatagrams)};
  const ConnectDecision none = choose_way(apart);
  EXPECT_EQ(none.way, 0);
  EXPECT_NE(none.error.find("rank 2 on node1"), std::string::npos) << none.error;
  EXPECT_NE(none.error.find("rank 1 on node1"), std::string::npos) << none.error;
  EXPECT_NE(none.error.find("UPCR_IBV_CONNECT_BY"), std::string::npos) << none.error;
}

TEST(IbvConnectBy, DatagramsOfInfiniBandStayInTheSubnet) {
  Published own, peer;
  own.count = peer.count = 1;
  for (Published* p : {&own, &peer}) {
    p->ports[0].kind = Kind::kInfiniBand;
    p->ports[0].address.family = 6;
    p->ports[0].address.prefix_bits = kGidPrefixBits;
    p->ports[0].address.bytes[0] = 0x20;
  }
  PortPair pair{};
  own.ports[0].address.bytes[15] = 1;  // of another port
  EXPECT_TRUE(choose_pair(own, peer, 0, &pair));
  own.ports[0].address.bytes[7] = 1;  // of another subnet
  EXPECT_TRUE(choose_pair(own, peer, 0, &pair));
  own.ports[0].queue_pair = peer.ports[0].queue_pair = 17;
  EXPECT_FALSE(choose_pair(own, peer, 0, &pair));
}

// A device of one version drops packets of the other one.
TEST(IbvConnectBy, TheVersionsOfRoceDoNotReachEachOther) {
  Published own, peer;
  own.count = peer.count = 2;
  for (Published* p : {&own, &peer})
    for (PublishedPort& port : p->ports) {
      port.kind = Kind::kRoce;
      port.address.family = 4;
      port.queue_pair = 17;
    }
  own.ports[0].features = own.ports[1].features = peer.ports[1].features = PublishedPort::kRoceVersion1;
  PortPair pair{};
  for (unsigned turn = 0; turn < 4; ++turn) {
    ASSERT_TRUE(choose_pair(own, peer, turn, &pair));
    EXPECT_EQ(pair.remote, 1u);
  }
  peer.count = 1;
  EXPECT_FALSE(choose_pair(own, peer, 0, &pair));
}

// Virtual functions of InfiniBand devices: their packets are delivered by GID, whichever end is one.
TEST(IbvConnectBy, PathsOfPortsThatNeedAGlobalHeaderHaveIt) {
  Port own;
  own.kind = Kind::kInfiniBand;
  own.gid_index = 2;
  for (const bool here : {false, true}) {
    PublishedPort own_published, remote;
    (here ? own_published : remote).features = PublishedPort::kNeedsGrh;
    remote.lid = 0x1234;
    remote.address.family = 6;
    remote.address.bytes[0] = 0xfe, remote.address.bytes[15] = 9;
    const ibv_ah_attr path = path_to(remote, own, own_published, {});
    EXPECT_EQ(path.is_global, 1);
    EXPECT_EQ(path.dlid, 0x1234);
    EXPECT_EQ(path.grh.sgid_index, 2);
    EXPECT_EQ(path.grh.dgid.raw[0], 0xfe);
    EXPECT_EQ(path.grh.dgid.raw[15], 9);
  }
}

TEST(IbvConnectBy, PathsOfInfiniBandAreLidsThoseOfRoceGids) {
  Port own;
  own.number = 2;
  own.gid_index = 3;
  PublishedPort remote;
  remote.lid = 0x1234;
  PathSettings settings;
  settings.service_level = 5;
  settings.traffic_class = 104;
  own.kind = Kind::kInfiniBand;
  ibv_ah_attr path = path_to(remote, own, {}, settings);
  EXPECT_EQ(path.is_global, 0);
  EXPECT_EQ(path.dlid, 0x1234);
  EXPECT_EQ(path.sl, 5);
  EXPECT_EQ(path.port_num, 2);
  EXPECT_EQ(path.src_path_bits, 0);
  own.kind = Kind::kRoce;
  remote.lid = 0;
  remote.address.family = 4;
  remote.address.bytes[0] = 10, remote.address.bytes[3] = 9;
  path = path_to(remote, own, {}, settings);
  EXPECT_EQ(path.is_global, 1);
  EXPECT_EQ(path.grh.sgid_index, 3);
  EXPECT_EQ(path.grh.traffic_class, 104);
  in6_addr expected;
  ASSERT_EQ(::inet_pton(AF_INET6, "::ffff:10.0.0.9", &expected), 1);
  EXPECT_EQ(std::memcmp(path.grh.dgid.raw, &expected, sizeof expected), 0);
}

}  // namespace
}  // namespace upcr::ibv
