// SPDX-License-Identifier: BSD-3-Clause
// Segments: the remotely accessible memory, one per slot, mapped into one range of addresses per process.
//
// A client may have the first bytes of each segment left out (null_bytes), to which its null pointers lead:
// they are not mapped, and peers' accesses to them are refused.
//
// For slots of the window group the address is
//   reservation_base + (slot - window_group_first_slot()) * 2^stride_bits + offset
//
// The range starts at a base that the host's processes agree on, so that an address in a neighbour's segment
// means the same everywhere; where that base is not free, each process has its own. When no range is free
// (ulimit -v) segments are mapped one by one: mapped[] has their addresses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/bootstrap/table.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr {

class Bootstrap;
class MemoryFile;
class SafeText;

// An address of each slot: read from what the bootstrap has gathered, which the processes of a host share, or
// of this process's own.
class SlotAddresses {
 public:
  SlotAddresses() = default;
  SlotAddresses(std::initializer_list<std::uint64_t> own) : own_(own) {}
  explicit SlotAddresses(std::vector<std::uint64_t> own) : own_(std::move(own)) {}
  // The first `count` of the table, which holds 64 bits for each slot.
  SlotAddresses(Table table, std::size_t count)
      : table_(std::make_shared<const Table>(std::move(table))),
        shared_(static_cast<const std::uint64_t*>(table_->data())),
        count_(count) {}
  // Memory that outlives this object.
  SlotAddresses(const std::uint64_t* memory, std::size_t count) : shared_(memory), count_(count) {}

  std::uint64_t operator[](Slot slot) const noexcept { return begin()[slot]; }
  std::size_t size() const noexcept { return shared_ != nullptr ? count_ : own_.size(); }
  const std::uint64_t* begin() const noexcept { return shared_ != nullptr ? shared_ : own_.data(); }
  const std::uint64_t* end() const noexcept { return begin() + size(); }

 private:
  std::vector<std::uint64_t> own_;
  std::shared_ptr<const Table> table_;
  const std::uint64_t* shared_ = nullptr;  // in the table, or elsewhere
  std::size_t count_ = 0;
};

struct UPCR_MODULE_API SegmentMap {
  // More entries of mapped[], behind the last slot's, all 0. Inlined accesses do not check a pointer's
  // thread, and a wrong one is often just beyond the last: no address there either, so the out-of-line path
  // names it.
  static constexpr Slot kBeyond = 1024;

  std::size_t bytes = 0;       // of each segment (the same for all), a page multiple
  std::size_t null_bytes = 0;  // of them, at the start: no object is there, and no access succeeds
  unsigned stride_bits = 0;
  bool has_reservation = false;         // false: use mapped[] only
  std::uintptr_t reservation_base = 0;  // address of slot window_group_first_slot()
  std::vector<std::uintptr_t> mapped;   // of each slot: its address here, or 0; kBeyond more
  SlotAddresses remote;                 // of each slot: its address in its own process

  // Does the part of a segment that holds objects contain [offset, offset + n)?
  bool holds(std::uint64_t offset, std::uint64_t n) const noexcept {
    return offset >= null_bytes && offset <= bytes && n <= bytes - offset;
  }
  // Do this process's slots hold [address, address + n)? Checked before an address from a peer is used.
  bool mine(const Topology& t, std::uint64_t address, std::size_t n) const noexcept {
    for (Slot s = t.my_first_slot(); s < t.my_first_slot() + t.my_slots(); ++s)
      if (holds(address - remote[s], n)) return true;
    return false;
  }
  // Why an address that mine() denies is refused: the end of an error message that has named the address.
  std::string why_refused(const Topology& t, std::uint64_t address) const;
  // The slot that a local address lies in and the offset there; false when it is in no mapped segment.
  UPCR_MODULE_API bool find(const Topology& t, const void* address, Slot* slot,
                            std::uint64_t* offset) const noexcept;
};

// Appends a description of an access within a segment's null_bytes. Async-signal-safe.
UPCR_MODULE_API void add_null_access(SafeText& text, Slot slot, std::uint64_t offset,
                                     std::size_t null_bytes) noexcept;

// Bytes that the machine and its cgroup can give to one process of this host; UINT64_MAX: not known.
UPCR_MODULE_API std::uint64_t available_memory();

// Maps the segments of the window group's slots. Collective; `bytes` and `null_bytes` are the same
// everywhere.
SegmentMap map_segments(Bootstrap& bootstrap, const Topology& topology, const MemoryFile& memory,
                        std::size_t bytes, std::size_t null_bytes, unsigned stride_bits);

}  // namespace upcr
