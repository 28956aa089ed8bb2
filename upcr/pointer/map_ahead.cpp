// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/pointer/map_ahead.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include "conduits/core/base/system/unique_fd.hpp"
#include "upcr/pointer/pointer.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kMinAccesses = 1 << 16, kAccessesPerPage = 16;
constexpr std::size_t kPieceBytes = std::size_t{2} << 20;
constexpr std::size_t kMinPageBytes = 4096;
constexpr std::size_t kMinRun = 16;  // pages; the kernel maps some around a fault, too

std::size_t page_bytes() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

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

// What Linux says of the pages of a range, and does with them.
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
  // Maps those that any process has used, of a range of kPieceBytes at most. The others would get memory by
  // it, of the caller's NUMA node. False where this cannot be done.
  bool map_used(std::uintptr_t begin, std::size_t n) const {
    std::array<unsigned char, kPieceBytes / kMinPageBytes> used;
    const std::size_t count = (n + bytes_ - 1) / bytes_;
    if (::mincore(reinterpret_cast<void*>(begin), n, used.data()) != 0) return false;
    for (std::size_t i = 0; i < count;) {
      std::size_t end = i;
      while (end < count && (used[end] & 1) != 0) ++end;
      if (end - i >= kMinRun &&
          ::madvise(reinterpret_cast<void*>(begin + i * bytes_), (end - i) * bytes_, MADV_POPULATE_READ) != 0)
        return false;  // of an old kernel: each page by a fault
      i = std::max(end, i + 1);
    }
    return true;
  }

 private:
  const UniqueFd file_;
  const std::size_t bytes_ = page_bytes();
};

// A loop that only accesses memory changes no errno.
class KeptErrno {
 public:
  KeptErrno() = default;
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;
  ~KeptErrno() { errno = value_; }

 private:
  const int value_ = errno;
};

}  // namespace

void map_ahead(std::span<const std::uintptr_t> places, std::uint64_t accesses) noexcept {
  if (accesses < kMinAccesses) return;
  Extent extent;
  for (const std::uintptr_t place : places) extent.add(place);
  if (extent.segments == 0) return;
  if (accesses / kAccessesPerPage < (extent.high - extent.low) / page_bytes() * extent.segments) return;
  const KeptErrno kept;
  const Pages pages;
  for (std::size_t i = 0; i < extent.segments; ++i) {
    std::uintptr_t begin = (extent.bases[i] + extent.low) & ~(pages.bytes() - 1);
    const std::uintptr_t end = extent.bases[i] + extent.high;
    while (begin < end) {
      const std::size_t n = std::min(kPieceBytes, end - begin);
      if (!pages.is_mapped(begin + n / 2) && !pages.map_used(begin, n)) return;
      begin += n;
    }
  }
}

}  // namespace upcr
