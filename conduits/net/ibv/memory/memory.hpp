// SPDX-License-Identifier: BSD-3-Clause
// What the devices may touch in this process, and by which keys the others are reached.
//
//   segments        every slot of this process, registered once with every device, for reading and writing by
//                   the peers. Their keys go to everybody at open().
//   private memory  of the program: pin() registers what one transfer needs, and keeps it registered for the
//                   next one (registration_cache.hpp).
// The conduit's own buffers are Slabs (slab.hpp).
//
// Registering pins pages: those of a segment that the program has not touched yet are populated by it, so an
// untouched heap costs what it is long. The kernel counts them against `ulimit -l`.
//
// Memory per peer: 4 bytes for each slot of the job and each device of a process.
//
// open() and close() on the main thread, both collective. The keys are constant in between, so any thread may
// ask for them. pin(), unpin(), reclaim_stale() and make_room(): any thread; they have a lock of their own.
#pragma once
#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/transport/conduit.hpp"
#include "conduits/net/ibv/device/device.hpp"
#include "conduits/net/ibv/memory/registration.hpp"

namespace upcr::ibv {

class Memory {
 public:
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // `devices` in the order of Device::index(). Memory that cannot be registered ends the job, and says why.
  // `later` bytes will be locked by others of the conduit: private memory leaves room for them, where the
  // limit of locked memory has that much.
  void open(std::span<Device* const> devices, const AttachInfo& info, const SegmentMap& segments,
            std::size_t later);
  // Nothing is under way any more, here and at the peers. What pin() gave has been given back.
  void close();

  // [at, at + bytes) lies in a segment of this process: its key.
  bool segment_key(const Device& device, const void* at, std::size_t bytes,
                   std::uint32_t* key) const noexcept {
    const Slot nth = own_slot(reinterpret_cast<std::uintptr_t>(at), bytes);
    if (nth == kNone) return false;
    *key = local_keys_[nth * devices_.size() + device.index()];
    return true;
  }

  // The key by which `rank` is reached through its device number `remote_device` (Connection::remote_device).
  // *inside is false, and the result means nothing, when the range does not lie in one of its segments.
  std::uint32_t remote_key(Rank rank, std::uint64_t address, std::size_t bytes, unsigned remote_device,
                           bool* inside) const noexcept {
    const Topology& t = *topology_;
    for (Slot s = t.first_slot[rank]; s < t.first_slot[rank + 1]; ++s) {
      if (lies_in(address, bytes, segments_->remote[s])) {
        *inside = true;
        return remote_keys_[std::size_t{s} * most_devices_ + remote_device];
      }
    }
    *inside = false;
    return 0;
  }
  // Some 8 bytes of `rank`'s memory that may be read at any time: what flushes writes on iWARP.
  bool readable_word(Rank rank, unsigned remote_device, std::uint64_t* address,
                     std::uint32_t* key) const noexcept;

  // Private memory for one transfer: `key` of the result is good until unpin(). Nullptr: it cannot be
  // registered now (no room, all in use) or at all; take a bounce buffer. The program does not free, unmap or
  // discard the memory before the transfer is over; if it does, the transfer moves the pages that were there.
  // A miss registers, which takes system calls. A hit takes one, which asks the kernel whether a change is
  // under way (unmap_watch.hpp), unless the memory is a segment's of a neighbour.
  Registration* pin(const Device& device, const void* at, std::size_t bytes, Use use);
  void unpin(Registration* registration);
  // Gives back what the program has unmapped meanwhile; some loads when there is nothing. For whoever polls,
  // and before a sleep.
  void reclaim_stale();
  // Locked memory has run out for something that the conduit cannot do without: gives back all private memory
  // that is not in use, or waits for some that is. False: there is none. Not from the thread that polls.
  bool make_room();

  // "up to 1 GB of private memory stay registered", for Conduit::describe(); empty without private memory.
  std::string describe() const;

 private:
  static constexpr Slot kNone = ~Slot{0};
  struct Private;

  bool lies_in(std::uint64_t address, std::size_t bytes, std::uint64_t segment) const noexcept {
    return segments_->holds(address - segment, bytes);
  }
  // Which of this process's slots, from 0.
  Slot own_slot(std::uintptr_t address, std::size_t bytes) const noexcept {
    const Topology& t = *topology_;
    for (Slot s = t.my_first_slot(); s < t.my_first_slot() + t.my_slots(); ++s)
      if (lies_in(address, bytes, segments_->mapped[s])) return s - t.my_first_slot();
    return kNone;
  }
  void register_segments();
  void spread_keys(Bootstrap& bootstrap);
  void open_private(std::size_t later);
  void close_private();

  const Topology* topology_ = nullptr;
  const SegmentMap* segments_ = nullptr;
  std::vector<Device*> devices_;
  std::vector<ibv_mr*> regions_;            // own slots x devices; null for an empty segment
  std::vector<std::uint32_t> local_keys_;   // likewise
  std::vector<std::uint32_t> remote_keys_;  // slots of the job x most_devices_
  std::size_t most_devices_ = 0;
  std::unique_ptr<Private> private_;
};

}  // namespace upcr::ibv
