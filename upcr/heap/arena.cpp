// SPDX-License-Identifier: BSD-3-Clause
// The TLSF allocator: see arena.hpp.
#include "upcr/heap/arena.hpp"

#include <bit>

namespace upcr {

unsigned Arena::shift_for(std::size_t segment_bytes) noexcept {
  unsigned shift = kMinShift;
  while ((std::uint64_t{segment_bytes} >> shift) >> (32 - kUseBits) != 0) ++shift;
  return shift;
}

std::size_t Arena::footprint(std::size_t segment_bytes) {
  return sizeof(Arena) + ((segment_bytes >> shift_for(segment_bytes)) + 1) * sizeof(Header);
}

void Arena::init(std::size_t segment_bytes, std::uint64_t offset, Grows grows) noexcept {
  shift_ = shift_for(segment_bytes);
  grows_ = grows;
  begin_ = end_ = static_cast<Granule>(offset >> shift_);
  last_ = kNone;
}

// 0 for a size that no arena can have.
Arena::Granule Arena::granules(std::uint64_t bytes) const noexcept {
  const std::uint64_t n = (bytes >> shift_) + ((bytes & ((std::uint64_t{1} << shift_) - 1)) != 0 ? 1 : 0);
  return n >> (32 - kUseBits) != 0 ? 0 : static_cast<Granule>(n == 0 ? 1 : n);
}

ArenaBlock Arena::block(Granule g) const noexcept {
  return {use(at(g)), std::uint64_t{g} << shift_, std::uint64_t{size(at(g))} << shift_};
}

Arena::Class Arena::class_of(Granule size) noexcept {
  if (size < kSecond) return {0, size};
  const unsigned log = std::bit_width(size) - 1;
  return {log - kSecondBits + 1, (size >> (log - kSecondBits)) & (kSecond - 1)};
}

void Arena::link_free(Granule g) noexcept {
  const Class c = class_of(size(at(g)));
  const bool any = (second_map_[c.first] >> c.second & 1) != 0;
  at(g).previous_free = kNone;
  at(g).next_free = any ? heads_[c.first][c.second] : kNone;
  if (any) at(heads_[c.first][c.second]).previous_free = g;
  heads_[c.first][c.second] = g;
  second_map_[c.first] |= 1u << c.second;
  first_map_ |= 1u << c.first;
}

void Arena::unlink_free(Granule g) noexcept {
  const Header h = at(g);
  if (h.next_free != kNone) at(h.next_free).previous_free = h.previous_free;
  if (h.previous_free != kNone) {
    at(h.previous_free).next_free = h.next_free;
    return;
  }
  const Class c = class_of(size(h));
  heads_[c.first][c.second] = h.next_free;
  if (h.next_free != kNone) return;
  second_map_[c.first] &= ~(1u << c.second);
  if (second_map_[c.first] == 0) first_map_ &= ~(1u << c.first);
}

void Arena::set_block(Granule g, Granule size, BlockUse use, Granule previous) noexcept {
  at(g).size_use = size << kUseBits | static_cast<std::uint32_t>(use);
  at(g).previous = previous;
  if (g + size < end_)
    at(g + size).previous = g;
  else
    last_ = g;
}

// Makes [g, g + size) free, merged with its neighbours. There must be no header at g any more.
void Arena::add_free(Granule g, Granule size, Granule previous) noexcept {
  const Granule next = g + size;
  if (next < end_ && is_free(next)) {
    unlink_free(next);
    size += Arena::size(at(next));
    at(next).size_use = 0;
  }
  if (previous != kNone && is_free(previous)) {
    unlink_free(previous);
    size += Arena::size(at(previous));
    g = previous;
    previous = at(g).previous;
  }
  set_block(g, size, BlockUse::kFree, previous);
  link_free(g);
}

// A free block of at least this size: any block of the next larger class, at once, or one of the size's own
// class that happens to be large enough.
Arena::Granule Arena::find_fit(Granule size, Search search) noexcept {
  Granule rounded = size;
  if (size >= kSecond) rounded += (Granule{1} << (std::bit_width(size) - 1 - kSecondBits)) - 1;
  if (rounded >> (32 - kUseBits) == 0) {
    const Class c = class_of(rounded);
    std::uint32_t second = second_map_[c.first] & (~0u << c.second);
    unsigned first = c.first;
    if (second == 0) {
      if (const std::uint32_t above = first_map_ & (~0u << (first + 1)); above != 0) {
        first = std::countr_zero(above);
        second = second_map_[first];
      }
    }
    if (second != 0) return heads_[first][std::countr_zero(second)];
  }
  const Class own = class_of(size);
  if ((second_map_[own.first] >> own.second & 1) == 0) return kNone;
  Granule g = heads_[own.first][own.second];
  const unsigned limit = search == Search::kBounded ? kBoundedSearch : ~0u;
  for (unsigned i = 0; g != kNone && i < limit; ++i, g = at(g).next_free)
    if (Arena::size(at(g)) >= size) return g;
  return kNone;
}

// Allocates `needed` granules of the free block `found`.
std::uint64_t Arena::allocate_in(Granule found, Granule needed, BlockUse use) noexcept {
  unlink_free(found);
  const Granule have = size(at(found)), rest = have - needed, previous = at(found).previous;
  // The rest stays on the side where the arena grows, so that it can be trimmed.
  Granule result = found;
  if (rest == 0) {
    set_block(found, have, use, previous);
  } else if (grows_ == Grows::kUp) {
    set_block(found + needed, rest, BlockUse::kFree, found);
    set_block(found, needed, use, previous);
    link_free(found + needed);
  } else {
    result = found + rest;
    set_block(result, needed, use, found);
    set_block(found, rest, BlockUse::kFree, previous);
    link_free(found);
  }
  used_ += needed;
  if (used_ > peak_) peak_ = used_;
  ++objects_;
  return std::uint64_t{result} << shift_;
}

std::uint64_t Arena::shortage(Granule needed) const noexcept {
  const Granule edge = edge_block(), have = edge == kNone ? 0 : size(at(edge));
  if (have >= needed) return 0;
  return ((std::uint64_t{needed - have} << shift_) + kHeapPage - 1) / kHeapPage * kHeapPage;
}

Allocation Arena::allocate(std::uint64_t bytes, BlockUse use) noexcept {
  const Granule needed = granules(bytes);
  if (needed == 0) return {0, ~std::uint64_t{0}};
  const Granule found = find_fit(needed, Search::kBounded);
  if (found == kNone) return {0, shortage(needed)};
  return {allocate_in(found, needed, use), 0};
}

std::uint64_t Arena::extend_and_allocate(std::uint64_t added, std::uint64_t bytes, BlockUse use) noexcept {
  extend(added);
  const Granule needed = granules(bytes);
  const Granule found = needed != 0 ? find_fit(needed, Search::kExhaustive) : kNone;
  return found != kNone ? allocate_in(found, needed, use) : 0;
}

ArenaBlock Arena::starting_at(std::uint64_t offset) const noexcept {
  const std::uint64_t index = offset >> shift_;
  if (index < begin_ || index >= end_) return {};
  const Granule g = static_cast<Granule>(index);
  if ((offset & ((std::uint64_t{1} << shift_) - 1)) != 0 || at(g).size_use == 0) return containing(offset);
  return block(g);
}

ArenaBlock Arena::release(std::uint64_t offset, BlockUse use) noexcept {
  const ArenaBlock found = starting_at(offset);
  if (found.use != use || found.offset != offset) return found;
  const Granule g = static_cast<Granule>(offset >> shift_);
  const Granule n = size(at(g)), previous = at(g).previous;
  at(g).size_use = 0;
  used_ -= n;
  --objects_;
  add_free(g, n, previous);
  return found;
}

ArenaBlock Arena::containing(std::uint64_t offset) const noexcept {
  const std::uint64_t index = offset >> shift_;
  if (index < begin_ || index >= end_) return {};
  for (Granule g = begin_; g < end_; g += size(at(g)))
    if (index < std::uint64_t{g} + size(at(g))) return block(g);
  return {};
}

void Arena::extend(std::uint64_t bytes) noexcept {
  const Granule n = static_cast<Granule>(bytes >> shift_);
  if (n == 0) return;
  if (grows_ == Grows::kUp) {
    const Granule g = end_;
    end_ += n;
    add_free(g, n, last_);
  } else {
    begin_ -= n;
    add_free(begin_, n, kNone);
  }
}

Arena::Granule Arena::edge_block() const noexcept {
  if (begin_ == end_) return kNone;
  const Granule g = grows_ == Grows::kUp ? last_ : begin_;
  return is_free(g) ? g : kNone;
}

std::uint64_t Arena::trim() noexcept {
  const Granule g = edge_block(), step = static_cast<Granule>(kHeapPage >> shift_);
  if (g == kNone) return 0;
  const Granule n = size(at(g)), previous = at(g).previous;
  const Granule keep = grows_ == Grows::kUp ? (g + step - 1) / step * step - g : (g + n) % step;
  if (keep >= n) return 0;
  unlink_free(g);
  at(g).size_use = 0;
  if (grows_ == Grows::kUp) {
    end_ = g + keep;
    last_ = previous;
    if (keep != 0) {
      set_block(g, keep, BlockUse::kFree, previous);
      link_free(g);
    }
  } else {
    begin_ = g + n - keep;
    if (begin_ == end_)
      last_ = kNone;
    else if (keep == 0)
      at(begin_).previous = kNone;
    else {
      set_block(begin_, keep, BlockUse::kFree, kNone);
      link_free(begin_);
    }
  }
  return std::uint64_t{n - keep} << shift_;
}

ArenaInfo Arena::info() const noexcept {
  ArenaInfo info;
  info.begin = begin();
  info.end = end();
  info.used = used_ << shift_;
  info.free = (std::uint64_t{end_ - begin_} - used_) << shift_;
  info.objects = objects_;
  info.peak = peak_ << shift_;
  if (const Granule edge = edge_block(); edge != kNone)
    info.edge_free = std::uint64_t{size(at(edge))} << shift_;
  if (first_map_ == 0) return info;
  // The highest class that is not empty has the largest block.
  const unsigned first = std::bit_width(first_map_) - 1;
  const unsigned second = std::bit_width(second_map_[first]) - 1;
  Granule largest = 0;
  for (Granule g = heads_[first][second]; g != kNone; g = at(g).next_free)
    if (size(at(g)) > largest) largest = size(at(g));
  info.largest = std::uint64_t{largest} << shift_;
  return info;
}

bool Arena::consistent() const noexcept {
  Granule previous = kNone;
  std::uint64_t used = 0, objects = 0, free_blocks = 0;
  for (Granule g = begin_; g != end_; g += size(at(g))) {
    if (g > end_ || size(at(g)) == 0 || at(g).previous != previous) return false;
    if (is_free(g)) {
      if (previous != kNone && is_free(previous)) return false;  // should have been merged
      ++free_blocks;
    } else {
      used += size(at(g));
      ++objects;
    }
    for (Granule inside = g + 1; inside < g + size(at(g)); ++inside)
      if (at(inside).size_use != 0) return false;
    previous = g;
  }
  if (used != used_ || objects != objects_ || previous != last_) return false;
  std::uint64_t listed = 0;
  for (unsigned first = 0; first < kFirst; ++first) {
    if ((first_map_ >> first & 1) != (second_map_[first] != 0)) return false;
    for (unsigned second = 0; second < kSecond; ++second) {
      if ((second_map_[first] >> second & 1) == 0) continue;
      Granule before = kNone;
      for (Granule g = heads_[first][second]; g != kNone; before = g, g = at(g).next_free, ++listed) {
        const Class c = class_of(size(at(g)));
        if (!is_free(g) || at(g).previous_free != before || c.first != first || c.second != second)
          return false;
      }
    }
  }
  return listed == free_blocks;
}

}  // namespace upcr
