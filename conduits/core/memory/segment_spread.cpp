// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/memory/segment_spread.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/memory/segment.hpp"

namespace upcr {
namespace {

// Mappings that each CPU would make: a tenth of a second's.
constexpr std::uint64_t kMaxMappingsPerCpu = 1 << 14;
// What of the first stray bytes is examined: a huge page of the file may reach from a segment into them.
constexpr std::size_t kExamined = std::size_t{2} << 20;

void make_inaccessible(char* at, std::size_t bytes) {
  if (bytes != 0 && ::mprotect(at, bytes, PROT_NONE) != 0)
    fatal_errno("cannot protect addresses beside a shared segment");
}

// The first byte of [from, end) of the file that is not 0; `end` if there is none in the first kExamined
// bytes that were ever touched.
std::size_t first_written(int fd, std::size_t from, std::size_t end) {
  const off_t data = ::lseek(fd, static_cast<off_t>(from), SEEK_DATA);
  if (data < 0 || static_cast<std::size_t>(data) >= end) return end;
  const auto start = static_cast<std::size_t>(data);
  std::vector<char> bytes(std::min(kExamined, end - start));
  const ssize_t n = ::pread(fd, bytes.data(), bytes.size(), data);
  const auto last = bytes.begin() + std::max<ssize_t>(n, 0);
  const auto found = std::find_if(bytes.begin(), last, [](char c) { return c != 0; });
  return found == last ? end : start + static_cast<std::size_t>(found - bytes.begin());
}

}  // namespace

std::size_t choose_segment_distance(const Topology& t, std::uint32_t threads_per_cpu, std::size_t bytes,
                                    unsigned stride_bits) {
  const std::uint64_t slots = t.window_group_slots();
  // Several threads of a process: it maps their segments once more, as one range (gasnet_queries.cpp).
  if (slots != t.window_group_size || slots * threads_per_cpu < kMaxMappingsPerCpu) return bytes;
  const std::uint64_t distance = std::uint64_t{1} << stride_bits;
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < (slots + 1) * distance) return bytes;
  return distance;
}

std::size_t segment_distance(const MemoryFile& memory, Slot slots) {
  struct stat file {};
  if (::fstat(memory.fd(), &file) != 0) fatal_errno("cannot ask for the size of the host's shared memory");
  return (static_cast<std::size_t>(file.st_size) - memory.segments_offset()) / slots;
}

void map_spread(const MemoryFile& memory, const Topology& t, char* reservation, std::size_t bytes,
                std::size_t skipped, unsigned stride_bits) {
  const std::size_t distance = std::size_t{1} << stride_bits;
  const std::size_t span = t.window_group_slots() * distance;
  if (::mmap(reservation, span, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, memory.fd(),
             static_cast<off_t>(memory.segments_offset())) == MAP_FAILED) {
    char size[32];
    fatal_errno("cannot map shared memory at %s of addresses (check ulimit -v)",
                format_size(span, size, sizeof size));
  }
  // The kernel would look for each page of all these addresses, one by one.
  (void)::madvise(reservation, span, MADV_DONTDUMP);
  const Slot first = t.window_group_first_slot();
  for (const Slot s : {first, t.my_first_slot()}) {  // a process has one thread
    char* const segment = reservation + (s - first) * distance;
    (void)::madvise(segment, bytes, MADV_DODUMP);
    make_inaccessible(segment, skipped);
    make_inaccessible(segment + bytes, distance - bytes);
  }
}

void check_strays(const MemoryFile& memory, const Topology& t, const SegmentMap& segments) {
  const Slot slots = t.window_group_slots();
  const std::size_t distance = segment_distance(memory, slots);
  if (!is_spread(memory, slots, segments.bytes)) return;
  for (Slot s = t.my_first_slot(); s < t.my_first_slot() + t.my_slots(); ++s) {
    const std::size_t start = memory.segments_offset() + (s - t.window_group_first_slot()) * distance;
    const std::size_t low = first_written(memory.fd(), start, start + segments.null_bytes) - start;
    const std::size_t high = first_written(memory.fd(), start + segments.bytes, start + distance) - start;
    if (low == segments.null_bytes && high == distance) continue;
    fatal(
        "a thread has written outside the shared memory of UPC thread %u, at offset %#zx: by a pointer that "
        "was null, or far outside its object (with fewer threads on this host, or the debug library, the "
        "access itself is an error)",
        s, low != segments.null_bytes ? low : high);
  }
}

}  // namespace upcr
