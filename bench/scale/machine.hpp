// SPDX-License-Identifier: BSD-3-Clause
// The interface between the simulator (time, networks, fibers) and the ranks (ranks.cpp and the product).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "conduits/core/model/am_packet.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr::scale {

enum class Op : std::uint8_t { kBarrier, kBroadcast, kReduce, kLock, kConnect, kCount };

// Functions that a rank calls, on its fiber (while it attaches: on the simulator's stack).
class Machine {
 public:
  // The packet is sent at the sender's time. False: there is no connection yet; one is being made.
  virtual bool send(Rank from, Rank to, const AmPacket& packet) = 0;
  // Calls deliver(context, arrival) with the next packet that has arrived by now. False: none has.
  virtual bool receive(Rank rank, void (*deliver)(void* context, const AmArrival& arrival),
                       void* context) = 0;
  virtual bool pending(Rank rank) const = 0;
  // The rank has completed its operation. It makes progress for the others until over().
  virtual void finish(Rank rank) = 0;
  virtual bool over() const = 0;
  // Until something arrives for the rank.
  virtual void sleep(Rank rank) = 0;

 protected:
  ~Machine() = default;
};

// Tables that every process of a job has, with equal contents that do not change after the start. All ranks
// share one copy: at 65,536 ranks, a copy for each would not fit in memory.
struct Tables {
  std::vector<std::uint64_t> remote;
  // Only the running rank's entry is not 0; the simulator sets it. SegmentMap::kBeyond zeros follow the
  // ranks'.
  std::vector<std::uintptr_t> mapped;
  // For each rank an entry of both.
  std::size_t bytes() const noexcept {
    return remote.size() * (sizeof(std::uint64_t) + sizeof(std::uintptr_t));
  }
};

inline constexpr std::size_t kSegment = 20 << 10;  // of each rank; the broadcast's block is at most a quarter

struct Plan {
  Machine* machine;
  Tables* tables;
  Rank size;
  std::size_t bytes;  // of a broadcast
};

// The memory that the processes of a host would share (libc.cpp). One piece for each rank.
class Memory {
 public:
  static constexpr std::size_t kPiece = std::size_t{8} << 20;
  explicit Memory(Rank ranks);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  char* piece(Rank rank) const noexcept { return base_ + rank * kPiece; }
  std::size_t touched(Rank rank) const;  // bytes, whole pages

 private:
  char* base_;
  std::size_t bytes_;
};

}  // namespace upcr::scale
