// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/device/ports.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/base/report/log.hpp"

#include "conduits/net/ibv/device/address.hpp"
#include "conduits/net/ibv/device/choice.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

std::string with_list(const std::string& error, const Found& found) {
  return found.devices.empty() ? error : error + "; found on " + found.host + ":" + list_of(found);
}

}  // namespace

void PortSet::open(const Topology& topology) {
  Found found = discover_devices();
  if (const char* pkey = config_string("UPCR_IBV_PKEY"); pkey != nullptr)
    if (const std::string error = keep_partition(found, pkey); !error.empty())
      fatal_setting("%s", error.c_str());
  const Choice choice =
      choose_ports(found, config_string("UPCR_IBV_PORTS"), topology.rank - topology.machine_first, kMaxPorts);
  if (!choice.error.empty())
    fatal_setting("conduit ibv: %s%s", with_list(choice.error, found).c_str(), other_conduit());
  found_ = list_of(found);
  for (const ChosenPort& p : choice.ports)
    open_port(found.devices[p.device], found.devices[p.device].ports[p.port]);
  for (Port& port : ports_)
    if (config_is_set("UPCR_IBV_PORTS")) port.span = 0;  // the user has compared them
  UPCR_LOG(log_ibv, kInfo, "ports: %s", describe().c_str());
  for (const auto& device : devices_) UPCR_LOG(log_ibv, kInfo, "%s", device->describe().c_str());
}

unsigned PortSet::queue_pairs(const Topology& topology) const noexcept {
  unsigned all = 0;
  for (const Device* device : device_list_)
    all += device->limits().max_queue_pairs / std::max(Rank{1}, topology.machine_ranks);
  return all;
}

void PortSet::open_port(const FoundDevice& device, const FoundPort& port) {
  const FoundAddress& address = port.addresses.front();
  const std::string name = device.name + ":" + std::to_string(port.number);
  ibv_context* context = port.by_gid ? open_device(device.name) : bind(address, name);
  Port& to = ports_.emplace_back();
  to.device = device_of(context);
  to.number = port.number;
  to.kind = port.kind;
  to.prefix_bits = address.prefix_bits;
  to.address = address.address;
  to.by_gid = port.by_gid;
  to.gid = port.gid;
  to.gid_index = port.gid_index;
  to.span = device.span;
  to.name = name;
}

// librdmacm's own context, because its connections accept queue pairs of no other.
ibv_context* PortSet::bind(const FoundAddress& address, const std::string& name) {
  rdma_cm_id* id = nullptr;
  sockaddr_storage bound = address.address;
  if (::rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP) != 0 ||
      ::rdma_bind_addr(id, reinterpret_cast<sockaddr*>(&bound)) != 0)
    fatal_setting("cannot bind to %s of port %s: %s%s", text_of(bound).c_str(), name.c_str(),
                  std::strerror(errno), other_conduit());
  anchors_.emplace_back(id);
  return id->verbs;
}

// One context for all ports of a device.
ibv_context* PortSet::open_device(const std::string& name) {
  for (const auto& context : contexts_)
    if (name == ::ibv_get_device_name(context->device)) return context.get();
  ibv_device** list = ::ibv_get_device_list(nullptr);
  ibv_context* context = nullptr;
  for (ibv_device** at = list; at != nullptr && *at != nullptr && context == nullptr; ++at)
    if (name == ::ibv_get_device_name(*at)) context = ::ibv_open_device(*at);
  const int error = errno;
  if (list != nullptr) ::ibv_free_device_list(list);
  if (context == nullptr)
    fatal_setting("cannot open device %s: %s%s", name.c_str(), std::strerror(error), other_conduit());
  contexts_.emplace_back(context);
  return context;
}

Device* PortSet::device_of(ibv_context* context) {
  for (const auto& device : devices_)
    if (device->context() == context) return device.get();
  devices_.push_back(std::make_unique<Device>(context, static_cast<unsigned>(devices_.size())));
  device_list_.push_back(devices_.back().get());
  return devices_.back().get();
}

void PortSet::close() {
  ports_.clear();
  device_list_.clear();
  devices_.clear();
  anchors_.clear();
  contexts_.clear();
}

std::string PortSet::describe() const {
  std::string all;
  for (const Port& port : ports_)
    all += (all.empty() ? "" : ", ") + port.name + " (" + name_of(port.kind) + ", " + text_of(port.address) +
           ")";
  return all;
}

std::string PortSet::details() const {
  std::string all = "ports:" + found_ + "\nin use:\n  " + describe();
  for (const auto& device : devices_) all += "\n  " + device->describe();
  return all;
}

}  // namespace upcr::ibv
