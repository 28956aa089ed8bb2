// SPDX-License-Identifier: BSD-3-Clause
// Arguments of internal messages: a struct instead of 32-bit values. For code that sends and handles internal
// messages; any thread, handlers too. The structs hold words of 32 and 64 bits without padding; a job runs on
// one architecture, so they are sent as they are.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/base/report/error.hpp"

namespace upcr {

template <typename T>
std::array<std::uint32_t, sizeof(T) / 4> to_args(const T& value) noexcept {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0 && sizeof(T) / 4 <= kMaxAmArgs);
  std::array<std::uint32_t, sizeof(T) / 4> args;
  std::memcpy(args.data(), &value, sizeof value);
  return args;
}

// The inverse of to_args(). Fatal when there are more or fewer; `what` describes the message.
template <typename T>
T from_args(const std::uint32_t* args, unsigned nargs, Rank source, const char* what) {
  if (nargs != sizeof(T) / 4)
    fatal("a malformed %s from rank %u: %u arguments instead of %zu", what, source, nargs, sizeof(T) / 4);
  std::array<std::uint32_t, sizeof(T) / 4> copy;
  std::memcpy(copy.data(), args, sizeof copy);
  return std::bit_cast<T>(copy);
}

// A Short message, or with data a Medium one. Refers to `args` and `data`: send it at once.
inline AmMessage internal_message(InternalHandler handler, std::span<const std::uint32_t> args,
                                  const void* data = nullptr, std::size_t bytes = 0) noexcept {
  AmMessage m;
  m.category = data == nullptr ? AmCategory::kShort : AmCategory::kMedium;
  m.internal = true;
  m.handler = static_cast<std::uint8_t>(handler);
  m.args = args;
  m.data = data;
  m.bytes = bytes;
  return m;
}

}  // namespace upcr
