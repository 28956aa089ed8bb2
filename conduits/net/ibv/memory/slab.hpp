// SPDX-License-Identifier: BSD-3-Clause
// Memory for the conduit's own buffers, which every device of the process may read and write. Registered when
// it is opened, in one region for each device, for as long as it is open. Peers have no key for it.
// Registration populates its pages.
//
// Threads: open() and close() on the main thread, or on the service thread for a new peer; constant in
// between.
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

  // `bytes` of zeros, aligned to a page, for the devices in the order of Device::index(). `purpose` is named
  // in the error ("receive buffers"), which ends the job. If locked memory runs out, make_room() is called
  // and the registration tried again, until it returns false.
  void open(std::span<Device* const> devices, std::size_t bytes, const char* purpose,
            const std::function<bool()>& make_room = {});
  // No operation uses it any more.
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
