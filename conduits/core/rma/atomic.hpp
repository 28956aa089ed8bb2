// SPDX-License-Identifier: BSD-3-Clause
// Atomic operations on objects of 4, 8 and 16 bytes, integers and floating point, for all users: locks and
// heaps of the runtime, atomic domains, bupc_atomic*, upcr_lock_swap.
//
// A CPU of the owner's host executes an operation: on a thread that has the object mapped, or in a handler of
// the owner; or the network does, if that is coherent with the CPUs (Caps::amo64). So all operations of up to
// 8 bytes on one object are atomic with respect to each other and to the CPU's own. Operations without an
// instruction are a compare-and-swap loop on that CPU, never across the network. Objects of 16 bytes are read
// and written under a lock in the host's memory: atomic with respect to each other.
//
// Objects are aligned to their size, 16 bytes to 8. Not from a handler, but for Atomics::here().
#pragma once
#include <cstdint>

#include "conduits/core/am/engine.hpp"
#include "conduits/core/memory/memory_file.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/core/model/atomic_op.hpp"
#include "conduits/core/model/completion.hpp"
#include "conduits/core/model/topology.hpp"
#include "conduits/core/progress/progress.hpp"
#include "conduits/core/transport/conduit.hpp"

namespace upcr {

class Atomics {
 public:
  Atomics() = default;
  Atomics(const Atomics&) = delete;
  Atomics& operator=(const Atomics&) = delete;

  // At attach. The locks, before the window group's memory is created; then the handlers, before the first
  // message. The arguments outlive this object.
  void plan(MemoryFile& memory);
  void attach(Conduit& conduit, AmEngine& engine, ProgressEngine& progress, const MemoryFile& memory,
              const Topology& topology, const SegmentMap& segments);

  // Executes the operation on this CPU, at the object's address here. Returns the old value. Sequentially
  // consistent. Any thread, handlers too.
  AtomWord here(void* address, AtomType type, AtomOp op, AtomWord a, AtomWord b) const noexcept;

  // The same at an address of another process (or of this one), by the network or by message. Counts in
  // `done`; *old (may be null) receives the old value.
  void start(Rank at, std::uint64_t raddr, AtomType type, AtomOp op, AtomWord a, AtomWord b, AtomWord* old,
             Pending& done);

 private:
  struct PairLock;
  static void on_request(AmToken& token, const std::uint32_t* args, unsigned nargs, void*, std::size_t,
                         void* self);
  bool start_on_network(Rank at, std::uint64_t raddr, AtomType type, AtomOp op, AtomWord a, AtomWord b,
                        AtomWord* old, Pending& done);
  AtomWord on_pair(void* address, AtomOp op, AtomWord a, AtomWord b) const noexcept;

  MemoryFile::Area area_;
  PairLock* pair_locks_ = nullptr;
  Conduit* conduit_ = nullptr;
  AmEngine* engine_ = nullptr;
  ProgressEngine* progress_ = nullptr;
  const Topology* topology_ = nullptr;
  const SegmentMap* segments_ = nullptr;
};

}  // namespace upcr
