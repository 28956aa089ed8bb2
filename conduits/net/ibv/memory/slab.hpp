// SPDX-License-Identifier: BSD-3-Clause
// A piece of memory of the conduit's own that every device of the process may read and write: what buffers
// are cut from. Registered when it is opened, in one region for each device, for as long as it is open. Peers
// have no key for it.
//
// Main thread for open() and close(), and for the service thread when it makes room for a new peer; the rest
// is constant in between. Untouched pages cost memory all the same: registering populates them.
#pragma once
#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "conduits/net/ibv/device/device.hpp"

namespace upcr::ibv {

class Slab {
 public:
  Slab() = default;
  ~Slab() { close(); }
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  // `bytes` of zeros at a page's start, for the devices in the order of Device::index(). `purpose` is for the
  // error ("receive buffers"), which ends the job. Where locked memory runs out `make_room` is asked for
  // more, until it answers false.
  void open(std::span<Device* const> devices, std::size_t bytes, const char* purpose,
            const std::function<bool()>& make_room = {});
  // Nothing is under way in it any more.
  void close() noexcept;

  char* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }
  std::uint32_t key(const Device& device) const noexcept { return keys_[device.index()]; }

 private:
  char* data_ = nullptr;
  std::size_t bytes_ = 0;  // whole pages
  std::vector<ibv_mr*> regions_;
  std::vector<std::uint32_t> keys_;
};

}  // namespace upcr::ibv
