// SPDX-License-Identifier: BSD-3-Clause
// An opened device: context, protection domain, limits. One for each device in use, shared by its ports,
// owned by PortSet (ports.hpp). Created and destroyed on the main thread; used by any.
//
// The context is PortSet's, or librdmacm's own; that stays open until the module is unloaded. The protection
// domain is destroyed with the Device: queue pairs and memory regions must have been destroyed before.
#pragma once
#include <infiniband/verbs.h>

#include <string>

#include "conduits/net/ibv/device/limits.hpp"

namespace upcr::ibv {

class Device {
 public:
  // `index`: among the devices that this process uses, from 0. A device that cannot be used ends the job with
  // an explanation.
  Device(ibv_context* context, unsigned index);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  ibv_context* context() const noexcept { return context_; }
  ibv_pd* pd() const noexcept { return pd_; }
  // The XRC domain of the processes of this host; null: there is none.
  ibv_xrcd* xrcd() const noexcept { return xrcd_; }
  // Opens the one that belongs to this file. Returns 0 or errno.
  int open_xrcd(int file);
  void close_xrcd();
  const Limits& limits() const noexcept { return limits_; }
  const char* name() const noexcept { return name_.c_str(); }
  unsigned index() const noexcept { return index_; }
  // The limits, in words.
  std::string describe() const;

 private:
  void query();
  void choose_access();
  void find_paging();
  void choose_srq(const ibv_device_attr& attributes);
  void try_inline();

  ibv_context* context_;
  ibv_pd* pd_ = nullptr;
  ibv_xrcd* xrcd_ = nullptr;
  Limits limits_;
  std::string name_;
  unsigned index_;
};

}  // namespace upcr::ibv
