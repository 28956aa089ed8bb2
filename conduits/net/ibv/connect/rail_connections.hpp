// SPDX-License-Identifier: BSD-3-Clause
// Rails: further connections of a pair of processes, through other pairs of ports than the first one, for
// parts of large transfers (endpoint/large_access.cpp).
//
// A rail belongs to the process that has made it, the active side: only this one posts requests, and only for
// one-sided access, so the other one has a queue pair without receives and without a place in its data path,
// and nothing to agree on when the active side closes it. Two processes that both transfer much make rails
// for themselves each. So there is no race, as for first connections (connect_state_machine.hpp).
//
// A rail that cannot be made is no error: a line in the log says why, it is not tried again, and transfers go
// on without it. The end of one that has been made, if the active side has not closed it, means that the
// peer's process has ended, as for a first connection.
//
// Threads: the service thread, but for connect(), close(), of_peers() and open() (main thread).
#pragma once
#include <infiniband/verbs.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conduits/net/ibv/connect/connections.hpp"
#include "conduits/net/ibv/connector/connector.hpp"
#include "conduits/net/ibv/connector/directory.hpp"

namespace upcr::ibv {

class RailConnections {
 public:
  // `limit`: of the time that an attempt of this process may take.
  void open(std::span<Port> ports, const Directory& directory, Connector& connector, ConnectionClient& client,
            Millis limit);
  // Makes rails beside the connection `first`, at most `most`. Any thread.
  void connect(const Connection& first, unsigned most);
  // Closes the rail with this queue pair, before it makes any that is asked for afterwards. Any thread.
  void close(const ibv_qp* qp);
  // How many rails end here that peers have made. Any thread.
  unsigned of_peers() const noexcept { return of_peers_.load(std::memory_order_relaxed); }
  // Closes and begins what has been requested, in that order; in the loop.
  void process_requests(Millis now);
  // Gives up attempts that take too long.
  void tick(Millis now);
  Millis due() const noexcept;
  // Destroys the queue pairs that the client has drained. False: there are none left.
  bool reap();

  // -- what the connector reports of links whose Connection::rail is not 0
  void route_found(ConnectLink& link);
  void requested(PeerRequest& request, const Hello& hello, Millis now);
  void established(ConnectLink& link, const void* data, std::size_t bytes);
  void failed(ConnectLink& link, const ConnectFailure& failure);
  // True: the peer's process has ended.
  bool disconnected(ConnectLink& link);

  // The job ends: nothing is transferred any more. begin_close(), and disconnected_at_end() for each event,
  // until empty().
  void begin_close();
  void disconnected_at_end(ConnectLink& link);
  bool empty() const noexcept { return rails_.empty(); }
  void drop_all();

 private:
  struct Rail : ConnectLink {
    Millis deadline = kNever;  // of an attempt; kNever: it is established
    bool is_second = false;    // attempt: the first one had a path that did not lead to the peer
  };
  struct Request {
    Rank peer = 0;
    PortPair first{};
    unsigned most = 0;
    const ibv_qp* closed = nullptr;  // if not null, the rail with this queue pair is to be closed
  };
  static Rail& rail_of(ConnectLink& link) noexcept { return static_cast<Rail&>(link); }
  bool knows(Rank peer, unsigned port) const noexcept;
  void start(const Request& request, Millis now);
  void start(Rank peer, PortPair ports, Millis deadline, bool is_second);
  void close_now(const ibv_qp* qp);
  std::string make_queue_pair(Rail& rail);
  void fail(Rail& rail, const std::string& why);
  void drop(Rail& rail);
  Hello hello_for(const Connection& connection) const;

  std::span<Port> ports_;
  const Directory* directory_ = nullptr;
  Connector* connector_ = nullptr;
  ConnectionClient* client_ = nullptr;
  Millis limit_ = 0;
  std::vector<std::unique_ptr<Rail>> rails_;
  std::vector<std::unique_ptr<Rail>> retired_;  // own ones, until the client has drained the queue pair
  std::set<std::pair<Rank, unsigned>> failed_;  // peers and ports of this process that are not tried again

  std::atomic<unsigned> of_peers_{0};
  std::mutex mutex_;
  std::deque<Request> requests_;  // any thread
};

}  // namespace upcr::ibv
