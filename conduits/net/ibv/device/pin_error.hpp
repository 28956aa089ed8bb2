// SPDX-License-Identifier: BSD-3-Clause
// Memory that cannot be registered, in words: how much was asked for, what the limits are, what to do.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "conduits/net/ibv/device/device.hpp"

namespace upcr::ibv {

// Of ibv_reg_mr(): may work when something else is registered no more.
bool is_no_room(int error) noexcept;

// What the kernel still lets this process lock for devices: `ulimit -l` less what it has pinned already.
// SIZE_MAX: it is bound by no limit.
std::size_t lockable_now() noexcept;

// What stands in the way, and the cure, for a message about ibv_reg_mr() that failed with `error` (errno) for
// `bytes` bytes: "Cannot allocate memory; the limit of locked memory (ulimit -l) is ...".
std::string why_not_registered(const Device& device, std::size_t bytes, int error);

// Ends the job. `what` is what was to be registered ("a segment"); `smaller` is what to lower where nothing
// else helps ("UPC_SHARED_HEAP_SIZE"), or null.
[[noreturn]] void cannot_register(const Device& device, std::size_t bytes, const char* what,
                                  const char* smaller, int error);

}  // namespace upcr::ibv
