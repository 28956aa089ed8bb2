// SPDX-License-Identifier: BSD-3-Clause
// What is done about rails that cannot be made, with a connector that refuses as it is told to. (Rails that
// are made need devices: tests/ibv/rails.)
#include "conduits/net/ibv/connect/rail_connections.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "conduits/net/ibv/rails/connection_limits.hpp"
#include "tests/support/thread_bootstrap.hpp"

namespace upcr::ibv {
namespace {

constexpr Millis kLimit = 1'000;

class RefusingConnector final : public Connector {
 public:
  void publish(unsigned, PublishedPort*) override {}
  void open(const Directory&, ConnectorEvents&) override {}
  void add_fds(std::vector<pollfd>*) const override {}
  void process(Millis) override {}
  std::string start(ConnectLink& link, PortPair ports) override {
    started.push_back({ports.own, ports.remote});
    if (ports.own == refuses_port) return "refused";
    link.attempt = &link;
    links.push_back(&link);
    return "";
  }
  std::string request(ConnectLink&, const Hello&) override { return ""; }
  std::string accept(ConnectLink&, const PeerRequest&, const Hello&) override { return ""; }
  void reject(const PeerRequest&, RejectReason) override { ++rejected; }
  int create_queue_pair(ConnectLink&, ibv_qp_init_attr*) override {
    ++queue_pairs;
    return ENOMEM;
  }
  void disconnect(ConnectLink&) override {}
  void release(ConnectLink& link) override {
    std::erase(links, &link);
    link.attempt = nullptr;
  }

  std::vector<std::pair<unsigned, unsigned>> started;
  std::vector<ConnectLink*> links;                             // that are known and not released
  unsigned refuses_port = ~0U, rejected = 0, queue_pairs = 0;  // that were asked for
};

class NoClient final : public ConnectionClient {
 public:
  void queue_pair_attributes(Device&, bool, ibv_qp_init_attr*) override {}
  void prepare(const Connection&) override { ADD_FAILURE(); }
  void established(const Connection&) override { ADD_FAILURE(); }
  void discarded(const Connection&) override { ADD_FAILURE(); }
  bool busy(const Device&) override { return false; }
  bool accepts_rail(unsigned) const override { return accepts; }
  std::string rail_attributes(Device&, bool, ibv_qp_init_attr*) override { return obstacle; }
  bool accepts = true;
  std::string obstacle;  // of rails; empty: none
};

// Two processes, each with a port in each of three subnets. This one is rank 0.
struct Side {
  Side() : ports(3) {
    std::thread other([this] {
      test::ThreadBootstrap bootstrap(meeting, 1);
      Directory of_other;
      of_other.exchange(bootstrap, published(2));
    });
    test::ThreadBootstrap bootstrap(meeting, 0);
    directory.exchange(bootstrap, published(1));
    other.join();
    for (Port& port : ports) port.device = reinterpret_cast<Device*>(no_device);
    rails.open(ports, directory, connector, client, kLimit);
    first.peer = 1;
  }
  static Published published(unsigned host) {
    Published p;
    p.count = 3;
    for (unsigned i = 0; i < p.count; ++i) {
      p.ports[i].kind = Kind::kRoce;
      p.ports[i].address.family = 4;
      p.ports[i].address.prefix_bits = 24;
      const std::string text = "10.0." + std::to_string(i) + "." + std::to_string(host);
      EXPECT_EQ(::inet_pton(AF_INET, text.c_str(), p.ports[i].address.bytes), 1);
    }
    return p;
  }
  void ask(unsigned most = 8) {
    rails.connect(first, most);
    rails.process_requests(now);
  }

