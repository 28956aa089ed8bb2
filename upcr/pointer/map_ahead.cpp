// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/pointer/map_ahead.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "conduits/core/base/system/unique_fd.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kAccessesPerPage = 16;
constexpr std::size_t kPieceBytes = std::size_t{2} << 20;
constexpr std::size_t kMinPageBytes = 4096;

// The part of each accessed segment between the first and the last place.
struct Extent {
  std::array<std::uintptr_t, 32> bases{};  // of segments of other processes
  std::size_t segments = 0;
  std::uint64_t low = UINT64_MAX, high = 0;  // offsets in them

  void add(std::uintptr_t place) {
    const Topology& topology = job().topology;
    SharedAddr at;
    if (!job().segments.find(topology, reinterpret_cast<const void*>(place), &at.thread, &at.offset)) return;
    if (at.thread - topology.my_first_slot() < topology.my_slots()) return;
    const std::uintptr_t base = place - at.offset;
    const auto end = bases.begin() + static_cast<std::ptrdiff_t>(segments);
    if (std::find(bases.begin(), end, base) == end) {
      if (segments == bases.size()) return;
      bases[segments++] = base;
    }
    low = std::min(low, at.offset);
    high = std::max(high, at.offset + 1);
  }
};

// What Linux says of the pages of a range.
class Pages {
 public:
  Pages() : file_(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}

  std::size_t bytes() const { return bytes_; }
  // Is the page at the address mapped here? No, where this is not known.
  bool is_mapped(std::uintptr_t address) const {
    std::uint64_t entry = 0;
    const auto where = static_cast<off_t>(address / bytes_ * sizeof entry);
    return ::pread(file_.get(), &entry, sizeof entry, where) == sizeof entry && entry >> 63 != 0;
  }
  // Have most pages of the range, at most kPieceBytes, been used by any process?
  bool are_used(std::uintptr_t begin, std::size_t n) const {
    std::array<unsigned char, kPieceBytes / kMinPageBytes> used;
    const std::size_t count = (n + bytes_ - 1) / bytes_;
    if (::mincore(reinterpret_cast<void*>(begin), n, used.data()) != 0) return false;
    const auto unused = std::count_if(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(count),
                                      [](unsigned char page) { return (page & 1) == 0; });
    return static_cast<std::size_t>(unused) <= count / 8;
  }

 private:
  const UniqueFd file_;
  const std::size_t bytes_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
};

}  // namespace

void map_ahead(std::span<const std::uintptr_t> places, std::uint64_t accesses) noexcept {
  Extent extent;
  for (const std::uintptr_t place : places) extent.add(place);
  if (extent.segments == 0) return;
  if (accesses / kAccessesPerPage < (extent.high - extent.low) / kMinPageBytes * extent.segments) return;
  const Pages pages;
  for (std::size_t i = 0; i < extent.segments; ++i) {
    std::uintptr_t begin = (extent.bases[i] + extent.low) & ~(pages.bytes() - 1);
    const std::uintptr_t end = extent.bases[i] + extent.high;
    while (begin < end) {
      const std::size_t n = std::min(kPieceBytes, end - begin);
      if (!pages.is_mapped(begin + n / 2) && pages.are_used(begin, n) &&
          ::madvise(reinterpret_cast<void*>(begin), n, MADV_POPULATE_READ) != 0)
        return;  // of an old kernel: each page by a fault
      begin += n;
    }
  }
}

}  // namespace upcr
