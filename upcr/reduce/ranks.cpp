// SPDX-License-Identifier: BSD-3-Clause
// Trees, recursive doubling and scans that keep the order of the operands. See ranks.hpp.
#include "upcr/reduce/ranks.hpp"

#include <algorithm>
#include <bit>

namespace upcr::coll {

void Ranks::pass(Slot from, const void* src, Slot to, void* dst, std::size_t bytes) {
  if (from == to) {
    if (me_ == to && src != dst) std::memcpy(dst, src, bytes);
  } else if (me_ == from) {
    send(to, src, bytes);
  } else if (me_ == to) {
    recv(from, dst, bytes);
  }
  ++tag_;
}

void Ranks::shift(Slot to, const void* src, Slot from, void* dst, std::size_t bytes) {
  if (to == me_)
    std::memcpy(dst, src, bytes);
  else
    sendrecv(to, src, bytes, from, dst, bytes);
  ++tag_;
}

void Ranks::scatter(Slot root, const void* array, void* piece, std::size_t bytes) {
  const char* const pieces = static_cast<const char*>(array);
  if (me_ != root) recv(root, piece, bytes);
  for (Slot to = 0; me_ == root && to < count_; ++to)
    if (to != me_) send(to, pieces + to * bytes, bytes);
  if (me_ == root) std::memcpy(piece, pieces + me_ * bytes, bytes);
  ++tag_;
}

void Ranks::gather(Slot root, const void* piece, void* array, std::size_t bytes) {
  char* const pieces = static_cast<char*>(array);
  if (me_ != root) send(root, piece, bytes);
  for (Slot from = 0; me_ == root && from < count_; ++from)
    if (from != me_) recv(from, pieces + from * bytes, bytes);
  if (me_ == root) std::memcpy(pieces + me_ * bytes, piece, bytes);
  ++tag_;
}

// k-nomial tree: a node of level `step` has the result of the ranks [node, node + step), so a parent combines
// its children in the order of the ranks.
void Ranks::reduce(const ReduceOp& op, const Shape& shape, void* vector, void* spare, Slot radix) {
  bool gone = false;
  for (std::uint64_t step = 1; step < count_ && !gone; step *= radix) {
    const std::uint64_t digit = me_ / step % radix;
    if (digit != 0) {
      send(static_cast<Slot>(me_ - digit * step), vector, shape.of(me_) * op.bytes);
      gone = true;
      continue;
    }
    for (Slot i = 1; i < radix && me_ + i * step < count_; ++i) {
      const Slot child = static_cast<Slot>(me_ + i * step);
      const std::size_t entries = shape.of(child);  // no more than the earlier ranks have
      recv(child, spare, entries * op.bytes);
      op.combine(op, vector, vector, spare, entries);
    }
  }
  ++tag_;
}

void Ranks::broadcast(Slot root, void* data, std::size_t bytes, Slot radix) {
  const auto seen_from_root = static_cast<Slot>((std::uint64_t{me_} + count_ - root) % count_);
  const auto rank = [&](std::uint64_t v) { return static_cast<Slot>((v + root) % count_); };
  std::uint64_t step = 1;
  for (; step < count_; step *= radix) {
    const std::uint64_t digit = seen_from_root / step % radix;
    if (digit == 0) continue;
    recv(rank(seen_from_root - digit * step), data, bytes);
    break;
  }
  while (step > 1) {
    step /= radix;
    for (Slot i = 1; i < radix && seen_from_root + i * step < count_; ++i)
      send(rank(seen_from_root + i * step), data, bytes);
  }
  ++tag_;
}

// Bruck's algorithm (Bruck et al. 1997): after step i each rank has the pieces of up to 2^(i+1) ranks that
// end with itself, nearest first.
void Ranks::all_gather(void* data, std::size_t bytes) {
  char* const pieces = static_cast<char*>(data);
  const Scratch nearest(count_ * bytes);
  std::memcpy(nearest.get(), pieces + me_ * bytes, bytes);
  for (std::uint64_t have = 1; have < count_; have *= 2) {
    const std::size_t more = static_cast<std::size_t>(std::min<std::uint64_t>(have, count_ - have)) * bytes;
    sendrecv(static_cast<Slot>((me_ + have) % count_), nearest.get(), more,
             static_cast<Slot>((me_ + count_ - have) % count_), nearest.get() + have * bytes, more);
    ++tag_;
  }
  for (Slot i = 0; i < count_; ++i)
    std::memcpy(pieces + (me_ + std::uint64_t{count_} - i) % count_ * bytes, nearest.get() + i * bytes,
                bytes);
}

// Recursive doubling: with 2^k ranks, in step i each rank has the result of a group of 2^i neighbours and
// exchanges it with a rank of the next group. The ranks above a power of two are combined with their left
// neighbours first.
void Ranks::all_reduce(const ReduceOp& op, void* entry, void* spare) {
  const Slot doubling = std::bit_floor(count_), extra = count_ - doubling;
  const bool joined = me_ < 2 * extra;
  const bool away = joined && me_ % 2 == 1;
  if (away) {
    send(me_ - 1, entry, op.bytes);
  } else if (joined) {
    recv(me_ + 1, spare, op.bytes);
    op.combine(op, entry, entry, spare, 1);
  }
  const Slot position = joined ? me_ / 2 : me_ - extra;
  for (Slot mask = 1; mask < doubling; mask *= 2) {
    ++tag_;
    if (away) continue;
    const Slot partner = position ^ mask, rank = partner < extra ? 2 * partner : partner + extra;
    sendrecv(rank, entry, op.bytes, rank, spare, op.bytes);
    if (partner < position)
      op.combine(op, entry, spare, entry, 1);
    else
      op.combine(op, entry, entry, spare, 1);
  }
  ++tag_;
  if (away)
    recv(me_ - 1, entry, op.bytes);
  else if (joined)
    send(me_ + 1, entry, op.bytes);
  ++tag_;
}

// Hillis and Steele's scan: before step i each rank has the result of up to 2^i ranks that end with itself. A
// later rank has no more entries than an earlier one.
void Ranks::scan(const ReduceOp& op, const Shape& shape, void* vector, void* before, void* spare) {
  const auto bytes_of = [&](std::uint64_t rank) {
    return rank < count_ ? shape.of(static_cast<Slot>(rank)) * op.bytes : 0;
  };
  for (std::uint64_t step = 1; step < count_; step *= 2) {
    const bool has_left = me_ >= step;
    sendrecv(static_cast<Slot>(me_ + step), vector, bytes_of(me_ + step), static_cast<Slot>(me_ - step),
             spare, has_left ? bytes_of(me_) : 0);
    if (has_left) op.combine(op, vector, spare, vector, shape.of(me_));
    ++tag_;
  }
  sendrecv(me_ + 1, vector, bytes_of(std::uint64_t{me_} + 1), me_ - 1, before, me_ != 0 ? bytes_of(me_) : 0);
  ++tag_;
}

}  // namespace upcr::coll