  test::Meeting meeting{2};
  Directory directory;
  std::vector<Port> ports;
  alignas(16) char no_device[1024]{};  // which nothing looks at
  RefusingConnector connector;
  NoClient client;
  RailConnections rails;
  Connection first;  // by port 0 of both
  Millis now = 100;
};

TEST(IbvRailConnections, OneForEachOtherPairOfPorts) {
  Side side;
  side.ask();
  EXPECT_EQ(side.connector.started, (std::vector<std::pair<unsigned, unsigned>>{{1, 1}, {2, 2}}));
  side.ask();  // they are on their way
  EXPECT_EQ(side.connector.started.size(), 2u);
}

TEST(IbvRailConnections, NoMoreThanAllowed) {
  Side side;
  side.ask(1);
  EXPECT_EQ(side.connector.started.size(), 1u);
}

// The others are made all the same.
TEST(IbvRailConnections, OneThatFailsAtOnceIsLeftOut) {
  Side side;
  side.connector.refuses_port = 1;
  side.ask();
  EXPECT_EQ(side.connector.started.size(), 2u);
  ASSERT_EQ(side.connector.links.size(), 1u);
  EXPECT_EQ(side.connector.links[0]->connection.port, 2u);
  side.ask();
  EXPECT_EQ(side.connector.started.size(), 2u);
}

TEST(IbvRailConnections, OneThatFailsLaterIsNotTriedAgain) {
  Side side;
  side.ask();
  side.rails.failed(*side.connector.links[0], {"no route"});
  EXPECT_EQ(side.connector.links.size(), 1u);
  side.rails.route_found(*side.connector.links[0]);  // there is no queue pair for it
  EXPECT_TRUE(side.connector.links.empty());
  EXPECT_TRUE(side.rails.empty());
  side.ask();
  EXPECT_EQ(side.connector.started.size(), 2u);
}

// The path was found for an earlier connection, and may lead elsewhere by now: once more.
TEST(IbvRailConnections, OneWithAnOldPathIsTriedOnceMore) {
  Side side;
  side.ask(1);
  ConnectFailure failure{"unreachable"};
  failure.kept_path = true;
  side.now += 10;
  side.rails.failed(*side.connector.links[0], failure);
  EXPECT_EQ(side.connector.started, (std::vector<std::pair<unsigned, unsigned>>{{1, 1}, {1, 1}}));
  ASSERT_EQ(side.connector.links.size(), 1u);
  EXPECT_EQ(side.connector.links[0]->connection.rail, 2u);
  EXPECT_EQ(side.rails.due(), side.now - 10 + kLimit);  // both together take no longer
  side.rails.failed(*side.connector.links[0], failure);
  EXPECT_TRUE(side.rails.empty());
  side.ask(1);
  EXPECT_EQ(side.connector.started.size(), 2u);
}

TEST(IbvRailConnections, OneWithoutReplyIsGivenUp) {
  Side side;
  side.ask();
  EXPECT_EQ(side.rails.due(), side.now + kLimit);
  side.rails.tick(side.now + kLimit - 1);
  EXPECT_EQ(side.connector.links.size(), 2u);
  side.rails.tick(side.now + kLimit);
  EXPECT_TRUE(side.connector.links.empty());
  EXPECT_TRUE(side.rails.empty());
  EXPECT_EQ(side.rails.due(), kNever);
}

TEST(IbvRailConnections, OneForWhichThereAreNoCompletionsIsLeftOut) {
  Side side;
  side.client.obstacle = "no completion queue";
  side.ask(1);
  ASSERT_EQ(side.connector.links.size(), 1u);
  side.rails.route_found(*side.connector.links[0]);
  EXPECT_EQ(side.connector.queue_pairs, 0u);
  EXPECT_TRUE(side.connector.links.empty());
  EXPECT_TRUE(side.rails.empty());
  side.ask(1);
  EXPECT_EQ(side.connector.started.size(), 1u);
}

// Rank 1 asks for a rail.
void request_of_peer(Side& side) {
  Hello hello;
  hello.rank = 1;
  hello.rail = 2;
  int attempt = 0;
  PeerRequest request;
  request.attempt = &attempt;
  request.port = 1;
  side.rails.requested(request, hello, side.now);
}

TEST(IbvRailConnections, APeersIsRejectedWhereThereIsNoQueuePair) {
  Side side;
  request_of_peer(side);
  EXPECT_EQ(side.connector.rejected, 1u);
  EXPECT_EQ(side.connector.queue_pairs, 1u);
  EXPECT_TRUE(side.rails.empty());
  EXPECT_EQ(side.rails.of_peers(), 0u);
  side.ask();  // own ones are another matter
  EXPECT_EQ(side.connector.started.size(), 2u);
}

// Before it takes a queue pair, which a first connection may need.
TEST(IbvRailConnections, APeersIsRejectedWhereThereAreEnough) {
  Side side;
  side.client.accepts = false;
  request_of_peer(side);
  EXPECT_EQ(side.connector.rejected, 1u);
  EXPECT_EQ(side.connector.queue_pairs, 0u);
  EXPECT_TRUE(side.rails.empty());
}

TEST(IbvRailConnections, ConnectionsAndRailsOfPeersFitTheDevices) {
  for (const unsigned queue_pairs : {0u, 64u, 65u, 1000u, 262'144u})
    for (const unsigned chosen : {0u, 1u, 2u, 48u, 700u}) {
      const ConnectionLimits limits = connection_limits(chosen, queue_pairs, true);
      const unsigned all = std::max(queue_pairs, 64u);
      if (chosen != 0) {
        EXPECT_EQ(limits.own, chosen);
      }
      EXPECT_GE(limits.of_peers, all / 4);
      if (chosen <= all / 4 * 3) {
        EXPECT_LE(limits.own + limits.of_peers, all);
      }
    }
  EXPECT_EQ(connection_limits(0, 1000, true).own, 750u);
  EXPECT_EQ(connection_limits(0, 1000, false).own, 1000u);
}

TEST(IbvRailConnections, AttemptsEndWithTheJob) {
  Side side;
  side.ask();
  side.rails.begin_close();
  EXPECT_TRUE(side.connector.links.empty());
  EXPECT_TRUE(side.rails.empty());
}

}  // namespace
}  // namespace upcr::ibv
