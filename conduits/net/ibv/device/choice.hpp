// SPDX-License-Identifier: BSD-3-Clause
// Whether a job whose user has chosen no conduit may use ibv. Main thread; before create(), and in messages.
#pragma once
#include <cstddef>
#include <string>

#include "conduits/net/ibv/device/found.hpp"

namespace upcr::ibv {

// With less lockable memory ibv is not chosen: segments of the default size, and buffers.
inline constexpr std::size_t kMinLockable = std::size_t{256} << 20;

// Why ibv should not be chosen by default here, in one line; empty: it may. `lockable`: bytes that this
// process may lock for devices. `ports`: UPCR_IBV_PORTS, or null. A device in software is slower than the
// network below it, so it is used only if the user names the conduit or the port.
std::string reason_not_to_choose(const Found& found, const char* ports, std::size_t lockable);

// The end of a message that ibv cannot be used: which conduit does without it, if the user has not chosen
// ibv.
const char* other_conduit() noexcept;

}  // namespace upcr::ibv
