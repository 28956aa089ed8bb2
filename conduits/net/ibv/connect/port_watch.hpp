// SPDX-License-Identifier: BSD-3-Clause
// Asynchronous events of the devices: ports that go down, paths that change, devices that fail, queues in
// error.
//
// Threads: the service thread, but for down_ports().
#pragma once
#include <infiniband/verbs.h>
#include <poll.h>

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conduits/net/ibv/connect/connect_state_machine.hpp"
#include "conduits/net/ibv/connect/connections.hpp"

namespace upcr::ibv {

class PortWatch {
 public:
  void open(std::span<Port> ports, ConnectionClient& client, Connector& connector);
  void add_fds(std::vector<pollfd>* fds) const;
  // Handles the events that have arrived.
  void process_events();
  // Ends the job if a port has been down for too long while an operation is in progress.
  void tick(Millis now);
  Millis due() const noexcept;  // when tick() is to be called
  void close() { closing_ = true; }

  // "; port rxe0:1 of this process has been down for 3 seconds", or nothing. Any thread.
  std::string down_ports() const;

 private:
  void handle_event(Device& device, const ibv_async_event& event);
  void port_changed(const Device& device, unsigned number, bool up);
  void paths_changed(const Device& device, unsigned number);

  std::span<Port> ports_;
  ConnectionClient* client_ = nullptr;
  Connector* connector_ = nullptr;
  std::vector<Device*> devices_;
  std::unique_ptr<std::atomic<Millis>[]> down_since_;  // of each port; 0: it is up
  Millis recheck_at_ = ConnectStateMachine::kNever;
  bool closing_ = false;
};

}  // namespace upcr::ibv
