// SPDX-License-Identifier: BSD-3-Clause
// The memory of this process that its peers may name in a message. Copied freely; `context` outlives all
// copies.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace upcr {

struct AccessGuard {
  // May a peer read and write [address, address + n)? Null: everything.
  bool (*allowed)(void* context, std::uint64_t address, std::size_t n) = nullptr;
  void* context = nullptr;
  // Why an address is refused, as SegmentMap::why_refused(). Null: nothing more is known.
  std::string (*reason)(void* context, std::uint64_t address) = nullptr;

  bool allows(std::uint64_t address, std::size_t n) const {
    return allowed == nullptr || allowed(context, address, n);
  }
  // The end of an error message that has named the address.
  std::string why_refused(std::uint64_t address) const {
    return reason != nullptr ? reason(context, address) : ", outside this process's segment";
  }
};

}  // namespace upcr
