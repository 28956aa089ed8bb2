// SPDX-License-Identifier: BSD-3-Clause
// Reductions that must keep the order of the elements of a block-cyclic array: prefix reductions, and plain
// ones whose function does not commute. This order passes all threads once for every row of blocks, so the
// unit is the partial result of a block. Rows are processed in chunks, which bounds the scratch memory for
// any number of blocks. Two algorithms:
//   rows       threads combine vectors with one entry for each row, by tree or scan: few messages
//   transpose  each thread receives the results of all blocks of some neighbouring rows and combines them
//   alone:
//              each result is sent once (and, for prefixes, back)
// Called by the ranks of the layout that have elements, inside a collective call.
#pragma once
#include "upcr/reduce/layout.hpp"
#include "upcr/reduce/ranks.hpp"

namespace upcr::coll {

struct OrderedMethod {
  bool transpose;
  std::size_t chunk_rows;  // above 0
  Slot radix;              // of trees
};

class Ordered {
 public:
  // `ranks`: those of the layout, all that have elements.
  Ordered(Ranks& ranks, const ReduceOp& op, const Layout& layout, const OrderedMethod& method);

  // `run`: this rank's elements. The result is stored at rank 0 only.
  void reduce(const char* run, void* result);
  // `out`: this rank's part of the result; may be `run`.
  void prefix(const char* run, char* out);

 private:
  // The rows [row, row + shape.entries); later ranks may have no block in the last one.
  struct Chunk {
    std::uint64_t row;
    Shape shape;
    bool last;
    std::size_t entries(Slot rank) const { return shape.of(rank); }
  };
  template <typename Step>
  void for_chunks(Step&& step);
  // Calls step(i, from, to) with the elements of this rank in row chunk.row + i.
  template <typename Step>
  void for_blocks(const Chunk& chunk, Step&& step) const;
  // Stores in partials_[i] the partial result of this rank's block in row i of the chunk.
  void fold_blocks(const Chunk& chunk, const char* run);

  void reduce_rows(const Chunk& chunk, char* result);
  void reduce_transposed(const Chunk& chunk, char* result);
  // Store in before_[i] the result of all elements before this rank's block in row i; nothing for the first
  // block of the array.
  void prefix_rows(const Chunk& chunk);
  void prefix_transposed(const Chunk& chunk);

  // transpose: rank j has a share of the chunk, its rows [j * share, (j + 1) * share). The number of results
  // of `rank` in the share of `owner`; of all results in it; of ranks that have a share.
  std::size_t share(const Chunk& chunk) const { return (chunk.shape.entries + count_ - 1) / count_; }
  std::size_t piece_of_share(const Chunk& chunk, Slot rank, Slot owner) const;
  std::size_t entries_of_share(const Chunk& chunk, Slot owner) const;
  Slot shares(const Chunk& chunk) const {
    return static_cast<Slot>((chunk.shape.entries - 1) / share(chunk) + 1);
  }
  // Gathers in box_ this rank's share of all partials_, in the order of the elements; scatters box_ to the
  // before_ of all.
  void to_shares(const Chunk& chunk);
  void from_shares(const Chunk& chunk);

  char* at(char* vector, std::size_t i) const { return vector + i * op_.bytes; }

  Ranks& ranks_;
  const ReduceOp& op_;
  const Layout& layout_;
  const OrderedMethod method_;
  const Slot me_, count_;
  const std::size_t rows_;        // of a chunk at most
  bool not_first_chunk_ = false;  // this is not the first chunk
  Scratch partials_, before_, spare_, box_, entries_;
  char *const carry_, *const value_, *const value_before_, *const value_spare_;  // in entries_
};

}  // namespace upcr::coll
