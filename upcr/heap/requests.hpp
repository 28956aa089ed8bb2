// SPDX-License-Identifier: BSD-3-Clause
// The requests to the heaps and their replies, a struct each. A thread's local heap is managed on its host,
// the global heap on thread 0's; `home` is the thread there. serve() in service.hpp carries a request out,
// heap_call() in call.hpp gets it there. The structs travel as the arguments of active messages: words of 32
// and 64 bits without gaps.
#pragma once
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "conduits/core/model/topology.hpp"
#include "upcr/heap/arena.hpp"

namespace upcr {

enum class HeapKind : std::uint32_t { kLocal, kGlobal };

// May memory be added to the heap for an object that does not fit into what the heap has?
enum class HeapGrowth : std::uint32_t { kForbidden, kAllowed };

enum class AllocateStatus : std::uint32_t {
  kAllocated,
  kShort,  // the heap lacks `shortage` bytes. Global, growth allowed: the caller owns the extension now,
           // which moves the heap's beginning on every thread and ends with EndExtension
  kBusy,   // global: another thread owns the extension; to be tried again
  kFull,   // no extension helps, or the heap could not be extended
};
struct AllocateReply {
  AllocateStatus status;
  std::uint32_t unused;
  std::uint64_t offset;    // kAllocated
  std::uint64_t shortage;  // kShort
};

// From a local heap. Growth allowed: the heap is extended where it must be, and never kShort or kBusy.
struct AllocateLocal {
  using Reply = AllocateReply;
  Slot home;
  BlockUse use;
  std::uint64_t bytes;
  HeapGrowth growth;
  std::uint32_t unused;
};
struct AllocateGlobal {
  using Reply = AllocateReply;
  std::uint64_t bytes;
  BlockUse use;
  HeapGrowth growth;
};

// Adds `preferred` bytes to a local heap, or else `needed`; whole pages.
struct ExtendLocal {
  struct Reply {
    std::uint64_t begin;  // of the added bytes; 0: nothing could be added
  };
  Slot home;
  std::uint32_t unused;
  std::uint64_t needed, preferred;
};

// Returns the free pages at a local heap's end to the segment.
struct TrimLocal {
  struct Reply {
    std::uint64_t bytes;  // how many that were
  };
  Slot home;
};

// Asks for the extension of the global heap, unconditionally.
struct BeginExtension {
  struct Reply {
    std::uint32_t granted;  // 1; 0: another thread owns it, try again
    std::uint32_t unused;
    std::uint64_t begin;  // of the global heap
  };
};

// Ends the extension: `added` bytes are the global heap's now, from which `bytes` are allocated (0: none).
struct EndExtension {
  struct Reply {
    std::uint64_t offset;  // 0: no memory for the object
    std::uint64_t begin;   // of the global heap
  };
  std::uint64_t added, bytes;
  BlockUse use;
  std::uint32_t unused;
};

// Takes the free pages at its beginning off the global heap. kTrimmed: the caller owns the extension; it
// returns the pages on every thread and sends EndExtension.
struct TrimGlobal {
  enum class Status : std::uint32_t { kTrimmed, kNothing, kBusy };
  struct Reply {
    Status status;
    std::uint32_t unused;
    std::uint64_t bytes;
  };
};

// Frees what was allocated for `use`.
struct ReleaseBlock {
  enum class Status : std::uint32_t {
    kFreed,
    kLockInUse,        // the lock is closed, but its memory stays: `last_node` is the last in its queue
    kOtherBlock,       // not the start of a block, or of another use: `found` says what is there
    kInteriorPointer,  // the part of a global object on a thread other than 0
    kNotInHeap
  };
  struct Reply {
    Status status;
    BlockUse found_use;
    std::uint64_t found_offset, found_bytes;
    std::uint64_t last_node;  // packed address
  };
  Slot home;
  BlockUse use;
  std::uint64_t offset;
};

// The block that starts at `offset`.
struct FindBlock {
  struct Reply {
    BlockUse use;  // kNone: no allocated block starts there
    HeapKind heap;
    std::uint64_t bytes;
  };
  Slot home;
  std::uint32_t unused;
  std::uint64_t offset;
};

// How much of a heap is in use.
struct MeasureHeap {
  struct Reply {
    std::uint64_t edge;  // offset where the heap grows: a local heap's end, the global heap's beginning
    std::uint64_t used, peak, largest, objects, edge_free;  // as in ArenaInfo
  };
  Slot home;
  HeapKind heap;
};

// A request's number in messages is its place here.
using HeapRequests = std::tuple<AllocateLocal, AllocateGlobal, ExtendLocal, TrimLocal, BeginExtension,
                                EndExtension, TrimGlobal, ReleaseBlock, FindBlock, MeasureHeap>;

// The thread whose host manages the heap of a request.
template <typename Request>
constexpr Slot home_of([[maybe_unused]] const Request& r) noexcept {
  if constexpr (requires { r.home; })
    return r.home;
  else
    return 0;  // a request that only the global heap has
}

template <typename Request, std::size_t I = 0>
constexpr std::uint32_t heap_request_number() {
  if constexpr (std::is_same_v<Request, std::tuple_element_t<I, HeapRequests>>)
    return I;
  else
    return heap_request_number<Request, I + 1>();
}

}  // namespace upcr
