// SPDX-License-Identifier: BSD-3-Clause
// For tests of upcrun's protocol with its agents: frames as they are sent, and the messages of failures.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "tools/upcrun/base/failure.hpp"
#include "tools/upcrun/protocol/link.hpp"

namespace upcrun {

inline std::string frame(MessageType type, int value, std::string_view payload) {
  const Frame head{type, value, static_cast<std::uint32_t>(payload.size()), 0};
  return std::string(reinterpret_cast<const char*>(&head), sizeof head).append(payload);
}

inline std::string failure_of(const auto& call) {
  try {
    (void)call();
  } catch (const Failure& failure) {
    return failure.message;
  }
  return "no failure";
}

}  // namespace upcrun
