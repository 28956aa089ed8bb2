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

#include "conduits/core/base/system/visibility.hpp"
#include "conduits/core/model/completion.hpp"
#include "conduits/core/model/topology.hpp"

namespace upcr {

struct Job;

enum class AtomType : std::uint8_t {
  kU32,
  kI32,
  kU64,
  kI64,
  kFloat,
  kDouble,
  kPair,  // 16 bytes: kGet, kSet, kSwap, kCas, which compares all but the last 4 bytes, and kMaskedCas, which
          // compares all but the first 4
};

enum class AtomOp : std::uint8_t {
  kGet,
  kSet,
  kSwap,
  kCas,         // a expected, b new; floating point compares bits
  kMaskedCas,   // 64 bits; a.low expected, a.high the bits to compare, b.low new (kPair: above)
  kMaskedSwap,  // a.low which bits to write, b.low the value; integers
  kAdd,
  kMult,
  kMin,
  kMax,
  kAnd,  // integers, and so on
  kOr,
  kXor,
};

// An operand or a result: the object's bytes, from low's lowest on.
struct AtomWord {
  std::uint64_t low = 0, high = 0;
};

constexpr std::size_t size_of(AtomType t) noexcept {
  return t == AtomType::kPair                                                  ? 16
         : t == AtomType::kU32 || t == AtomType::kI32 || t == AtomType::kFloat ? 4
                                                                               : 8;
}

// The operation as a CPU does it, at the object's address here. Returns what was there before. Sequentially
// consistent. Any thread, handlers too.
UPCR_MODULE_API AtomWord atomic_here(void* address, AtomType type, AtomOp op, AtomWord a,
                                     AtomWord b) noexcept;

// The same at an address of another process, by message. *old (may be null) receives what was there before.
UPCR_MODULE_API void rma_atomic(Rank at, std::uint64_t raddr, AtomType type, AtomOp op, AtomWord a,
                                AtomWord b, AtomWord* old, Pending& done);

// At attach: the locks, before the host's memory is created; the handlers, before the first message.
void plan_atomics(Job& job);
void attach_atomics(Job& job);

}  // namespace upcr
