// SPDX-License-Identifier: BSD-3-Clause
// Which pairs of ports two processes use beside that of their connection.
#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conduits/net/ibv/connector/published.hpp"

namespace upcr::ibv {
namespace {

// A process with ports at these addresses, each in a subnet of 24 bits.
Published process(const std::vector<std::string>& addresses, Kind kind = Kind::kRoce) {
  Published p;
  for (const std::string& text : addresses) {
    PublishedPort& port = p.ports[p.count];
    port.kind = kind;
    port.device = p.count++;
    port.address.family = 4;
    port.address.prefix_bits = 24;
    EXPECT_EQ(::inet_pton(AF_INET, text.c_str(), port.address.bytes), 1);
  }
  return p;
}

// "1-1 2-2": own and remote port of each rail.
std::string rails_of(const Published& own, const Published& peer, PortPair first) {
  PortPair rails[kMaxPorts];
  const unsigned count = choose_rails(own, peer, first, rails);
  std::string all;
  for (unsigned i = 0; i < count; ++i)
    all += (i == 0 ? "" : " ") + std::to_string(rails[i].own) + "-" + std::to_string(rails[i].remote);
  return all;
}

TEST(IbvRailPorts, EachSubnetIsARail) {
  const Published a = process({"10.0.0.1", "10.0.1.1", "10.0.2.1", "10.0.3.1"});
  const Published b = process({"10.0.0.2", "10.0.1.2", "10.0.2.2", "10.0.3.2"});
  EXPECT_EQ(rails_of(a, b, {0, 0}), "1-1 2-2 3-3");
  EXPECT_EQ(rails_of(a, b, {2, 2}), "0-0 1-1 3-3");
  EXPECT_EQ(rails_of(b, a, {2, 2}), "0-0 1-1 3-3");
}

TEST(IbvRailPorts, SubnetsAreFoundInAnyOrder) {
  const Published a = process({"10.0.0.1", "10.0.1.1"}), b = process({"10.0.1.2", "10.0.0.2"});
  EXPECT_EQ(rails_of(a, b, {0, 1}), "1-0");
}

// No port is used twice: a second connection through one has no more of it.
TEST(IbvRailPorts, PortsOfOneSubnetArePaired) {
  const Published a = process({"10.0.0.1", "10.0.0.3"}), b = process({"10.0.0.2", "10.0.0.4"});
  EXPECT_EQ(rails_of(a, b, {0, 0}), "1-1");
  EXPECT_EQ(rails_of(a, b, {0, 1}), "1-0");
  EXPECT_EQ(rails_of(a, process({"10.0.0.2"}), {1, 0}), "");
  EXPECT_EQ(rails_of(process({"10.0.0.2"}), a, {0, 1}), "");
}

TEST(IbvRailPorts, PortsThatDoNotReachEachOtherAreNoRail) {
  const Published a = process({"10.0.0.1", "10.0.1.1"}), b = process({"10.0.0.2", "10.0.9.2"});
  EXPECT_EQ(rails_of(a, b, {0, 0}), "");
  Published c = process({"10.0.0.2", "10.0.1.2"});
  EXPECT_EQ(rails_of(a, c, {0, 0}), "1-1");
  c.ports[1].kind = Kind::kInfiniBand;
  EXPECT_EQ(rails_of(a, c, {0, 0}), "");
}

// Where each port of a host is in a subnet of its own, and routers join them, as the first pair shows.
TEST(IbvRailPorts, RoutedPortsAreUsedWhereTheFirstAreRouted) {
  const Published a = process({"10.1.0.1", "10.1.1.1"}), b = process({"10.2.0.1", "10.2.1.1"});
  EXPECT_EQ(rails_of(a, b, {0, 0}), "1-1");
  EXPECT_EQ(rails_of(a, b, {1, 0}), "0-1");
}

TEST(IbvRailPorts, NearPortsComeFirst) {
  Published a = process({"10.0.0.1", "10.0.0.3", "10.0.0.5"}), b = process({"10.0.0.2", "10.0.0.4"});
  a.ports[1].span = 64;
  a.ports[2].span = 8;
  EXPECT_EQ(rails_of(a, b, {0, 0}), "2-1");
}

}  // namespace
}  // namespace upcr::ibv
