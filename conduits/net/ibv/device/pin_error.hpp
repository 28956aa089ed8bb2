// SPDX-License-Identifier: BSD-3-Clause
// Messages about memory that cannot be registered: how much was asked for, the limits, the cure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "conduits/net/ibv/device/device.hpp"

namespace upcr::ibv {

// May this failure (errno) of ibv_reg_mr() go away when something else is deregistered?
bool is_no_room(int error) noexcept;

// The bytes that this process may still lock for devices: `ulimit -l` less what it has pinned already.
// SIZE_MAX: no limit applies.
std::size_t lockable_now() noexcept;

// The cause and the cure of a failure of ibv_reg_mr() with `error` (errno) for `bytes` bytes: "Cannot
// allocate memory; the limit of locked memory (ulimit -l) is ...".
std::string why_not_registered(const Device& device, std::size_t bytes, int error);

// Ends the job. `what`: the memory to be registered ("a segment"). `smaller`: the variable to lower if
// nothing else helps ("UPC_SHARED_HEAP_SIZE"), or null.
[[noreturn]] void cannot_register(const Device& device, std::size_t bytes, const char* what,
                                  const char* smaller, int error);

}  // namespace upcr::ibv
