// SPDX-License-Identifier: BSD-3-Clause
// Connections by datagrams, without IP addresses, librdmacm or the subnet manager: each process has a queue
// pair for datagrams on each port, and publishes its number with the port's LID, GID and MTU.
//
// An AH is created for each datagram, and a path resolved for each connection; on RoCE the kernel looks up
// the neighbour's MAC address meanwhile, which takes up to a second for a host that does not answer.
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conduits/net/ibv/connector/connector.hpp"
#include "conduits/net/ibv/datagrams/attempts.hpp"
#include "conduits/net/ibv/datagrams/datagram_queue.hpp"
#include "conduits/net/ibv/datagrams/path.hpp"
#include "conduits/net/ibv/datagrams/xrc_queue_pairs.hpp"
#include "conduits/net/ibv/xrc/domain.hpp"
#include "conduits/net/ibv/xrc/host_connections.hpp"

namespace upcr::ibv {

class DatagramConnector final : public Connector, private DatagramHost {
 public:
  // `xrc`: the domain of this host; null: each link has a queue pair of its own.
  DatagramConnector(std::span<Port> ports, TransportTimeout timeout, std::uint8_t traffic_class,
                    const XrcDomain* xrc);
  ~DatagramConnector() override;

  void publish(unsigned port, PublishedPort* published) override;
  void open(const Directory& directory, ConnectorEvents& events) override;
  void add_fds(std::vector<pollfd>* fds) const override;
  Millis due() const noexcept override { return attempts_->due(); }
  void process(Millis now) override;

  std::string start(ConnectLink& link, PortPair ports) override;
  std::string request(ConnectLink& link, const Hello& hello) override;
  std::string accept(ConnectLink& link, const PeerRequest& request, const Hello& hello) override;
  void reject(const PeerRequest& request, RejectReason why) override;
  int create_queue_pair(ConnectLink& link, ibv_qp_init_attr* attributes) override;
  bool has_queue_pair(const ConnectLink& link) const override;
  void destroy_queue_pair(ConnectLink& link) override;
  void disconnect(ConnectLink& link) override;
  void release(ConnectLink& link) override;

 private:
  bool send(unsigned port, Rank peer, unsigned remote_port, const Datagram& datagram) override;
  std::string connect_queue_pair(ConnectLink& link, unsigned remote_port, QueuePairEnd* own,
                                 const QueuePairEnd& remote) override;
  bool can_send(ConnectLink& link, QueuePairEnd* own) override;
  QueuePairEnd end_of(ConnectLink& link);
  int join_host(ConnectLink& link, ibv_qp_init_attr* attributes);
  HostKey host_key(const Connection& connection) const;

  std::span<Port> ports_;
  PathSettings settings_;
  const Directory* directory_ = nullptr;
  std::deque<DatagramQueue> queues_;  // of each port
  std::vector<std::uint16_t> partitions_;
  const XrcDomain* xrc_;
  std::optional<XrcQueuePairs> xrc_queue_pairs_;
  std::optional<HostConnections> hosts_;  // with XRC
  std::unique_ptr<DatagramAttempts> attempts_;
};

}  // namespace upcr::ibv
