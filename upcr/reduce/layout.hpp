// SPDX-License-Identifier: BSD-3-Clause
// The block-cyclic distribution of a shared array. Blocks are assigned round robin from the thread of the
// first element on; that thread is *rank* 0 here, and ranks are threads in the order of the array. Row k is
// the k-th block of every rank. A rank's blocks are contiguous in its memory, so its elements are one run.
// Arithmetic only; any thread.
#pragma once
#include <algorithm>
#include <cstdint>

#include "conduits/core/model/topology.hpp"

namespace upcr::coll {

class Layout {
 public:
  // `phase` < `block`; block 0 is the indefinite one.
  Layout(Slot threads, Slot first, std::uint64_t phase, std::uint64_t block, std::uint64_t elements)
      : threads_(threads), first_(first), elements_(elements) {
    // A block larger than the array is cut to the array's size, so that products below do not overflow.
    const bool one = block == 0 || (elements <= block && phase <= block - elements);
    phase_ = block == 0 ? 0 : phase;
    block_ = one ? std::max<std::uint64_t>(phase_ + elements, 1) : block;
    blocks_ = elements == 0 ? 0 : (phase_ + elements - 1) / block_ + 1;
  }

  Slot threads() const { return threads_; }
  std::uint64_t elements() const { return elements_; }
  std::uint64_t block() const { return block_; }
  std::uint64_t blocks() const { return blocks_; }
  std::uint64_t rows() const { return (blocks_ + threads_ - 1) / threads_; }
  // The ranks that have elements are 0 .. ranks() - 1.
  Slot ranks() const { return static_cast<Slot>(std::min<std::uint64_t>(threads_, blocks_)); }
  Slot thread_of(Slot rank) const { return static_cast<Slot>((std::uint64_t{first_} + rank) % threads_); }
  Slot rank_of(Slot thread) const { return thread >= first_ ? thread - first_ : thread + threads_ - first_; }

  // Blocks of a rank.
  std::uint64_t rows_of(Slot rank) const { return (blocks_ + threads_ - 1 - rank) / threads_; }
  // The number of a rank's elements before element `end` of the array, and in all; the first one in row
  // `row`.
  std::uint64_t count_below(Slot rank, std::uint64_t end) const {
    const std::uint64_t at = end + phase_, round = block_ * threads_, left = at % round;
    const std::uint64_t before = rank * block_;
    const std::uint64_t partial = left <= before ? 0 : std::min(left - before, block_);
    return at / round * block_ + partial - (rank == 0 ? phase_ : 0);
  }
  std::uint64_t count(Slot rank) const { return count_below(rank, elements_); }
  std::uint64_t row_begin(Slot rank, std::uint64_t row) const {
    const std::uint64_t at = row * block_;
    return rank != 0 ? std::min(at, count(rank)) : row == 0 ? 0 : std::min(at - phase_, count(rank));
  }

  // The block of a rank in row `row`, as a range of elements of the array, perhaps empty. The row of element
  // `at`.
  std::uint64_t block_begin(Slot rank, std::uint64_t row) const {
    const std::uint64_t at = (row * threads_ + rank) * block_;
    return at <= phase_ ? 0 : std::min(at - phase_, elements_);
  }
  std::uint64_t block_end(Slot rank, std::uint64_t row) const {
    return std::min((row * threads_ + rank + 1) * block_ - phase_, elements_);
  }
  std::uint64_t row_of(std::uint64_t at) const { return (at + phase_) / block_ / threads_; }

  // The offset of a rank's run in its segment, for an array that begins at byte `offset` of rank 0's segment.
  std::uint64_t run_offset(Slot rank, std::uint64_t offset, std::size_t element_bytes) const {
    if (rank == 0 || rank >= ranks()) return offset;
    const bool wrapped = rank >= threads_ - first_;  // the next row of addresses
    return offset - phase_ * element_bytes + (wrapped ? block_ * element_bytes : 0);
  }

 private:
  Slot threads_, first_;
  std::uint64_t phase_, block_, elements_, blocks_;
};

}  // namespace upcr::coll
