// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connect/rail_connections.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/base/report/log.hpp"
#include "conduits/net/ibv/connect/hello_from.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

}  // namespace

void RailConnections::open(std::span<Port> ports, const Directory& directory, Connector& connector,
                           ConnectionClient& client, Millis limit) {
  ports_ = ports;
  directory_ = &directory;
  connector_ = &connector;
  client_ = &client;
  limit_ = limit;
}

void RailConnections::connect(const Connection& first, unsigned most) {
  const std::lock_guard guard(mutex_);
  requests_.push_back({first.peer, {first.port, first.remote_port}, most, nullptr});
}

// In the queue of connect(): a rail that is still there is not made again.
void RailConnections::close(const ibv_qp* qp) {
  const std::lock_guard guard(mutex_);
  requests_.push_back({0, {}, 0, qp});
}

void RailConnections::process_requests(Millis now) {
  std::deque<Request> requests;
  {
    const std::lock_guard guard(mutex_);
    requests.swap(requests_);
  }
  for (const Request& request : requests) {
    if (request.closed != nullptr)
      close_now(request.closed);
    else
      start(request, now);
  }
}

bool RailConnections::knows(Rank peer, unsigned port) const noexcept {
  return failed_.contains({peer, port}) ||
         std::any_of(rails_.begin(), rails_.end(), [=](const std::unique_ptr<Rail>& rail) {
           const Connection& c = rail->connection;
           return c.active && c.peer == peer && c.port == port;
         });
}

void RailConnections::start(const Request& request, Millis now) {
  const Published &own = directory_->of(directory_->rank()), &peer = directory_->of(request.peer);
  PortPair pairs[kMaxPorts];
  const unsigned count = std::min(choose_rails(own, peer, request.first, pairs), request.most);
  if (count == 0)
    UPCR_LOG(log_ibv, kInfo, "no rails to %s: no other ports of both reach each other",
             directory_->name_of(request.peer).c_str());
  for (unsigned i = 0; i < count; ++i)
    if (!knows(request.peer, pairs[i].own)) start(request.peer, pairs[i], now + limit_, false);
}

void RailConnections::start(Rank peer, PortPair ports, Millis deadline, bool is_second) {
  Rail& rail = *rails_.emplace_back(std::make_unique<Rail>());
  rail.deadline = deadline;
  rail.is_second = is_second;
  Connection& c = rail.connection;
  c.peer = peer;
  c.device = ports_[ports.own].device;
  c.port = ports.own;
  c.remote_port = ports.remote;
  c.remote_device = directory_->of(peer).ports[ports.remote].device;
  c.active = true;
  c.rail = static_cast<std::uint8_t>(ports.own + 1);
  if (const std::string error = connector_->start(rail, ports); !error.empty()) fail(rail, error);
}

Hello RailConnections::hello_for(const Connection& connection) const {
  return hello_from(*directory_, ports_, connection.port, connection.rail);
}

// Returns what has gone wrong, or an empty text.
std::string RailConnections::make_queue_pair(Rail& rail) {
  Connection& c = rail.connection;
  ibv_qp_init_attr attributes{};
  attributes.qp_type = IBV_QPT_RC;
  if (std::string why = client_->rail_attributes(*c.device, c.active, &attributes); !why.empty()) return why;
  if (const int error = connector_->create_queue_pair(rail, &attributes); error != 0)
    return error == EXDEV ? "the route to it leads through another device"
                          : std::string("no queue pair can be created: ") + std::strerror(error);
  c.max_inline = attributes.cap.max_inline_data;
  rail.prepared = true;
  if (c.active) client_->prepare(c);
  return "";
}

void RailConnections::route_found(ConnectLink& link) {
  Rail& rail = rail_of(link);
  if (const std::string error = make_queue_pair(rail); !error.empty()) return fail(rail, error);
  if (const std::string error = connector_->request(rail, hello_for(rail.connection)); !error.empty())
    fail(rail, error);
}

void RailConnections::requested(PeerRequest& request, const Hello& hello, Millis now) {
  if (!client_->accepts_rail(of_peers())) {
    UPCR_LOG(log_ibv, kInfo, "no rail of %s: %u rails of peers end here already",
             directory_->name_of(hello.rank).c_str(), of_peers());
    return connector_->reject(request, RejectReason::kUnknown);
  }
  Rail& rail = *rails_.emplace_back(std::make_unique<Rail>());
  of_peers_.fetch_add(1, std::memory_order_relaxed);
  rail.deadline = now + 2 * limit_;  // its active side gives up first
  rail.attempt = request.attempt;
  Connection& c = rail.connection;
  c.peer = hello.rank;
  c.device = ports_[request.port].device;
  c.port = request.port;
  c.remote_port = hello.port;
  c.remote_device = hello.device;
  c.rail = hello.rail;
  if (const std::string error = make_queue_pair(rail); !error.empty()) {
    rail.attempt = nullptr;
    connector_->reject(request, RejectReason::kUnknown);
    return fail(rail, error);
  }
  if (const std::string error = connector_->accept(rail, request, hello_for(c)); !error.empty())
    fail(rail, error);
}

