// SPDX-License-Identifier: BSD-3-Clause
// The implementation of Connections: service.cpp (start, loop, end), links.cpp (creating and dropping links),
// link_events.cpp (what the connector reports).
//
// Everything below "service thread" belongs to that thread. Other threads leave requests (a mutex and an
// eventfd) and read what never changes. No lock is held while the client is called.
#pragma once
#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "conduits/core/memory/memory_file.hpp"
#include "conduits/net/ibv/connect/connect_state_machine.hpp"
#include "conduits/net/ibv/connect/connections.hpp"
#include "conduits/net/ibv/connect/port_watch.hpp"
#include "conduits/net/ibv/connect/rail_connections.hpp"
#include "conduits/net/ibv/connector/directory.hpp"
#include "conduits/net/ibv/connector/handshake.hpp"
#include "conduits/net/ibv/connector/transport_timeout.hpp"

namespace upcr::ibv {

class Connections::Service final : private ConnectorEvents {
 public:
  void open(const AttachInfo& info, std::span<Port> ports, ConnectionClient& client, const XrcDomain* xrc);
  void connect(Rank to);
  void connect_all();
  void expect_eviction(Rank peer, bool expected) {
    eviction_expected_[peer].store(expected, std::memory_order_release);
  }
  void evict(Rank peer, ibv_qp* qp);
  void connect_rails(const Connection& first, unsigned most);
  void close_rail(const Connection& rail);
  unsigned rails_of_peers() const noexcept { return rails_.of_peers(); }
  void report_broken(Rank peer, std::string why, bool waited);
  void close();
  void plan(MemoryFile& memory_file, const Topology& topology);

  const Directory& directory() const noexcept { return directory_; }
  const PortWatch& watch() const noexcept { return watch_; }

 private:
  // -- main thread, while there is no service thread
  void choose_connector();
  Published publish(Connector& connector);
  void start_thread();

  // -- service thread: service.cpp
  void run();
  int timeout(Millis now) const;
  void wake();
  void fetch_connect_requests();
  void process_broken();
  void process_evictions();
  bool close_evicted(Rank peer);
  void record_lost(Rank peer, std::string why, Millis due);
  void tick(Millis now);
  void tick_peer(Rank peer, Millis now);
  void reap();
  void disconnect_all();
  void on_peer_closed(Rank peer);
  void report_lost(Millis now);
  void await_death_report(Rank peer);

  // -- links.cpp
  void start(Rank peer);
  void accept(Rank peer, const PeerRequest& request, const Hello& hello);
  void make_queue_pair(ConnectLink& link);
  void drop(Rank peer);
  Hello own_hello(unsigned port) const;

  // -- link_events.cpp
  void route_found(ConnectLink& link) override;
  void requested(PeerRequest& request) override;
  void established(ConnectLink& link, const void* data, std::size_t bytes) override;
  void failed(ConnectLink& link, const ConnectFailure& failure) override;
  void disconnected(ConnectLink& link) override;
  void device_removed(const Device* device) override;
  void report_established(ConnectLink& link);
  void attempt_failed(Rank peer, bool no_listener, const std::string& why);
  void reject_unauthenticated(const PeerRequest& request, HelloStatus status);
  [[noreturn]] void connect_timed_out(Rank peer);
  void add_timed_peer(Rank peer);

  struct Lost {
    Rank peer;
    Millis due;
    std::string why;
  };

  // -- constant after open()
  Rank rank_ = 0;
  Bootstrap* bootstrap_ = nullptr;
  MemoryFile::Area paths_area_;
  std::span<std::byte> paths_;  // CmConnector's, of all processes of the host
  std::span<Port> ports_;
  ConnectionClient* client_ = nullptr;
  const XrcDomain* xrc_ = nullptr;  // null: no XRC
  Directory directory_;
  ConnectStateMachine::TimeLimits time_limits_;
  TransportTimeout transport_timeout_;
  std::unique_ptr<Connector> connector_;
  int wake_fd_ = -1;  // eventfd: a request, or the end

  // -- any thread
  std::unique_ptr<std::atomic<bool>[]> connect_called_;     // of each peer: connect() has been called
  std::unique_ptr<std::atomic<bool>[]> eviction_expected_;  // of each peer
  std::mutex mutex_;                                        // of the next five
  std::vector<Rank> connect_requests_;
  std::vector<std::pair<Rank, ibv_qp*>> evictions_;
  std::vector<Lost> broken_;
  Rank connected_ = 0;
  std::condition_variable connected_more_;
  std::atomic<bool> closing_{false}, disconnect_{false};

  // -- service thread
  pthread_t thread_{};
  PortWatch watch_;
  std::vector<ConnectStateMachine> machines_;        // of each peer
  std::vector<std::unique_ptr<ConnectLink>> links_;  // of each peer: the current one
  std::vector<std::unique_ptr<ConnectLink>>
      retired_links_;  // dropped, until the client has drained the queue pair
  RailConnections rails_;
  std::deque<Rank> queue_;                             // peers whose attempts have not been started yet
  bool has_retired_ = false;                           // queue pairs that are to be destroyed
  std::vector<Rank> timed_peers_;                      // peers whose state machines may have something due
  std::unordered_map<Rank, std::string> last_errors_;  // the last failure, as text
  std::vector<Lost> lost_;
  unsigned unauthenticated_ = 0;
};

}  // namespace upcr::ibv
