// SPDX-License-Identifier: BSD-3-Clause
// Connections by librdmacm, which needs an IP address on each port. An attempt is an identifier of librdmacm.
// Service thread, but for what connector/connector.hpp says.
#pragma once
#include <rdma/rdma_cma.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conduits/net/ibv/connector/connector.hpp"
#include "conduits/net/ibv/connector/transport_timeout.hpp"
#include "conduits/net/ibv/device/ports.hpp"
#include "conduits/net/ibv/rdmacm/route_finder.hpp"

namespace upcr::ibv {

class CmConnector final : public Connector {
 public:
  // `traffic_class`: UPCR_IBV_TRAFFIC_CLASS, if it is set. `shared` and `limit`: RouteFinder's.
  CmConnector(std::span<Port> ports, TransportTimeout timeout, std::optional<std::uint8_t> traffic_class,
              std::span<std::byte> shared, Millis limit);
  ~CmConnector() override;

  void publish(unsigned port, PublishedPort* published) override;
  void open(const Directory& directory, ConnectorEvents& events) override;
  void add_fds(std::vector<pollfd>* fds) const override { fds->push_back({channel_->fd, POLLIN, 0}); }
  Millis due() const noexcept override { return routes_.due(); }
  void process(Millis now) override;
  void paths_changed(unsigned port) override { routes_.drop_paths(port); }

  std::string start(ConnectLink& link, PortPair ports) override;
  std::string request(ConnectLink& link, const Hello& hello) override;
  std::string accept(ConnectLink& link, const PeerRequest& request, const Hello& hello) override;
  void reject(const PeerRequest& request, RejectReason why) override;
  int create_queue_pair(ConnectLink& link, ibv_qp_init_attr* attributes) override;
  void disconnect(ConnectLink& link) override;
  void release(ConnectLink& link) override;

 private:
  // A copy of librdmacm's event, which has been acknowledged.
  struct Event {
    rdma_cm_event_type type;
    int status;
    rdma_cm_id *id, *listener;
    std::uint8_t responder_resources, initiator_depth;
    std::size_t bytes;
    unsigned char data[256];
  };

  static std::string describe(const Event& event);
  static bool no_listener(const Event& event, RejectReason reason);
  void handle(const Event& event, Millis now);
  void on_request(const Event& event);
  void on_failed(ConnectLink& link, const Event& event);
  void set_options(rdma_cm_id* id);
  rdma_conn_param parameters(const Hello& hello, const Device& device) const;

  std::span<Port> ports_;
  TransportTimeout timeout_;
  std::optional<std::uint8_t> traffic_class_;
  RouteFinder routes_;
  const Directory* directory_ = nullptr;
  ConnectorEvents* events_ = nullptr;
  rdma_event_channel* channel_ = nullptr;
  std::vector<rdma_cm_id*> listeners_;  // of each port
  const Event* request_ = nullptr;      // while it is reported
};

}  // namespace upcr::ibv
