// SPDX-License-Identifier: BSD-3-Clause
// Creates and drops links. Service thread.
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/connect/hello_from.hpp"
#include "conduits/net/ibv/connect/service.hpp"
#include "conduits/net/ibv/device/pin_error.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

}  // namespace

Hello Connections::Service::own_hello(unsigned port) const { return hello_from(directory_, ports_, port, 0); }

void Connections::Service::start(Rank peer) {
  const PortPair pair = directory_.pair_for(peer);
  auto link = std::make_unique<ConnectLink>();
  link->connection.peer = peer;
  link->connection.device = ports_[pair.own].device;
  link->connection.port = pair.own;
  link->connection.remote_port = pair.remote;
  link->connection.remote_device = directory_.of(peer).ports[pair.remote].device;
  link->connection.active = true;
  ConnectLink& started = *link;
  links_[peer] = std::move(link);
  if (const std::string error = connector_->start(started, pair); !error.empty())
    attempt_failed(peer, false, error);
}

void Connections::Service::make_queue_pair(ConnectLink& link) {
  Connection& c = link.connection;
  ibv_qp_init_attr attributes{};
  attributes.qp_type = IBV_QPT_RC;
  client_->queue_pair_attributes(*c.device, !connector_->has_queue_pair(link), &attributes);
  const ibv_qp_cap requested = attributes.cap;
  while (const int error = connector_->create_queue_pair(link, &attributes)) {
    if (!is_no_room(error) || !client_->make_room())
      fatal(
          "device %s: no queue pair can be created for %s (%u sends, %u receives, %u bytes inline): %s; it has "
          "%u in all, for all processes",
          c.device->name(), directory_.name_of(c.peer).c_str(), requested.max_send_wr, requested.max_recv_wr,
          requested.max_inline_data, std::strerror(error), c.device->limits().max_queue_pairs);
    attributes.cap = requested;
  }
  c.max_inline = attributes.cap.max_inline_data;
  link.prepared = true;
  client_->prepare(c);
}

void Connections::Service::accept(Rank peer, const PeerRequest& request, const Hello& hello) {
  auto made = std::make_unique<ConnectLink>();
  ConnectLink& link = *made;
  link.attempt = request.attempt;
  link.connection.peer = peer;
  link.connection.device = ports_[request.port].device;
  link.connection.port = request.port;
  link.connection.remote_port = hello.port;
  link.connection.remote_device = hello.device;
  links_[peer] = std::move(made);
  make_queue_pair(link);
  if (const std::string error = connector_->accept(link, request, own_hello(request.port)); !error.empty())
    attempt_failed(peer, false, error);
}

// Tells the peer at once; the queue pair is destroyed when the client has drained it. One that others share
// goes on.
void Connections::Service::drop(Rank peer) {
  std::unique_ptr<ConnectLink> link = std::move(links_[peer]);
  if (link == nullptr) return;
  if (link->prepared && !link->connection.shared) {
    ibv_qp_attr error{};
    error.qp_state = IBV_QPS_ERR;
    (void)::ibv_modify_qp(link->connection.qp, &error, IBV_QP_STATE);
  }
  if (link->attempt != nullptr) connector_->release(*link);
  UPCR_LOG(log_ibv, kDebug, "dropped a link with rank %u", peer);
  if (!link->prepared) return;
  client_->discarded(link->connection);
  retired_links_.push_back(std::move(link));
}

}  // namespace upcr::ibv
