// SPDX-License-Identifier: BSD-3-Clause
// Whether a job whose user has chosen no conduit may use ibv. Main thread; before create(), and in messages.
#pragma once
#include <cstddef>
#include <string>

#include "conduits/net/ibv/device/found.hpp"

namespace upcr::ibv {

// With less lockable memory ibv is not chosen: segments of the default size, and buffers.
inline constexpr std::size_t kMinLockable = std::size_t{256} << 20;

// Why nobody's choice should be ibv here, in one line; empty: it may. `lockable`: bytes that this process may
// lock for devices. A device that the kernel imitates is slower than what it stands on, so it is used only
// where the user asks for it, by the conduit's name or the port's (`wish`).
std::string reason_not_to_choose(const Found& found, const char* wish, std::size_t lockable);

// The end of a message that ibv cannot be used: which conduit does without it, if the user has not chosen
// ibv.
const char* other_conduit() noexcept;

}  // namespace upcr::ibv
