// SPDX-License-Identifier: BSD-3-Clause
// A way to make connections, as the service thread (connect/service.hpp) sees it. There are two: librdmacm
// (rdmacm/cm_connector.hpp), which needs IP addresses, and datagrams (datagrams/datagram_connector.hpp),
// which need none. All processes of a job use the same one (connect_by.hpp).
//
// The service thread decides what happens with a peer; a connector carries it out and reports what has
// happened. One attempt or connection is a ConnectLink:
//
//   active side    start() -> route_found(); create_queue_pair(), request() -> established() or failed()
//   passive side   requested(): reject(), or create_queue_pair() and accept() -> established() or failed()
//   either         disconnect() of a connection, or the peer's -> disconnected(); release() at any time: no
//                  event of this link follows, and the peer is told
//
// Threads: publish() and open() on the main thread, before the service thread starts; the destructor on the
// main thread, when it has ended; all else, and the events, on the service thread. Events come from process()
// only.
#pragma once
#include <infiniband/verbs.h>
#include <poll.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "conduits/net/ibv/connector/clock.hpp"
#include "conduits/net/ibv/connector/handshake.hpp"
#include "conduits/net/ibv/connector/published.hpp"
#include "conduits/net/ibv/device/device.hpp"

namespace upcr::ibv {

class Directory;
struct HostConnection;

// One queue pair, or with XRC a place in one that all connections with the peer's host share
// (xrc/host_connections.hpp). The object lives until discarded() has returned and drained() has returned true
// (ConnectionClient, connect/connections.hpp).
struct Connection {
  Rank peer = 0;
  Device* device = nullptr;
  ibv_qp* qp = nullptr;
  unsigned port = 0;           // of this process, index into its ports
  unsigned remote_port = 0;    // of the peer, index into its published ports
  unsigned remote_device = 0;  // the peer's Device::index(): selects its keys
  bool active = false;         // this side has connected; it must send the first packet, and at once (iWARP)
  bool shared = false;         // XRC: `qp` is that of other connections, too; it is never in the error state
                               // because one of them ends
  std::uint8_t rail = 0;  // 0: the connection of the pair; else a further one (connect/rail_connections.hpp)
  // Valid when established:
  std::uint32_t read_depth = 1;  // reads and atomics that may be outstanding, as negotiated
  std::uint32_t max_inline = 0;  // bytes that a work request may carry in itself
  std::uint32_t remote_srq = 0;  // XRC: the peer's shared receive queue, which a work request names

  // Does this side send the first packet? The active one, because the passive one may not (iWARP). With XRC
  // the passive one, because its queue pair is connected last.
  bool speaks_first() const noexcept { return active != shared; }
};

// One attempt or connection, and its queue pair.
struct ConnectLink {
  Connection connection;
  void* attempt = nullptr;         // the connector's record of it; null: released
  bool prepared = false;           // the client knows the queue pair
  HostConnection* host = nullptr;  // XRC: whose queue pair it shares
};

// A request of a peer, until it is accepted or rejected.
struct PeerRequest {
  void* attempt = nullptr;     // the connector's record of it
  unsigned port = 0;           // on which it has arrived
  const void* data = nullptr;  // its Hello, which has not been checked
  std::size_t bytes = 0;
  std::string from;  // the sender's address, for messages
};

// Why an attempt has failed.
struct ConnectFailure {
  std::string why;
  RejectReason reason = RejectReason::kUnknown;
  bool no_listener = false;  // no process listens at the peer's address
  bool kept_path = false;    // with a path that was found for an earlier attempt; the next one asks for it
};

class ConnectorEvents {
 public:
  virtual void route_found(ConnectLink& link) = 0;
  virtual void requested(PeerRequest& request) = 0;
  // The queue pair can be sent to. `data`: the Hello of the passive side, at the active one.
  virtual void established(ConnectLink& link, const void* data, std::size_t bytes) = 0;
  virtual void failed(ConnectLink& link, const ConnectFailure& failure) = 0;
  virtual void disconnected(ConnectLink& link) = 0;
  // A device is gone. `device`: null if it is not known which.
  virtual void device_removed(const Device* device) = 0;

 protected:
  ~ConnectorEvents() = default;
};

class Connector {
 public:
  virtual ~Connector() = default;

  // Fills in how a port can be reached, and begins to listen there. Before the addresses are exchanged.
  virtual void publish(unsigned port, PublishedPort* published) = 0;
  // Peers may be reached from now on.
  virtual void open(const Directory& directory, ConnectorEvents& events) = 0;

  virtual void add_fds(std::vector<pollfd>* fds) const = 0;
  virtual Millis due() const noexcept { return kNever; }  // when process() is to be called at the latest
  // Reports what has happened.
  virtual void process(Millis now) = 0;
  // The paths from this port, index into the ports, may lead elsewhere now.
  virtual void paths_changed(unsigned port) {}

  // Each returns an empty text, or what has gone wrong; then the attempt has failed, without an event.
  virtual std::string start(ConnectLink& link, PortPair ports) = 0;
  virtual std::string request(ConnectLink& link, const Hello& hello) = 0;
  virtual std::string accept(ConnectLink& link, const PeerRequest& request, const Hello& hello) = 0;
  virtual void reject(const PeerRequest& request, RejectReason why) = 0;
  // Creates connection.qp, or a place in one, ready for receives to be posted. Returns 0 or errno.
  virtual int create_queue_pair(ConnectLink& link, ibv_qp_init_attr* attributes) = 0;
  // True: create_queue_pair() will give it one that other connections have already (XRC).
  virtual bool has_queue_pair(const ConnectLink&) const { return false; }
  // Destroys it, or this link's place in it.
  virtual void destroy_queue_pair(ConnectLink& link) { (void)::ibv_destroy_qp(link.connection.qp); }
  // Ends a connection; disconnected() follows when the peer has replied.
  virtual void disconnect(ConnectLink& link) = 0;
  virtual void release(ConnectLink& link) = 0;
};

}  // namespace upcr::ibv
