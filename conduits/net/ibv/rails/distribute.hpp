// SPDX-License-Identifier: BSD-3-Clause
// How a large transfer is cut into parts, one for each connection. Pure; any thread.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "conduits/net/ibv/device/found.hpp"

namespace upcr::ibv {

// Where the parts end, as offsets; the last one at the end of the transfer.
struct Parts {
  unsigned count = 0;
  std::size_t ends[kMaxPorts];
  std::size_t begin(unsigned nth) const noexcept { return nth == 0 ? 0 : ends[nth - 1]; }
  std::size_t bytes(unsigned nth) const noexcept { return ends[nth] - begin(nth); }
};

// At most `most` parts of [address, address + bytes), of as many pages each as the others, or one more or
// less. They are cut at the borders of pages of this process, so that none of these is registered twice. Each
// touches two pages at the least, and so is longer than a page: short ones cost more than they gain, and siw
// misreads some (RemoteAccess::is_misread()).
constexpr Parts distribute(std::uintptr_t address, std::size_t bytes, unsigned most) noexcept {
  constexpr std::uintptr_t kPage = 4096;
  const std::uintptr_t first = address / kPage, pages = (address + bytes + kPage - 1) / kPage - first;
  Parts parts;
  const std::uintptr_t pairs = std::max<std::uintptr_t>(pages / 2, 1);
  parts.count = static_cast<unsigned>(std::min<std::uintptr_t>({most, kMaxPorts, pairs}));
  for (unsigned i = 1; i < parts.count; ++i)
    parts.ends[i - 1] = (first + pages * i / parts.count) * kPage - address;
  parts.ends[parts.count - 1] = bytes;
  return parts;
}

}  // namespace upcr::ibv
