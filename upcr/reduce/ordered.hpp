// SPDX-License-Identifier: BSD-3-Clause
// Reductions that must keep the order of the elements of a block-cyclic array: prefix reductions, and plain
// ones whose function does not commute. Such an order runs through all threads once for every row of blocks,
// so the partial result of each block is the unit here. Rows are taken a chunk at a time, which bounds the
// scratch memory whatever the number of blocks is. Two ways:
//   rows       threads combine vectors with one entry for each row, by tree or scan: few messages
//   transpose  each thread is sent all blocks' results of a few neighbouring rows and combines these alone:
//              each result travels once (and, for prefixes, back)
// By the ranks of the layout that have elements, inside a collective call.
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
  Ordered(Ranks& ranks, const ReduceOp& op, const Layout& layout, const OrderedMethod& way);

  // `run`: this rank's elements. The result is stored at rank 0 only.
  void reduce(const char* run, void* result);
  // `out`: this rank's part of the result; may be `run`.
  void prefix(const char* run, char* out);

 private:
  // The rows [row, row + shape.entries), of which later ranks may lack the last.
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
  // partials_[i]: that of this rank's block in row i of the chunk.
  void fold_blocks(const Chunk& chunk, const char* run);

  void reduce_rows(const Chunk& chunk, char* result);
  void reduce_transposed(const Chunk& chunk, char* result);
  // before_[i]: what precedes this rank's block in row i; none where that is the first of all.
  void prefix_rows(const Chunk& chunk);
  void prefix_transposed(const Chunk& chunk);

  // The transposed way: rank j has a share of the chunk, its rows [j * share, (j + 1) * share). How many
  // results of `rank` are in a share; how many there are in a share in all; how many ranks have one.
  std::size_t share(const Chunk& chunk) const { return (chunk.shape.entries + count_ - 1) / count_; }
  std::size_t piece_of_share(const Chunk& chunk, Slot rank, Slot owner) const;
  std::size_t entries_of_share(const Chunk& chunk, Slot owner) const;
  Slot shares(const Chunk& chunk) const {
    return static_cast<Slot>((chunk.shape.entries - 1) / share(chunk) + 1);
  }
  // Fills box_ with this rank's share of everybody's partials_, in the order of the elements; back into
  // everybody's before_.
  void to_shares(const Chunk& chunk);
  void from_shares(const Chunk& chunk);

  char* at(char* vector, std::size_t i) const { return vector + i * op_.bytes; }

  Ranks& ranks_;
  const ReduceOp& op_;
  const Layout& layout_;
  const OrderedMethod method_;
  const Slot me_, count_;
  const std::size_t rows_;        // of a chunk at most
  bool not_first_chunk_ = false;  // there was a chunk before this
  Scratch partials_, before_, spare_, box_, entries_;
  char *const carry_, *const value_, *const value_before_, *const value_spare_;  // the entries of entries_
};

}  // namespace upcr::coll
