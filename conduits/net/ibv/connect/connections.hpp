// SPDX-License-Identifier: BSD-3-Clause
// Who is connected with whom: one reliable queue pair for each pair of processes that talk to each other,
// made by librdmacm when it is first asked for (or for all at start: UPCR_IBV_CONNECT=all).
//
// The service thread does all of it: it owns the event channel, the listeners, the connections' identifiers
// and the devices' asynchronous events, and calls the ConnectionClient. It never touches a completion queue.
// What happens with one peer is decided by ConnectStateMachine (connect_state_machine.hpp), which knows no
// librdmacm.
//
// Two processes that connect at once end with one queue pair: the client may see prepare() for a queue pair
// that is discarded() later without having been established.
//
// Memory per peer: kBytesPerPeer, and librdmacm's and the kernel's for a connected one.
#pragma once
#include <infiniband/verbs.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "conduits/core/transport/conduit.hpp"
#include "conduits/net/ibv/device/device.hpp"
#include "conduits/net/ibv/device/ports.hpp"

namespace upcr::ibv {

// One queue pair. The object lives until discarded() has returned and the client says drained().
struct Connection {
  Rank peer = 0;
  Device* device = nullptr;
  ibv_qp* qp = nullptr;
  unsigned port = 0;           // ours, index into the ports
  unsigned remote_device = 0;  // the peer's Device::index(): which of its keys count
  bool active = false;         // this side has asked; it must send the first packet, and at once (iWARP)
  // Right when established:
  std::uint32_t read_depth = 1;  // reads and atomics that may be under way, as negotiated
  std::uint32_t max_inline = 0;  // what the queue pair has got
};

// The data path. Called on the service thread, which holds no lock meanwhile; one call at a time.
class ConnectionClient {
 public:
  // Queues, depths, completion queues, SRQ. The rest (type, context) is set already.
  virtual void queue_pair_attributes(Device& device, ibv_qp_init_attr* attributes) = 0;
  // The queue pair is there and can take receives, nothing can arrive yet: post them. On the passive side a
  // packet may arrive (and be taken by poll) before established() is called.
  virtual void prepare(const Connection& connection) = 0;
  // May be sent to. The passive side of iWARP waits for the first packet.
  virtual void established(const Connection& connection) = 0;
  // Not, or no longer, to be used: a race was lost, a peer refused, or (connections.close()) the job ends.
  // The queue pair is in the error state, so whatever was posted comes back as flushed.
  virtual void discarded(const Connection& connection) = 0;
  // May the queue pair be destroyed? Asked after discarded() until the answer is yes.
  virtual bool drained(const Connection& connection) { return true; }
  // The device gives no queue pair for want of memory: give something back. False: there is nothing.
  virtual bool make_room() { return false; }
  // Is anything under way, or waiting to be sent, on this device? Asked when a port is down.
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

  // Collective, main thread: listens, exchanges addresses and the job's secret, starts the service thread.
  void open(const AttachInfo& info, std::span<Port> ports, ConnectionClient& client);
  // Asks for a connection with another process; established() says when it is there. Any thread; cheap when
  // it is under way or there. Failures end the job on the service thread.
  void connect(Rank to);
  // Collective, main thread: connects with everybody now, and returns when all connections are there
  // (UPCR_IBV_CONNECT=all). The client must be ready.
  void connect_all();
  // Something that was under way to a connected peer has failed. `why` ends the job on the service thread,
  // after a moment: when the peer's process has died its launcher says so first, and ends the job. At once
  // when the device has `waited` for an answer already. Of each peer the first counts. Any thread.
  void broken(Rank peer, std::string why, bool waited = false);
  // Collective, main thread; everything of the job has been delivered everywhere, nobody will call connect().
  // The client's discarded() is called for every queue pair; afterwards the service thread is gone.
  void close();

  // "rank 3 on node7 (10.77.0.3)", for messages. Any thread after open().
  std::string name_of(Rank peer) const;
  // What is known to be wrong, to be added to a message about a failed operation: "; port rxe0:1 of this
  // process has been down for 3 seconds". Empty: nothing. Any thread.
  std::string trouble(Rank peer) const;

 private:
  class Service;
  std::unique_ptr<Service> service_;
};

}  // namespace upcr::ibv
