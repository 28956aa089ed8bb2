// SPDX-License-Identifier: BSD-3-Clause
// Connections that are made when they are first needed, as conduit ibv makes them, with its state machine of
// each connection (conduits/net/ibv/connect/connect_state_machine.hpp). librdmacm and the service thread are
// modelled: the messages of a handshake travel, and a process handles them one after the other. A rank has
// state only for the peers that it connects with.
#pragma once
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "bench/scale/model.hpp"
#include "conduits/net/ibv/connect/connect_state_machine.hpp"

namespace upcr::scale {

// The simulator, as the table sees it.
class ConnectionNet {
 public:
  virtual void after(Nanos time, Rank rank, std::uint32_t token) = 0;  // on_event(rank, token) at that time
  virtual void established(Rank rank, Nanos time) = 0;

 protected:
  ~ConnectionNet() = default;
};

class ConnectionTable {
 public:
  ConnectionTable(Rank ranks, const Model& model, ConnectionNet& net);

  bool is_connected(Rank rank, Rank peer) const;
  void connect(Rank rank, Rank peer, Nanos now);
  void on_event(Rank rank, std::uint32_t token, Nanos now);
  std::uint64_t max_connections() const;  // of one rank

 private:
  enum class EventType : std::uint8_t { kRouteResolved, kRequest, kAccept, kReject, kEstablished, kTick };
  struct Event {
    EventType type;
    Rank peer;
    std::uint32_t link;  // the attempt, by the number that the connecting side gave it
  };
  struct Peer {
    ibv::ConnectStateMachine attempts;
    std::uint32_t link = 0;  // the current one, by the number that the connecting side gave it
    bool queued = false;
  };
  struct Host {
    std::unordered_map<Rank, Peer> peers;
    std::deque<Rank> queue;  // peers whose attempts have not been started yet
    std::uint32_t attempts_in_progress = 0, connected = 0;
    Nanos free_at = 0;
  };
  void start(Rank rank, Rank peer, Nanos now);
  void send_event(Rank to, const Event& event, Nanos at);
  void handle(Rank rank, const Event& event, Nanos now);
  void on_request(Rank rank, const Event& event, Nanos now);
  void attempt_ended(Rank rank, Nanos now);
  Nanos occupy(Rank rank, Nanos now);

  std::vector<Host> hosts_;
  const Model model_;
  ConnectionNet& net_;
  std::vector<Event> events_in_flight_;
  std::vector<std::uint32_t> free_events_;
  std::uint32_t links_ = 0;
};

}  // namespace upcr::scale
