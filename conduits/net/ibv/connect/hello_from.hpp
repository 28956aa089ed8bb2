// SPDX-License-Identifier: BSD-3-Clause
// What this process says of itself when it connects. Service thread.
#pragma once
#include <cstdint>
#include <span>

#include "conduits/net/ibv/connector/directory.hpp"
#include "conduits/net/ibv/connector/handshake.hpp"
#include "conduits/net/ibv/device/ports.hpp"

namespace upcr::ibv {

// `port`: of this process; `rail`: Connection::rail.
inline Hello hello_from(const Directory& directory, std::span<const Port> ports, unsigned port,
                        unsigned rail) {
  Hello hello;
  hello.secret = directory.secret();
  hello.rank = directory.rank();
  hello.port = static_cast<std::uint8_t>(port);
  hello.rail = static_cast<std::uint8_t>(rail);
  hello.device = static_cast<std::uint16_t>(ports[port].device->index());
  return hello;
}

}  // namespace upcr::ibv
