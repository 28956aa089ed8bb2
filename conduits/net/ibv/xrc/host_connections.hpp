// SPDX-License-Identifier: BSD-3-Clause
// Connections with hosts (XRC): a process has one queue pair that sends to all processes of another host, its
// *initiator* for that host (for each pair of ports that it uses with it). At the other end is one *target*,
// a receiving queue pair of the XRC domain (domain.hpp) that the processes of that host share; it delivers
// each packet to the shared receive queue that the packet names. The target is made by the first process that
// is asked, and serves all of its host.
//
// Two processes connect as without XRC, by three datagrams (datagrams/attempts.hpp). In addition each end
// says whether its initiator has a target already (QueuePairEnd::uses); if it has none, the other end makes
// one. While one handshake with a host asks for that, others with the same host wait for it and do not ask
// (kAsksAnother). So an initiator has one target, also where a process connects with many at once. A target
// whose handshake has failed is destroyed with the handshake; others stay until the end of the job.
//
// Pure: HostQueuePairs does what needs a device. Service thread.
#pragma once
#include <infiniband/verbs.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "conduits/net/ibv/connector/connector.hpp"
#include "conduits/net/ibv/connector/queue_pair_end.hpp"

namespace upcr::ibv {

// A host as seen from a port of this process: its lowest rank, and the port there.
struct HostKey {
  Rank host = 0;
  unsigned port = 0;  // of this process, index into its ports
  WireAddress remote;
  std::uint16_t remote_lid = 0;

  bool operator<(const HostKey& other) const noexcept;
};

struct HostConnection {
  ibv_qp* qp = nullptr;                 // the initiator
  QueuePairEnd own;                     // of it
  std::uint32_t max_inline = 0;         // bytes
  std::uint32_t target = 0;             // at the other end; 0: it cannot send yet
  const ConnectLink* asking = nullptr;  // whose handshake is to bring the target
  unsigned links = 0;                   // that use it
};

class HostQueuePairs {
 public:
  // An initiator; null: errno says why. Fills in what has been granted.
  virtual ibv_qp* create_initiator(const Connection& connection, ibv_qp_init_attr* attributes) = 0;
  // An empty text, or what has gone wrong.
  virtual std::string connect_initiator(const Connection& connection, unsigned remote_port,
                                        const QueuePairEnd& own, const QueuePairEnd& target) = 0;
  // A target for the initiator `remote`, ready to receive; null, and what has gone wrong.
  virtual ibv_qp* create_target(const Connection& connection, unsigned remote_port, const QueuePairEnd& own,
                                const QueuePairEnd& remote, std::string* error) = 0;
  virtual void destroy(ibv_qp* queue_pair) = 0;

 protected:
  ~HostQueuePairs() = default;
};

class HostConnections {
 public:
  explicit HostConnections(HostQueuePairs& queue_pairs) : queue_pairs_(queue_pairs) {}
  ~HostConnections();
  HostConnections(const HostConnections&) = delete;
  HostConnections& operator=(const HostConnections&) = delete;

  // Gives the link the initiator for its peer's host, a new one where there is none. `end`: what peers are to
  // know of a new one, but its number. Returns 0 or errno.
  int join(ConnectLink& link, const HostKey& key, const QueuePairEnd& end, ibv_qp_init_attr* attributes);
  bool has(const HostKey& key) const { return hosts_.find(key) != hosts_.end(); }
  // What the peer is to know of this end.
  QueuePairEnd end_of(ConnectLink& link);
  // Makes and connects what `remote` allows: as DatagramHost's functions.
  std::string connect(ConnectLink& link, unsigned remote_port, QueuePairEnd* own, const QueuePairEnd& remote);
  bool can_send(ConnectLink& link, QueuePairEnd* own);
  // The link's handshake is over.
  void release(ConnectLink& link);
  // The link does not use the initiator any more.
  void leave(ConnectLink& link);

  unsigned initiators() const noexcept { return static_cast<unsigned>(hosts_.size()); }
  unsigned most_initiators() const noexcept { return most_initiators_; }  // at once
  unsigned targets() const noexcept { return static_cast<unsigned>(targets_.size()); }

 private:
  struct Target {
    ibv_qp* qp = nullptr;
    const ConnectLink* maker = nullptr;  // whose handshake has made it; null: it is in use
  };
  void destroy_target(std::uint32_t number);

  HostQueuePairs& queue_pairs_;
  std::map<HostKey, std::unique_ptr<HostConnection>> hosts_;
  std::map<std::uint32_t, Target> targets_;  // by their numbers
  unsigned most_initiators_ = 0;
};

}  // namespace upcr::ibv
