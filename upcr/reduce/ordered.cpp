// SPDX-License-Identifier: BSD-3-Clause
// Reductions in the order of the elements. See ordered.hpp.
#include "upcr/reduce/ordered.hpp"

#include <algorithm>
#include <cstring>

namespace upcr::coll {

Ordered::Ordered(Ranks& ranks, const ReduceOp& op, const Layout& layout, const OrderedMethod& method)
    : ranks_(ranks),
      op_(op),
      layout_(layout),
      method_(method),
      me_(ranks.me()),
      count_(ranks.count()),
      rows_(static_cast<std::size_t>(std::min<std::uint64_t>(method.chunk_rows, layout.rows()))),
      partials_(rows_ * op.bytes),
      before_(rows_ * op.bytes),
      spare_(rows_ * op.bytes),
      box_((rows_ + count_) * op.bytes),
      entries_(4 * op.bytes),
      carry_(entries_.get()),
      value_(at(carry_, 1)),
      value_before_(at(carry_, 2)),
      value_spare_(at(carry_, 3)) {}

template <typename Step>
void Ordered::for_chunks(Step&& step) {
  const std::uint64_t rows = layout_.rows();
  const std::uint64_t in_last_row = layout_.blocks() - (rows - 1) * layout_.threads();
  for (std::uint64_t row = 0; row < rows; row += rows_) {
    const auto entries = static_cast<std::size_t>(std::min<std::uint64_t>(rows_, rows - row));
    const bool last = row + entries == rows;
    step(Chunk{row, {last ? static_cast<Slot>(in_last_row) : count_, entries}, last});
  }
}

template <typename Step>
void Ordered::for_blocks(const Chunk& chunk, Step&& step) const {
  const std::uint64_t end = layout_.count(me_), block = layout_.block();
  std::uint64_t from = layout_.row_begin(me_, chunk.row);
  for (std::size_t i = 0; i < chunk.entries(me_); ++i) {
    const std::uint64_t length = chunk.row == 0 && i == 0 ? layout_.row_begin(me_, 1) : block;
    const std::uint64_t to = std::min(end, from + length);
    step(i, from, to);
    from = to;
  }
}

void Ordered::fold_blocks(const Chunk& chunk, const char* run) {
  if (layout_.block() == 1) {
    std::memcpy(partials_.get(), run + chunk.row * op_.bytes, chunk.entries(me_) * op_.bytes);
    return;
  }
  for_blocks(chunk, [&](std::size_t i, std::uint64_t from, std::uint64_t to) {
    op_.fold(op_, at(partials_.get(), i), false, run + from * op_.bytes, to - from);
  });
}

void Ordered::reduce(const char* run, void* result) {
  for_chunks([&](const Chunk& chunk) {
    fold_blocks(chunk, run);
    if (method_.transpose)
      reduce_transposed(chunk, static_cast<char*>(result));
    else
      reduce_rows(chunk, static_cast<char*>(result));
    not_first_chunk_ = true;
  });
}

void Ordered::reduce_rows(const Chunk& chunk, char* result) {
  ranks_.reduce(op_, chunk.shape, partials_.get(), spare_.get(), method_.radix);
  if (me_ == 0) op_.fold(op_, result, not_first_chunk_, partials_.get(), chunk.shape.entries);
}

void Ordered::reduce_transposed(const Chunk& chunk, char* result) {
  to_shares(chunk);
  const Slot sharers = shares(chunk);
  Ranks some = ranks_.first(sharers);
  if (some.participates()) {
    op_.fold(op_, value_, false, box_.get(), entries_of_share(chunk, me_));
    some.reduce(op_, {sharers, 1}, value_, value_spare_, method_.radix);
  }
  if (me_ == 0) op_.fold(op_, result, not_first_chunk_, value_, 1);
}

void Ordered::prefix(const char* run, char* out) {
  for_chunks([&](const Chunk& chunk) {
    fold_blocks(chunk, run);
    if (method_.transpose)
      prefix_transposed(chunk);
    else
      prefix_rows(chunk);
    for_blocks(chunk, [&](std::size_t i, std::uint64_t from, std::uint64_t to) {
      const bool first_of_all = me_ == 0 && chunk.row + i == 0;
      op_.scan(op_, out + from * op_.bytes, first_of_all ? nullptr : at(before_.get(), i),
               run + from * op_.bytes, to - from);
    });
    not_first_chunk_ = true;
  });
}

void Ordered::prefix_rows(const Chunk& chunk) {
  // Inside each row: the result of the blocks before each rank's.
  ranks_.scan(op_, chunk.shape, partials_.get(), before_.get(), spare_.get());
  if (layout_.rows() == 1) return;
  // The last rank has the totals of whole rows, and with them the result of everything before each row.
  char* const row_before = spare_.get();
  const Slot last = count_ - 1;
  if (me_ == last) {
    const std::size_t whole = chunk.entries(me_);
    op_.scan_before(op_, row_before, not_first_chunk_ ? carry_ : nullptr, partials_.get(), whole);
    op_.fold(op_, carry_, not_first_chunk_, partials_.get(), whole);
    if (whole < chunk.shape.entries) std::memcpy(at(row_before, whole), carry_, op_.bytes);
  }
  ranks_.broadcast(last, row_before, chunk.shape.entries * op_.bytes, method_.radix);
  const std::size_t first = chunk.row == 0 ? 1 : 0, n = chunk.entries(me_);  // nothing precedes row 0
  if (n <= first) return;
  if (me_ == 0)
    std::memcpy(at(before_.get(), first), at(row_before, first), (n - first) * op_.bytes);
  else
    op_.combine(op_, at(before_.get(), first), at(row_before, first), at(before_.get(), first), n - first);
}

void Ordered::prefix_transposed(const Chunk& chunk) {
  to_shares(chunk);
  const Slot sharers = shares(chunk);
  Ranks some = ranks_.first(sharers);
  if (some.participates()) {
    const std::size_t n = entries_of_share(chunk, me_);
    const bool carried = me_ == 0 && not_first_chunk_;
    if (carried) std::memcpy(value_, carry_, op_.bytes);
    op_.fold(op_, value_, carried, box_.get(), n);
    some.scan(op_, {sharers, 1}, value_, value_before_, value_spare_);
    const char* const before = me_ != 0 ? value_before_ : not_first_chunk_ ? carry_ : nullptr;
    op_.scan_before(op_, box_.get(), before, box_.get(), n);
  }
  if (!chunk.last) ranks_.pass(sharers - 1, value_, 0, carry_, op_.bytes);
  from_shares(chunk);
}

std::size_t Ordered::piece_of_share(const Chunk& chunk, Slot rank, Slot owner) const {
  const std::size_t q = share(chunk), entries = chunk.entries(rank);
  return std::min(q, entries - std::min(entries, owner * q));
}

std::size_t Ordered::entries_of_share(const Chunk& chunk, Slot owner) const {
  const std::size_t q = share(chunk), from = owner * q;
  const std::size_t rows = std::min(q, chunk.shape.entries - std::min(chunk.shape.entries, from));
  const bool with_last_row = rows != 0 && from + rows == chunk.shape.entries;
  return rows * count_ - (with_last_row ? count_ - chunk.shape.full : 0);
}

void Ordered::to_shares(const Chunk& chunk) {
  const std::size_t q = share(chunk);
  ranks_.exchange(
      [&](Slot to) {
        return Ranks::Piece{at(partials_.get(), to * q), piece_of_share(chunk, me_, to) * op_.bytes};
      },
      [&](Slot from) {
        return Ranks::Destination{spare_.get(), piece_of_share(chunk, from, me_) * op_.bytes};
      },
      [&](Slot from) {
        op_.copy(at(box_.get(), from), count_, spare_.get(), 1, piece_of_share(chunk, from, me_));
      });
}

void Ordered::from_shares(const Chunk& chunk) {
  const std::size_t q = share(chunk);
  ranks_.exchange(
      [&](Slot to) {
        const std::size_t n = piece_of_share(chunk, to, me_);
        op_.copy(spare_.get(), 1, at(box_.get(), to), count_, n);
        return Ranks::Piece{spare_.get(), n * op_.bytes};
      },
      [&](Slot from) {
        return Ranks::Destination{at(before_.get(), from * q), piece_of_share(chunk, me_, from) * op_.bytes};
      },
      [](Slot) {});
}

}  // namespace upcr::coll
