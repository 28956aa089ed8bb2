// SPDX-License-Identifier: BSD-3-Clause
// The two sides of a transfer as streams of bytes: byte i of the memory stream goes to or comes from byte i
// of the file stream. Both are lists of extents; a contiguous transfer has one of each.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "upcr/pointer/pointer.hpp"

namespace upcr {

// [begin, end) of a stream.
struct ByteRange {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t bytes() const noexcept { return end - begin; }
};

struct FileExtent {
  ByteRange at;  // in the stream
  std::uint64_t offset;
};

class FileStream {
 public:
  // Empty ones are dropped, and one that continues the last is joined to it.
  void add(std::uint64_t offset, std::uint64_t bytes);
  std::uint64_t bytes() const noexcept { return extents_.empty() ? 0 : extents_.back().at.end; }
  const std::vector<FileExtent>& extents() const noexcept { return extents_; }
  // The first extent that reaches beyond this position.
  std::size_t find(std::uint64_t position) const noexcept;

 private:
  std::vector<FileExtent> extents_;
};

// A part of a blocked array that is contiguous in the stream and in one thread's memory.
struct SharedPiece {
  SharedAddr address;
  std::uint64_t bytes;  // up to the block's end
};

struct MemRegion {
  ByteRange at;             // in the stream
  char* local = nullptr;    // private memory; nullptr: shared
  SharedAddr base{};        // where its first block begins (which may be before its first byte)
  std::uint64_t phase = 0;  // bytes from there to its first byte
  std::uint64_t block = 0;  // bytes; 0: all on one thread

  // Position `q` counts from the beginning of the region.
  SharedPiece piece(std::uint64_t q) const noexcept;
  std::uint64_t block_of(std::uint64_t q) const noexcept { return block == 0 ? 0 : (q + phase) / block; }
  // Where block number `k` begins, as a position; the first one may begin before 0.
  std::int64_t block_begin(std::uint64_t k) const noexcept {
    return static_cast<std::int64_t>(k * block) - static_cast<std::int64_t>(phase);
  }
};

class MemStream {
 public:
  void add_local(void* address, std::uint64_t bytes);
  // `phase` < `block`, or both 0.
  void add_shared(SharedAddr address, std::uint64_t phase, std::uint64_t block, std::uint64_t bytes);
  std::uint64_t bytes() const noexcept { return regions_.empty() ? 0 : regions_.back().at.end; }
  const std::vector<MemRegion>& regions() const noexcept { return regions_; }
  std::size_t find(std::uint64_t position) const noexcept;

 private:
  std::vector<MemRegion> regions_;
};

// One thread's share of a transfer: `piece` bytes at first, first + stride, ... up to `end`.
struct Share {
  std::uint64_t first = 0, piece = 0, stride = 0, end = 0;
  static Share whole(std::uint64_t bytes) { return {0, bytes, bytes, bytes}; }
  // Calls f(ByteRange) for each part, none of them empty, until it returns false.
  template <typename F>
  void each(F&& f) const {
    if (piece == 0) return;
    for (std::uint64_t at = first; at < end; at += stride) {
      if (!f(ByteRange{at, std::min(at + piece, end)})) return;
      if (stride == 0 || end - at <= stride) return;
    }
  }
};

// The share of thread `me` of `threads` in a transfer to or from `region`, the only one, that all do
// together: its own blocks if they are large, else an equal part of the file.
Share share_of(const MemRegion& region, Slot me, Slot threads);

}  // namespace upcr
