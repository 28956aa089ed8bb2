// SPDX-License-Identifier: BSD-3-Clause
// The user's choice of how connections are made (UPCR_IBV_CONNECT_BY). Any thread.
#pragma once
#include <cstdint>
#include <string_view>

#include "conduits/core/base/config/config.hpp"

namespace upcr::ibv {

enum class ConnectBy : std::uint8_t {
  kAuto,  // librdmacm, or datagrams where a process of the job has no IP address on its ports
  kRdmacm,
  kDatagrams,
};

inline ConnectBy connect_setting() {
  const std::string_view setting = config_string("UPCR_IBV_CONNECT_BY");
  if (setting == "rdmacm") return ConnectBy::kRdmacm;
  return setting == "ud" ? ConnectBy::kDatagrams : ConnectBy::kAuto;
}

}  // namespace upcr::ibv
