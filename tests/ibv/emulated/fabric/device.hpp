// SPDX-License-Identifier: BSD-3-Clause
// A device that a process has opened.
#pragma once
#include <infiniband/verbs.h>

#include <cstdint>

namespace emulated {

struct DeviceHandle : ibv_device {
  std::uint8_t number = 0;
};

struct DeviceContext {
  std::uint8_t number = 0;    // of the device
  std::uint32_t id = 0;       // of the Context
  std::uint32_t channel = 0;  // of asynchronous events
  verbs_context verbs = {};   // last

  static DeviceContext* of(ibv_context* context) noexcept;
};

}  // namespace emulated
