// SPDX-License-Identifier: BSD-3-Clause
// The exchange of addresses at the start, and the choice of the way to make connections. Main thread.
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/net/ibv/connect/service.hpp"
#include "conduits/net/ibv/connector/connect_by.hpp"
#include "conduits/net/ibv/datagrams/datagram_connector.hpp"
#include "conduits/net/ibv/device/choice.hpp"
#include "conduits/net/ibv/rdmacm/cm_connector.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

// What does not depend on the way, and the addresses that the ports have.
Published published_ports(std::span<const Port> ports) {
  Published mine;
  (void)::gethostname(mine.host, sizeof mine.host - 1);
  mine.count = static_cast<std::uint8_t>(ports.size());
  for (unsigned i = 0; i < ports.size(); ++i) {
    PublishedPort& p = mine.ports[i];
    p.address = to_wire(ports[i].address, ports[i].prefix_bits);
    p.kind = ports[i].kind;
    p.device = static_cast<std::uint8_t>(ports[i].device->index());
    p.span = static_cast<std::uint16_t>(std::min(ports[i].span, 0xffffU));
  }
  return mine;
}

}  // namespace

void Connections::Service::plan(MemoryFile& memory_file, const Topology& topology) {
  paths_area_ = memory_file.reserve(PathTable::bytes_for(topology.size));
}

// Exchanges the addresses for librdmacm, if this process can use it, and whether it can; and those for
// datagrams where some process cannot. Peers may connect before this process has all addresses: the thread,
// which needs them to reply, starts later.
void Connections::Service::choose_connector() {
  std::optional<std::uint8_t> traffic_class;
  if (config_is_set("UPCR_IBV_TRAFFIC_CLASS"))
    traffic_class = static_cast<std::uint8_t>(config_int("UPCR_IBV_TRAFFIC_CLASS"));
  std::uint8_t ways = ways_here(ports_);
  if (xrc_ != nullptr) ways &= kByDatagrams;  // with which all processes can do it (xrc/choice.hpp)
  Published mine;
  if ((ways & kByRdmacm) != 0) {
    connector_ = std::make_unique<CmConnector>(ports_, transport_timeout_, traffic_class, paths_,
                                               time_limits_.connect);
    mine = publish(*connector_);
  } else {
    mine = published_ports(ports_);
  }
  if (rank_ == 0 && ::getrandom(&mine.secret, sizeof mine.secret, 0) != sizeof mine.secret)
    fatal_errno("cannot make a secret for the job: getrandom");
  mine.ways = ways;
  const std::uint64_t secret = mine.secret;
  directory_.exchange(*bootstrap_, mine);
  const ConnectDecision decision = choose_way(directory_.all());
  if (decision.way == 0) fatal_setting("%s%s", decision.error.c_str(), other_conduit());
  UPCR_LOG(log_ibv, kInfo, "connections are made by %s",
           decision.way == kByRdmacm ? "librdmacm" : "datagrams");
  if (decision.way == kByRdmacm) return;
  connector_ =
      std::make_unique<DatagramConnector>(ports_, transport_timeout_, traffic_class.value_or(0), xrc_);
  mine = publish(*connector_);
  mine.secret = secret;
  mine.ways = ways;
  directory_.exchange(*bootstrap_, mine);
}

Published Connections::Service::publish(Connector& connector) {
  Published mine = published_ports(ports_);
  for (unsigned i = 0; i < ports_.size(); ++i) connector.publish(i, &mine.ports[i]);
  return mine;
}

}  // namespace upcr::ibv
