// SPDX-License-Identifier: BSD-3-Clause
// The counts of one UPC thread, as plain memory without pointers: they are sent to UPC thread 0 as they are.
// Times are in nanoseconds. RecordView::block() makes it.
//
// In memory: BlockHeader, Cell[cells], PairKind[pair_kinds], PairSize[pair_sizes], char[name_bytes] (strings,
// each with its 0).
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "upcr/observe/kinds.hpp"

namespace upcr::observe {

// Sizes from 2^(i-1) to 2^i - 1 are in the bucket i; 0 bytes in the bucket 0.
inline constexpr unsigned kBuckets = 42;
inline unsigned bucket_of(std::uint64_t bytes) noexcept {
  const auto i = static_cast<unsigned>(std::bit_width(bytes));
  return i < kBuckets ? i : kBuckets - 1;
}
inline std::uint64_t least_of_bucket(unsigned i) noexcept { return i == 0 ? 0 : std::uint64_t{1} << (i - 1); }

// Where the memory of an operation is: the thread's own, mapped into its process, or remote. kNone: it
// accesses none.
enum class Reach : unsigned { kNone, kLocal, kMapped, kRemote };

struct Counts {
  std::uint64_t count, bytes;
  std::uint64_t timed;                  // of `count`; the times of all are estimated from these
  std::uint64_t time, waited;           // spent inside; of it waiting for others
  std::uint64_t held;                   // locks: between acquisition and release
  std::uint64_t local, mapped, remote;  // how many of `count`
  std::array<std::uint64_t, kBuckets> sizes;
};

// The operations of one kind in one line.
struct Cell {
  Kind kind;
  std::uint32_t file;  // offset of its name; 0: the empty one, not known
  std::int32_t line;
  std::uint32_t unused;
  Counts counts;
};

// The operations of one kind on the memory of `thread`. Of messages: `writes`, to the process whose first UPC
// thread it is.
struct PairKind {
  std::uint32_t thread;
  Kind kind;
  std::uint64_t reads, read_bytes, writes, written_bytes;
  std::uint64_t time, waited;
};
// How many of all kinds' reads and writes have sizes of one bucket.
struct PairSize {
  std::uint32_t thread, bucket;
  std::uint64_t count;
};

inline constexpr std::uint64_t kBlockMagic = 0x3253544154535055u;  // "UPSTATS2"

struct BlockHeader {
  std::uint64_t magic;
  std::uint32_t thread, threads;
  std::uint32_t cells, name_bytes;
  std::uint32_t rank, ranks;
  std::uint32_t pair_kinds, pair_sizes;
  std::uint64_t duration;  // of the thread's program
  std::uint64_t lost;      // operations whose line found no cell: counted without it
  char host[64];
};

inline std::size_t block_bytes(const BlockHeader& h) noexcept {
  return sizeof(BlockHeader) + h.cells * sizeof(Cell) + h.pair_kinds * sizeof(PairKind) +
         h.pair_sizes * sizeof(PairSize) + h.name_bytes;
}

}  // namespace upcr::observe
