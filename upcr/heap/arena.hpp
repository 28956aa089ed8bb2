// SPDX-License-Identifier: BSD-3-Clause
// Arena: the metadata of one heap, kept outside the memory that it allocates. A TLSF allocator (Masmano,
// Ripoll, Crespo, Real: TLSF, a new dynamic memory allocator for real-time systems, ECRTS 2004) whose block
// headers are out of band. It never reads or writes that memory, calls nothing and waits for nothing, so a
// message handler may use it.
//
// Memory is counted in granules of 64 bytes (more in segments of 32 GiB and up), numbered from the start of
// the segment. There is one 16-byte header for each granule; that of a block's first granule describes the
// block, those inside a block are zero. So an address leads to its block without a search, and a pointer
// that is not the start of a block is recognised. Free blocks are merged at once with free neighbours and
// kept in lists by size class, 32 classes for each power of two. Every operation takes constant time, except
// an exhaustive search before the heap is extended and the description of a bad pointer for a message.
//
// An arena lies in the host's control memory and holds no addresses: any process of the host may use it,
// under lock(). The headers behind it are sparse: 16 bytes are touched per block, 4 KiB at most per 16 KiB of
// heap.
#pragma once
#include <cstddef>
#include <cstdint>

#include "conduits/core/base/system/spinlock.hpp"

namespace upcr {

// Heaps grow and shrink by whole pages.
inline constexpr std::uint64_t kHeapPage = 4096;

// The purpose of a block. kFree: it is not allocated. kNone: no block. kStatic: a static shared object, which
// lives until the job ends.
enum class BlockUse : std::uint32_t { kNone = 0, kFree = 1, kData = 2, kLock = 3, kRuntime = 4, kStatic = 5 };

struct ArenaInfo {
  std::uint64_t begin = 0, end = 0;  // offsets of the arena's memory
  std::uint64_t used = 0, free = 0;
  std::uint64_t largest = 0;  // free block
  std::uint64_t objects = 0;
  std::uint64_t peak = 0;       // the highest `used` so far
  std::uint64_t edge_free = 0;  // of the free bytes those of the block at the growing edge
};

struct ArenaBlock {
  BlockUse use = BlockUse::kNone;
  std::uint64_t offset = 0, bytes = 0;
};

struct Allocation {
  std::uint64_t offset = 0;    // of the block; 0: none was found
  std::uint64_t shortage = 0;  // then: the bytes by which the arena must be extended for the block to fit,
                               // whole pages; ~0: no arena can have a block of this size
};

class alignas(64) Arena {
 public:
  enum class Grows : std::uint32_t { kUp, kDown };

  // Bytes of the arena and its headers, for a segment of this size.
  static std::size_t footprint(std::size_t segment_bytes);

  // Makes an arena in zero-filled memory. It is empty and grows from `offset` on.
  void init(std::size_t segment_bytes, std::uint64_t offset, Grows grows) noexcept;
  bool ready() const noexcept { return shift_ != 0; }

  // To be held around everything below.
  SpinLock& lock() noexcept { return lock_; }

  // Allocates a block of at least this size, after a bounded search: a block that is a few percent larger may
  // be overlooked among very many.
  Allocation allocate(std::uint64_t bytes, BlockUse use) noexcept;
  // Extends the arena by `added` (0: not at all), then allocates such a block if there is one anywhere.
  // Returns its offset or 0.
  std::uint64_t extend_and_allocate(std::uint64_t added, std::uint64_t bytes, BlockUse use) noexcept;
  // Frees the block that starts at `offset` and is used for `use`. Returns the block at `offset`, of which
  // one of the two may not be true: then nothing is freed.
  ArenaBlock release(std::uint64_t offset, BlockUse use) noexcept;

  // The block that contains `offset`, allocated or free; at once if it starts there, else after a walk
  // through the whole arena.
  ArenaBlock starting_at(std::uint64_t offset) const noexcept;

  // Adds this much, whole granules, at the growing edge.
  void extend(std::uint64_t bytes) noexcept;
  // Removes the free pages at the growing edge; returns how many bytes that were.
  std::uint64_t trim() noexcept;

  std::uint64_t begin() const noexcept { return std::uint64_t{begin_} << shift_; }
  std::uint64_t end() const noexcept { return std::uint64_t{end_} << shift_; }
  std::uint64_t used() const noexcept { return used_ << shift_; }
  ArenaInfo info() const noexcept;
  // Checks every invariant; for tests.
  bool consistent() const noexcept;

 private:
  using Granule = std::uint32_t;
  static constexpr Granule kNone = ~Granule{0};
  static constexpr unsigned kUseBits = 3, kMinShift = 6;
  static constexpr unsigned kSecondBits = 5, kSecond = 1u << kSecondBits;
  static constexpr unsigned kFirst = 32 - kUseBits - kSecondBits + 1;
  static constexpr unsigned kBoundedSearch = 32;

  struct Header {
    std::uint32_t size_use;  // granules << kUseBits | BlockUse; 0: no block starts here
    Granule previous;        // the block before this one in memory, or kNone
    Granule next_free, previous_free;
  };
  static_assert(sizeof(Header) == 16);

  struct Class {
    unsigned first, second;
  };

  Header& at(Granule g) noexcept { return headers()[g]; }
  const Header& at(Granule g) const noexcept { return headers()[g]; }
  Header* headers() noexcept { return reinterpret_cast<Header*>(this + 1); }
  const Header* headers() const noexcept { return reinterpret_cast<const Header*>(this + 1); }
  static Granule size(const Header& h) noexcept { return h.size_use >> kUseBits; }
  static BlockUse use(const Header& h) noexcept { return BlockUse{h.size_use & ((1u << kUseBits) - 1)}; }
  bool is_free(Granule g) const noexcept { return use(at(g)) == BlockUse::kFree; }
  Granule granules(std::uint64_t bytes) const noexcept;
  static unsigned shift_for(std::size_t segment_bytes) noexcept;
  ArenaBlock block(Granule g) const noexcept;

  static Class class_of(Granule size) noexcept;
  enum class Search { kBounded, kExhaustive };
  Granule find_fit(Granule size, Search search) noexcept;
  std::uint64_t allocate_in(Granule found, Granule size, BlockUse use) noexcept;
  std::uint64_t shortage(Granule size) const noexcept;
  ArenaBlock containing(std::uint64_t offset) const noexcept;
  void set_block(Granule g, Granule size, BlockUse use, Granule previous) noexcept;
  void link_free(Granule g) noexcept;
  void unlink_free(Granule g) noexcept;
  void add_free(Granule g, Granule size, Granule previous) noexcept;
  Granule edge_block() const noexcept;  // the block at the growing edge if it is free, else kNone

  SpinLock lock_;
  std::uint32_t shift_;  // log2 of the granule's bytes; 0 before init()
  Grows grows_;
  Granule begin_, end_;        // the arena's memory
  Granule last_;               // the block that ends at end_; kNone when empty
  std::uint64_t used_, peak_;  // granules
  std::uint64_t objects_;
  std::uint32_t first_map_;           // which powers of two have free blocks
  std::uint32_t second_map_[kFirst];  // which size classes of each
  Granule heads_[kFirst][kSecond];    // free lists; valid where the maps say so
};

}  // namespace upcr
