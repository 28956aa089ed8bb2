// SPDX-License-Identifier: BSD-3-Clause
// The identifier of a work request (wr_id): a pointer, and in its lowest bits what it points to.
#pragma once
#include <cstdint>

#include "conduits/net/ibv/queues/link.hpp"
#include "conduits/net/ibv/queues/receives.hpp"

namespace upcr::ibv {

enum class WorkRequestTag : std::uint64_t {
  kReceive,      // a ReceiveBuffer
  kOperation,    // an Operation, of a signalled work request
  kUnsignalled,  // a Link, of an unsignalled work request, which has failed
};
inline constexpr std::uint64_t kWorkRequestTagBits = 3;
static_assert(alignof(ReceiveBuffer) > kWorkRequestTagBits && alignof(Operation) > kWorkRequestTagBits &&
              alignof(Link) > kWorkRequestTagBits);

inline std::uint64_t identifier(const ReceiveBuffer* buffer) noexcept {
  return reinterpret_cast<std::uintptr_t>(buffer) | static_cast<std::uint64_t>(WorkRequestTag::kReceive);
}
inline std::uint64_t identifier(const Operation* op) noexcept {
  return reinterpret_cast<std::uintptr_t>(op) | static_cast<std::uint64_t>(WorkRequestTag::kOperation);
}
inline std::uint64_t identifier(const Link* link) noexcept {
  return reinterpret_cast<std::uintptr_t>(link) | static_cast<std::uint64_t>(WorkRequestTag::kUnsignalled);
}
inline WorkRequestTag tag_of(std::uint64_t identifier) noexcept {
  return static_cast<WorkRequestTag>(identifier & kWorkRequestTagBits);
}
template <typename T>
T* pointer_of(std::uint64_t identifier) noexcept {
  return reinterpret_cast<T*>(identifier & ~kWorkRequestTagBits);
}

}  // namespace upcr::ibv
