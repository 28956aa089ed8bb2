// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/memory/segment.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/system/text.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/memory/segment_spread.hpp"

namespace upcr {
namespace {

// Bases of the reservation on which the host's processes can agree: far from where Linux puts programs
// (0x55...), libraries and stacks (0x7f...), and inside the range that AddressSanitizer leaves to
// applications. ThreadSanitizer leaves the first TiB, and turns a request for any other address into one for
// address 0.
#ifdef __SANITIZE_THREAD__
constexpr std::uintptr_t kAgreedBases[] = {0x2000000000};
constexpr std::size_t kMaxAgreedSpan = 0xdf00000000;
#else
constexpr std::uintptr_t kAgreedBases[] = {0x100080000000, 0x200000000000, 0x300000000000};
constexpr std::size_t kMaxAgreedSpan = SIZE_MAX;
#endif

char* reserve_addresses(std::uintptr_t at, std::size_t span) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (at != 0) flags |= MAP_FIXED_NOREPLACE;
  void* p = ::mmap(reinterpret_cast<void*>(at), span, PROT_NONE, flags, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  if (at != 0 && p != reinterpret_cast<void*>(at)) {  // a kernel or sanitizer that took it as a hint
    ::munmap(p, span);
    return nullptr;
  }
  return static_cast<char*>(p);
}

// A range at the same address in all processes of every window group; else anywhere; else nullptr. One that
// all have agreed on is given back at once: the kernel puts nothing else so far from everything, and to map
// segments into a reserved range splits it each time, which 1,024 processes of a host would do a million
// times.
char* agree_on_reservation(Bootstrap& bootstrap, const Topology& t, std::size_t span) {
  std::vector<std::uint8_t> got(t.size);
  for (const std::uintptr_t base : kAgreedBases) {
    if (span > kMaxAgreedSpan) break;
    char* reservation = reserve_addresses(base, span);
    const std::uint8_t mine = reservation != nullptr;
    bootstrap.allgather(&mine, 1, got.data());
    if (reservation != nullptr) ::munmap(reservation, span);
    if (std::all_of(got.begin(), got.end(), [](std::uint8_t g) { return g != 0; })) return reservation;
  }
  return reserve_addresses(0, span);
}

// Maps a segment without its first `skipped` bytes. `at`: its start, or nullptr. Returns the start.
char* map_one(const MemoryFile& memory, std::size_t offset, std::size_t bytes, std::size_t skipped,
              char* at) {
  if (at == nullptr && skipped != 0)
    at = reserve_addresses(0, bytes);  // so that nothing else is mapped there
  if (at != nullptr) at += skipped;
  offset += skipped;
  bytes -= skipped;
  void* p =
      ::mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | (at != nullptr ? MAP_FIXED : 0),
             memory.fd(), static_cast<off_t>(offset));
  if (p == MAP_FAILED) {
    char size[32];
    fatal_errno("cannot map a shared segment of %s (check ulimit -v); lower %s",
                format_size(bytes, size, sizeof size), client_api().segment_size_setting);
  }
  return static_cast<char*>(p) - skipped;
}

}  // namespace

bool SegmentMap::find(const Topology& t, const void* address, Slot* slot,
                      std::uint64_t* offset) const noexcept {
  const auto a = reinterpret_cast<std::uintptr_t>(address);
  const Slot first = t.window_group_first_slot();
  if (has_reservation) {
    const std::uintptr_t q = a - reservation_base;
    if ((q >> stride_bits) >= t.window_group_slots()) return false;
    *slot = first + static_cast<Slot>(q >> stride_bits);
    *offset = q & ((std::uint64_t{1} << stride_bits) - 1);
    return *offset < bytes;
  }
  for (Slot s = first; s < first + t.window_group_slots(); ++s) {
    if (a - mapped[s] < bytes) {
      *slot = s;
      *offset = a - mapped[s];
      return true;
    }
  }
  return false;
}

void add_null_access(SafeText& text, Slot slot, std::uint64_t offset, std::size_t null_bytes) noexcept {
  text.add("access through a null pointer-to-shared, at offset ").add_address(offset);
  text.add(" of the shared memory of UPC thread ").add_number(slot);
  text.add(", whose first ").add_number(null_bytes).add(" bytes hold no object");
}

std::string SegmentMap::why_refused(const Topology& t, std::uint64_t address) const {
  char buf[192];
  SafeText text(buf, sizeof buf);
  for (Slot s = t.my_first_slot(); s < t.my_first_slot() + t.my_slots(); ++s)
    if (address - remote[s] < null_bytes) add_null_access(text.add(": "), s, address - remote[s], null_bytes);
  return text.size() != 0 ? buf : ", outside this process's segment";
}

SegmentMap map_segments(Bootstrap& bootstrap, const Topology& t, const MemoryFile& memory, std::size_t bytes,
                        std::size_t null_bytes, unsigned stride_bits) {
  SegmentMap map;
  map.bytes = bytes;
  map.null_bytes = null_bytes;
  map.stride_bits = stride_bits;
  map.mapped.assign(t.slots() + SegmentMap::kBeyond, 0);

  // The largest window group of the job, so that all groups reserve equally much and can agree on the base.
  const std::uint64_t mine = t.window_group_slots();
  const Table table = bootstrap.gather(&mine, sizeof mine);
  const auto widths = table.of<std::uint64_t>();
  const std::size_t span = *std::max_element(widths.begin(), widths.end()) << stride_bits;

  char* reservation = agree_on_reservation(bootstrap, t, span);
  map.has_reservation = reservation != nullptr;
  if (reservation == nullptr && t.rank == 0) {
    char size[32];
    warn("cannot reserve %s of address space for shared memory (ulimit -v?): accesses take a slower path",
         format_size(span, size, sizeof size));
  }
  map.reservation_base = reinterpret_cast<std::uintptr_t>(reservation);

  // Where pages are larger than null_bytes these stay mapped, and only remote accesses are refused.
  const std::size_t skipped =
      null_bytes % static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) == 0 ? null_bytes : 0;
  const Slot first = t.window_group_first_slot(), slots = t.window_group_slots();
  const bool spread = reservation != nullptr && is_spread(memory, slots, bytes);
  if (spread) map_spread(memory, t, reservation, bytes, skipped, stride_bits);
  for (Slot s = first; s < first + slots; ++s) {
    char* at = reservation == nullptr ? nullptr : reservation + (std::size_t{s - first} << stride_bits);
    if (!spread) at = map_one(memory, segment_offset(memory, slots, s - first), bytes, skipped, at);
    map.mapped[s] = reinterpret_cast<std::uintptr_t>(at);
  }

  Slot most = 0;
  for (Rank r = 0; r < t.size; ++r) most = std::max(most, t.first_slot[r + 1] - t.first_slot[r]);
  std::vector<std::uint64_t> own(most);
  for (Slot k = 0; k < t.my_slots(); ++k) own[k] = map.mapped[t.my_first_slot() + k];
  Table addresses = bootstrap.gather(own.data(), most * sizeof own[0]);
  if (t.first_slot.is_regular(most)) {
    map.remote = SlotAddresses(std::move(addresses), t.slots());
    return map;
  }
  const auto all = addresses.of<std::uint64_t>();
  std::vector<std::uint64_t> remote;
  remote.reserve(t.slots());
  for (Rank r = 0; r < t.size; ++r)
    for (Slot s = t.first_slot[r]; s < t.first_slot[r + 1]; ++s)
      remote.push_back(all[std::size_t{r} * most + (s - t.first_slot[r])]);
  map.remote = SlotAddresses(std::move(remote));
  return map;
}

}  // namespace upcr
