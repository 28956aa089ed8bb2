// SPDX-License-Identifier: BSD-3-Clause
// A queue pair with a peer, from ConnectionClient::prepare() on, as the data path sees it.
//
// The service thread creates it and hands it over (connection_events.hpp); then it belongs to the data path.
//
// Threads: under the lock of its send path. What is marked "both" is changed under the conduit's lock as
// well, and so may be read under that alone; `flow` also under those of all send paths (window.hpp). What is
// marked "conduit" is the polling thread's.
#pragma once
#include <atomic>
#include <cstdint>

#include "conduits/core/transport/credited/channel.hpp"
#include "conduits/net/ibv/connect/connections.hpp"
#include "conduits/net/ibv/queues/covered_queue.hpp"
#include "conduits/net/ibv/queues/flush_queue.hpp"
#include "conduits/net/ibv/queues/operations.hpp"
#include "conduits/net/ibv/queues/send_queue.hpp"
#include "conduits/net/ibv/queues/window.hpp"

namespace upcr::ibv {

class CompletionQueue;
class CompletionRoom;
class DeviceQueues;
class RailSet;
class SendPath;
struct ReceiveBuffer;

// Whether the connection is being closed because it is quiet (endpoint/eviction.hpp).
enum class Leaving : std::uint8_t {
  kNo,
  kAsked,      // the peer is asked
  kAnswerDue,  // the peer has asked
  kAgreed,     // with the peer: its answer is on the way to it
  kClosing,    // the peer has agreed
  kClosed,     // the service thread is told
};

struct Link : CreditedPeer {
  Connection connection;  // as the service thread has announced it last; both
  DeviceQueues* queues = nullptr;
  CompletionQueue* completions = nullptr;
  CompletionRoom* room = nullptr;  // its send path's part of `completions`
  SendPath* path = nullptr;
  RailSet* rails = nullptr;  // to the peer, since the first large transfer; its own, of a rail
  Window flow;
  SendQueue queue;
  CoveredQueue covered;            // operations in progress; not on iWARP
  std::uint8_t unsignalled = 0;    // its place in UnsignalledLinks, from 1 on; 0: it is not there
  std::uint8_t patience = 0;       // polls until the last of them are signalled (sending/send_path.hpp)
  std::uint8_t close_packets = 0;  // received; conduit
  bool ready = false;        // both; may be sent to: established, and the first packet was sent or received
  bool discarded = false;    // both; not used any more (ConnectionClient::discarded)
  bool broken = false;       // an operation failed: the job is about to end, nothing more is posted
  bool has_refused = false;  // the device, a work request
  Leaving leaving = Leaving::kNo;   // both
  bool flushing = false;            // a packet has been sent so that its completion empties the send queue
  FlushQueue flush;                 // iWARP
  std::uint64_t flush_address = 0;  // what the read reads; both
  std::uint32_t flush_key = 0;      // both
  // -- conduit
  std::uint64_t seen = 0;     // activity() when it was looked at last, to find out whether it is quiet
  std::uint64_t asked = 0;    // the same when the peer asked last
  std::uint32_t used_at = 0;  // milliseconds

  // Its own receive buffers, where there is no shared queue; conduit.
  ReceiveBuffer* receives = nullptr;
  std::uint32_t receives_out = 0;  // how many of them are posted
  // Connection::remote_srq: a packet may arrive before the event that the connection is established.
  std::atomic<std::uint32_t> remote_srq{0};
  // Discarded, and everything that was posted has completed; service thread.
  std::atomic<bool> drained{false};
  Operation flush_read;  // the read that flushes
  Operation hello;

  // Does it carry parts of large transfers only (connect/rail_connections.hpp)?
  bool is_rail() const noexcept { return connection.rail != 0; }
  // Differs from an earlier result if something has been sent or processed since. Both counts stand apart: a
  // sum might be the same again, and an eviction would lose what is on the way.
  std::uint64_t activity() const noexcept { return std::uint64_t{queue.uses()} << 16 | flow.processed(); }
};

}  // namespace upcr::ibv
