// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connect/port_watch.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

constexpr Millis kRecheckInterval = 250;

Millis down_time_limit() { return static_cast<Millis>(config_int("UPCR_IBV_PORT_DOWN")) * 1000; }

const char* seconds(Millis ms, char (&buf)[32]) {
  std::snprintf(buf, sizeof buf, "%llu.%llu seconds", static_cast<unsigned long long>(ms / 1000),
                static_cast<unsigned long long>(ms % 1000 / 100));
  return buf;
}

bool is_active(const Port& port) {
  ibv_port_attr attributes{};
  return ::ibv_query_port(port.device->context(), port.number, &attributes) == 0 &&
         attributes.state == IBV_PORT_ACTIVE;
}

}  // namespace

void PortWatch::open(std::span<Port> ports, ConnectionClient& client, Connector& connector) {
  ports_ = ports;
  client_ = &client;
  connector_ = &connector;
  down_since_ = std::make_unique<std::atomic<Millis>[]>(ports.size());
  for (const Port& port : ports) {
    if (std::find(devices_.begin(), devices_.end(), port.device) != devices_.end()) continue;
    devices_.push_back(port.device);
    const int fd = port.device->context()->async_fd;
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  }
}

void PortWatch::add_fds(std::vector<pollfd>* fds) const {
  for (const Device* device : devices_) fds->push_back({device->context()->async_fd, POLLIN, 0});
}

void PortWatch::process_events() {
  for (Device* device : devices_)
    for (ibv_async_event event; ::ibv_get_async_event(device->context(), &event) == 0;) {
      const ibv_async_event copy = event;
      ::ibv_ack_async_event(&event);  // before the queue that it names may be destroyed
      handle_event(*device, copy);
    }
}

void PortWatch::handle_event(Device& device, const ibv_async_event& event) {
  UPCR_LOG(log_ibv, kInfo, "device %s: %s", device.name(), ::ibv_event_type_str(event.event_type));
  switch (event.event_type) {
    case IBV_EVENT_PORT_ERR:
      return port_changed(device, static_cast<unsigned>(event.element.port_num), false);
    case IBV_EVENT_PORT_ACTIVE:
      return port_changed(device, static_cast<unsigned>(event.element.port_num), true);
    case IBV_EVENT_LID_CHANGE:
    case IBV_EVENT_PKEY_CHANGE:
    case IBV_EVENT_SM_CHANGE:
    case IBV_EVENT_CLIENT_REREGISTER:
    case IBV_EVENT_GID_CHANGE:
      return paths_changed(device, static_cast<unsigned>(event.element.port_num));
    case IBV_EVENT_SRQ_LIMIT_REACHED:
      return client_->receives_low(device);
    case IBV_EVENT_DEVICE_FATAL:
      if (!closing_)
        fatal(
            "device %s has failed (%s); look at the kernel's log (dmesg), and try without it by "
            "UPCR_IBV_PORTS",
            device.name(), ::ibv_event_type_str(event.event_type));
      return;
    case IBV_EVENT_CQ_ERR:
      if (!closing_)
        fatal("device %s: a completion queue has overflowed or failed (%s)", device.name(),
              ::ibv_event_type_str(event.event_type));
      return;
    case IBV_EVENT_SRQ_ERR:
      if (!closing_)
        fatal("device %s: the shared receive queue has failed (%s)", device.name(),
              ::ibv_event_type_str(event.event_type));
      return;
    default:
      return;  // of queue pairs: their completions report the failure
  }
}

void PortWatch::paths_changed(const Device& device, unsigned number) {
  for (unsigned i = 0; i < ports_.size(); ++i)
    if (ports_[i].device == &device && ports_[i].number == number) connector_->paths_changed(i);
}

void PortWatch::port_changed(const Device& device, unsigned number, bool up) {
  char text[32];
  const Millis now = now_ms();
  for (unsigned i = 0; i < ports_.size(); ++i) {
    const Port& port = ports_[i];
    if (port.device != &device || port.number != number) continue;
    const Millis since = down_since_[i].load(std::memory_order_relaxed);
    if (up && since != 0) {
      down_since_[i].store(0, std::memory_order_relaxed);
      if (!closing_) warn("port %s is up again after %s", port.name.c_str(), seconds(now - since, text));
    }
    if (!up && since == 0) {
      down_since_[i].store(now, std::memory_order_relaxed);
      recheck_at_ = now + kRecheckInterval;
      if (!closing_)
        warn(
            "port %s is down: no link, or its network interface was switched off; waiting for it for %s "
            "(UPCR_IBV_PORT_DOWN), or for UPCR_IBV_TIMEOUT if an operation is in progress",
            port.name.c_str(), seconds(down_time_limit(), text));
    }
  }
}

void PortWatch::tick(Millis now) {
  if (now < recheck_at_) return;
  recheck_at_ = ConnectStateMachine::kNever;
  for (unsigned i = 0; i < ports_.size(); ++i) {
    const Millis since = down_since_[i].load(std::memory_order_relaxed);
    if (since == 0) continue;
    const Port& port = ports_[i];
    if (is_active(port)) {  // its event was lost, or is late
      port_changed(*port.device, port.number, true);
      continue;
    }
    recheck_at_ = now + kRecheckInterval;
    char text[32];
    if (!closing_ && now - since >= down_time_limit() && client_->busy(*port.device))
      fatal(
          "port %s has been down for %s while messages or transfers were in progress; look at its link, and at "
          "the kernel's log (dmesg); UPCR_IBV_PORT_DOWN sets how long a job waits",
          port.name.c_str(), seconds(now - since, text));
  }
}

Millis PortWatch::due() const noexcept { return recheck_at_; }

std::string PortWatch::down_ports() const {
  std::string all;
  char text[32];
  for (unsigned i = 0; i < ports_.size(); ++i) {
    if (const Millis since = down_since_[i].load(std::memory_order_relaxed); since != 0)
      all += "; port " + ports_[i].name + " of this process has been down for " +
             seconds(now_ms() - since, text);
    else if (!is_active(ports_[i]))  // the event is not here yet
      all += "; port " + ports_[i].name + " of this process is down";
  }
  return all;
}

}  // namespace upcr::ibv
