// SPDX-License-Identifier: BSD-3-Clause
// Connections: one reliable queue pair for each pair of processes that communicate, made when it is first
// needed (or for all at start: UPCR_IBV_CONNECT=all), by librdmacm or by datagrams (connector/connector.hpp).
//
// The service thread does all of it: it owns the connector, the attempts and the devices' asynchronous
// events, and calls the ConnectionClient. It never touches a completion queue of the data path.
// ConnectStateMachine (connect_state_machine.hpp) decides what happens with one peer.
//
// Two processes that connect at once end with one queue pair: the client may see prepare() for a queue pair
// that is discarded() later without having been established.
//
// Where a pair transfers much, one of the two may make rails beside its connection (rail_connections.hpp).
//
// With XRC connections with all processes of a host share a queue pair (xrc/host_connections.hpp). What is
// said of a queue pair below then applies to the link: that it is discarded leaves the queue pair as it is.
//
// A connection can be closed while the job runs, when both data paths have agreed (evict()). From then on
// connect() makes another one.
//
// Memory per peer: kServiceBytesPerPeer (bytes_per_peer.hpp), and the connector's and the kernel's for a
// connected one.
#pragma once
#include <infiniband/verbs.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "conduits/core/transport/conduit.hpp"
#include "conduits/net/ibv/connector/connector.hpp"
#include "conduits/net/ibv/device/device.hpp"
#include "conduits/net/ibv/device/ports.hpp"

namespace upcr::ibv {

class XrcDomain;

// The data path. Its functions are called on the service thread, which holds no lock; one call at a time.
class ConnectionClient {
 public:
  // Fills in depths, completion queues, SRQ. The rest (type, context) is set already. Not `made`: the queue
  // pair exists, and other connections use it.
  virtual void queue_pair_attributes(Device& device, bool made, ibv_qp_init_attr* attributes) = 0;
  // The same for a rail (rail_connections.hpp). Where this side is not `active` nothing will be posted, and
  // none of prepare(), established(), discarded() and drained() is called. Returns an empty text, or why
  // there can be no rail.
  virtual std::string rail_attributes(Device& device, bool active, ibv_qp_init_attr* attributes) {
    queue_pair_attributes(device, true, attributes);
    return "";
  }
  // May a peer make one more rail to here, beside `now` of them? Else it is rejected, and the peer does
  // without.
  virtual bool accepts_rail(unsigned now) const { return true; }
  // The queue pair exists and nothing can arrive yet: post receives. On the passive side a packet may arrive,
  // and be polled, before established() is called.
  virtual void prepare(const Connection& connection) = 0;
  // The queue pair can be sent to. The passive side waits for the first packet (iWARP).
  virtual void established(const Connection& connection) = 0;
  // The queue pair is not to be used (any more): another one of the same peer counts, the peer has rejected
  // it, or (Connections::close()) the job ends. It is in the error state, so whatever was posted completes as
  // flushed.
  virtual void discarded(const Connection& connection) = 0;
  // May the queue pair be destroyed? Called after discarded() until it returns true.
  virtual bool drained(const Connection& connection) { return true; }
  // The device has no memory for a queue pair: release some. False: there is none to release.
  virtual bool make_room() { return false; }
  // Is an operation in progress on this device? Called when a port is down.
  virtual bool busy(const Device& device) = 0;
  // The shared receive queue has fallen below the limit that the client armed.
  virtual void receives_low(Device& device) {}

 protected:
  ~ConnectionClient() = default;
};

class Connections {
 public:
  Connections();
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;
  // Reserves what the processes of a host share. Before the host's memory is created; without it open() does
  // without.
  void plan(MemoryFile& memory_file, const Topology& topology);

  // Listens, exchanges addresses and the job's secret, starts the service thread. `xrc`: all connections with
  // a host, but for rails, share a queue pair (xrc/choice.hpp). Collective, main thread.
  void open(const AttachInfo& info, std::span<Port> ports, ConnectionClient& client,
            const XrcDomain* xrc = nullptr);
  // Requests a connection with another process; ConnectionClient::established() follows. Any thread; cheap
  // when it has been requested already. A failure ends the job, on the service thread.
  void connect(Rank to);
  // Connects with all processes, and returns when all connections are established (UPCR_IBV_CONNECT=all). The
  // client must be ready. Collective, main thread.
  void connect_all();
  // The connection may be closed by the peer from now on, by agreement (endpoint/eviction.hpp); then it is
  // discarded(), and not taken for the end of the peer's process. expect_eviction(false): not any more. Any
  // thread.
  void expect_eviction(Rank peer, bool expected);
  // Closes the connection `qp` by agreement, unless the peer has done so: it is discarded(). Any thread.
  void evict(Rank peer, ibv_qp* qp);
  // Makes rails (rail_connections.hpp) to the peer of the established connection `first`, at most `most`, by
  // other ports: established() of each that can be made follows. Any thread.
  void connect_rails(const Connection& first, unsigned most);
  // Closes one of this process: it is discarded(). A later connect_rails() may make it again. Any thread.
  void close_rail(const Connection& rail);
  // How many rails end here that peers have made. Any thread.
  unsigned rails_of_peers() const noexcept;
  // An operation with a connected peer has failed. The service thread ends the job with the message `why`,
  // but not if the launcher knows that the peer's process has died: it reports that, and ends the job, and
  // gets a moment for it, unless the device has `waited` for a reply already. The first call for each peer
  // counts. Any thread.
  void report_broken(Rank peer, std::string why, bool waited = false);
  // Calls the client's discarded() for every queue pair and ends the service thread. Everything of the job
  // has been delivered, and connect() is not called any more. Collective, main thread.
  void close();

  // "rank 3 on node7 (10.77.0.3)", for messages. Any thread after open().
  std::string name_of(Rank peer) const;
  // Known trouble, as the end of a message about a failed operation: "; port rxe0:1 of this process has been
  // down for 3 seconds". Empty: none. Any thread.
  std::string down_ports(Rank peer) const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

}  // namespace upcr::ibv
