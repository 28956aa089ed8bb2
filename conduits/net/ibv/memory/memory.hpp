// SPDX-License-Identifier: BSD-3-Clause
// Registered memory: what the devices may access in this process, and the keys of the peers' segments.
//
//   segments        of every slot of this process, registered once with every device, for reading and
//                   writing by the peers. All processes get their keys at open().
//   private memory  of the program: pin() registers what one transfer needs, and keeps it registered for the
//                   next one (registration_cache.hpp).
// The conduit's own buffers are Slabs (slab.hpp).
//
// Registration pins pages, and populates those that the program has not touched yet, so an untouched heap
// takes as much memory as a full one. The kernel counts them against `ulimit -l`.
//
// Memory per peer: 4 bytes for each slot of the job and each device of a process.
//
// Threads: open() and close() on the main thread, both collective. The keys are constant in between, for any
// thread. pin(), unpin(), reclaim_stale() and make_room(): any thread; they have a lock of their own.
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

  // `devices`: in the order of Device::index(). Memory that cannot be registered ends the job with the
  // reason. `later`: bytes that other parts of the conduit will lock; private memory leaves room for them, if
  // the limit of locked memory allows that much.
  void open(std::span<Device* const> devices, const AttachInfo& info, const SegmentMap& segments,
            std::size_t later);
  // No operation is in progress any more, here and at the peers, and everything is unpinned.
  void close();

  // The key of [at, at + bytes) if it lies in a segment of this process; else false.
  bool segment_key(const Device& device, const void* at, std::size_t bytes,
                   std::uint32_t* key) const noexcept {
    const Slot nth = own_slot(reinterpret_cast<std::uintptr_t>(at), bytes);
    if (nth == kNone) return false;
    *key = local_keys_[nth * devices_.size() + device.index()];
    return true;
  }

  // The key of a range in a segment of `rank`, for its device number `remote_device`
  // (Connection::remote_device). *inside is false, and the result undefined, if the range lies in none.
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
  // So many bytes of `rank`'s memory that may be read at any time: by reads that flush writes on iWARP.
  bool readable_bytes(Rank rank, unsigned remote_device, std::size_t bytes, std::uint64_t* address,
                      std::uint32_t* key) const noexcept;

  // Registers private memory for one transfer: `key` of the result is valid until unpin(). Null: it cannot be
  // registered now (no room, all entries in use) or at all; use a bounce buffer. The program must not free,
  // unmap or discard the memory before the transfer is complete; if it does, the transfer uses the pages that
  // were there. A miss registers, which takes system calls. A hit takes one
  // with userfaultfd, which asks the kernel whether a change is in progress (userfaultfd_watch.hpp), unless
  // the memory is a segment of a neighbour.
  Registration* pin(const Device& device, const void* at, std::size_t bytes, Use use);
  void unpin(Registration* registration);
  // Deregisters what the program has unmapped meanwhile; a few loads if there is nothing. To be called by
  // poll(), and before a sleep.
  void reclaim_stale();
  // Locked memory has run out for something that the conduit needs: deregisters all private memory that is
  // not in use, or waits for some that is. False: there is none. Not on the thread that polls.
  bool make_room();

  // "up to 1 GB of private memory stay registered", for Conduit::describe(); empty without private memory.
  std::string describe() const;

 private:
  static constexpr Slot kNone = ~Slot{0};
  struct Private;

  bool lies_in(std::uint64_t address, std::size_t bytes, std::uint64_t segment) const noexcept {
    return segments_->holds(address - segment, bytes);
  }
  // The slot of this process, from 0, in whose segment the range lies.
  Slot own_slot(std::uintptr_t address, std::size_t bytes) const noexcept {
    const Topology& t = *topology_;
    for (Slot s = t.my_first_slot(); s < t.my_first_slot() + t.my_slots(); ++s)
      if (lies_in(address, bytes, segments_->mapped[s])) return s - t.my_first_slot();
    return kNone;
  }
  void register_segments();
  void exchange_keys(Bootstrap& bootstrap);
  void open_private(std::size_t later);
  void close_private();

  const Topology* topology_ = nullptr;
  const SegmentMap* segments_ = nullptr;
  std::vector<Device*> devices_;
  std::vector<ibv_mr*> regions_;           // own slots x devices; null for an empty segment
  std::vector<std::uint32_t> local_keys_;  // likewise
  Table key_table_;                        // what remote_keys_ names, where slots are regular: one a host
  std::vector<std::uint32_t> own_keys_;    // where they are not
  std::span<const std::uint32_t> remote_keys_;  // slots of the job x most_devices_
  std::size_t most_devices_ = 0;
  std::unique_ptr<Private> private_;
};

}  // namespace upcr::ibv