void RailConnections::established(ConnectLink& link, const void* data, std::size_t bytes) {
  Rail& rail = rail_of(link);
  Connection& c = rail.connection;
  if (c.active) {
    Hello hello;
    const HelloStatus status =
        check_hello(data, bytes, directory_->secret(), directory_->rank(), directory_->size(), &hello);
    if (status != HelloStatus::kValid || hello.rank != c.peer)
      return fail(rail, std::string("the process at its address ") + to_string(status));
    c.remote_device = hello.device;
  }
  rail.deadline = kNever;
  UPCR_LOG(log_ibv, kInfo, "rail %s %s, by port %s", c.active ? "to" : "of",
           directory_->name_of(c.peer).c_str(), ports_[c.port].name.c_str());
  if (c.active) client_->established(c);
}

// A path that was found for an earlier attempt may not lead to the peer any more: once more, with a new one.
void RailConnections::failed(ConnectLink& link, const ConnectFailure& failure) {
  Rail& rail = rail_of(link);
  const Connection& c = rail.connection;
  if (!c.active || !failure.kept_path || rail.is_second) return fail(rail, failure.why);
  const Rank peer = c.peer;
  const PortPair ports{c.port, c.remote_port};
  const Millis deadline = rail.deadline;
  drop(rail);
  start(peer, ports, deadline, true);
}

void RailConnections::fail(Rail& rail, const std::string& why) {
  const Connection& c = rail.connection;
  UPCR_LOG(log_ibv, kInfo, "no rail %s %s by port %s: %s%s", c.active ? "to" : "of",
           directory_->name_of(c.peer).c_str(), ports_[c.port].name.c_str(), why.c_str(),
           c.active ? "; large transfers go on without it" : "");
  if (c.active) failed_.emplace(c.peer, c.port);
  drop(rail);
}

bool RailConnections::disconnected(ConnectLink& link) {
  Rail& rail = rail_of(link);
  if (rail.connection.active && rail.deadline == kNever) return true;
  if (rail.connection.active)
    fail(rail, "the peer has ended it");
  else
    drop(rail);
  return false;
}

// Unless its end has been reported meanwhile.
void RailConnections::close_now(const ibv_qp* qp) {
  const auto at = std::find_if(rails_.begin(), rails_.end(), [qp](const std::unique_ptr<Rail>& rail) {
    return rail->prepared && rail->connection.qp == qp;
  });
  if (at == rails_.end()) return;
  UPCR_LOG(log_ibv, kInfo, "the rail to rank %u by port %s is closed until it is needed again",
           (*at)->connection.peer, ports_[(*at)->connection.port].name.c_str());
  drop(**at);
}

// The peer knows at once. An own queue pair is destroyed when the client has drained it; one of a peer has
// nothing to be drained.
void RailConnections::drop(Rail& dropped) {
  const auto at = std::find_if(rails_.begin(), rails_.end(), [&dropped](const std::unique_ptr<Rail>& rail) {
    return rail.get() == &dropped;
  });
  std::unique_ptr<Rail> rail = std::move(*at);
  rails_.erase(at);
  if (!rail->connection.active) of_peers_.fetch_sub(1, std::memory_order_relaxed);
  if (rail->prepared) {
    ibv_qp_attr error{};
    error.qp_state = IBV_QPS_ERR;
    (void)::ibv_modify_qp(rail->connection.qp, &error, IBV_QP_STATE);
  }
  if (rail->attempt != nullptr) connector_->release(*rail);
  if (!rail->prepared) return;
  if (!rail->connection.active) return (void)::ibv_destroy_qp(rail->connection.qp);
  client_->discarded(rail->connection);
  retired_.push_back(std::move(rail));
}

bool RailConnections::reap() {
  std::erase_if(retired_, [this](const std::unique_ptr<Rail>& rail) {
    if (!client_->drained(rail->connection)) return false;
    ::ibv_destroy_qp(rail->connection.qp);
    return true;
  });
  return !retired_.empty();
}

void RailConnections::tick(Millis now) {
  for (std::size_t i = rails_.size(); i > 0; --i)  // fail() takes one out
    if (Rail& rail = *rails_[i - 1]; rail.deadline <= now) fail(rail, "no reply in time");
}

Millis RailConnections::due() const noexcept {
  Millis due = kNever;
  for (const std::unique_ptr<Rail>& rail : rails_) due = std::min(due, rail->deadline);
  return due;
}

// Own ones are disconnected; peers disconnect theirs, and are answered.
void RailConnections::begin_close() {
  for (std::size_t i = rails_.size(); i > 0; --i) {
    Rail& rail = *rails_[i - 1];
    if (rail.deadline != kNever)
      drop(rail);
    else if (rail.connection.active)
      connector_->disconnect(rail);
  }
}

void RailConnections::disconnected_at_end(ConnectLink& link) {
  connector_->disconnect(link);  // the reply
  drop(rail_of(link));
}

void RailConnections::drop_all() {
  while (!rails_.empty()) drop(*rails_.back());
}

}  // namespace upcr::ibv
