// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/vis/cursor.hpp"

#include <bit>
#include <limits>

#include "conduits/core/vis/kernels.hpp"
#include "conduits/core/vis/steps.hpp"

namespace upcr {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
// The fewest places that are worth a chunk of their own because they can be described as steps.
constexpr std::size_t kLeastSteps = 32;

// The step for pieces of this length: what divides their distances in an array.
unsigned step_of(std::size_t length) noexcept {
  constexpr unsigned kMost = 3;
  return std::min<unsigned>(static_cast<unsigned>(std::countr_zero(length)), kMost);
}

// Does a chunk of `bytes` bytes whose description is `words` long fit?
bool fits(const VisCursor::Room& room, std::size_t bytes, std::size_t description) {
  return bytes <= room.bytes && description <= room.total &&
         (!room.data_counts || bytes <= room.total - description);
}
// The largest number of bytes beside a description of this length.
std::size_t most_beside(const VisCursor::Room& room, std::size_t description) {
  if (description > room.total) return 0;
  return room.data_counts ? std::min(room.bytes, room.total - description) : room.bytes;
}

}  // namespace

void VisChunk::pack(void* to) const noexcept {
  if (regions != nullptr) {
    VisListMark start{0, 0};
    vis_pack_regions(to, bytes, regions, count, delta, &start);
  } else if (addresses != nullptr)
    vis_gather(to, addresses, delta, count, box.elem);
  else
    vis_pack(to, box);
}

void VisChunk::unpack(const void* from) const noexcept {
  if (regions != nullptr) {
    VisListMark start{0, 0};
    vis_unpack_regions(regions, count, delta, &start, from, bytes);
  } else if (addresses != nullptr)
    vis_scatter(addresses, delta, from, count, box.elem);
  else
    vis_unpack(box, from);
}

VisSide VisChunk::side() const noexcept {
  if (!is_run()) return VisSide::of(box);
  VisSide s =
      regions != nullptr ? VisSide::vector(regions, count) : VisSide::indexed(addresses, count, box.elem);
  s.delta = delta;
  return s;
}

VisCursor::VisCursor(const VisSide& side) noexcept : VisCursor(side, Mark{}) {}

VisCursor::VisCursor(const VisSide& side, Mark mark) noexcept
    : side_(side), entry_(mark.entry), byte_(mark.byte) {
  if (side.kind == VisSide::Kind::kSection)
    seek_section(mark.byte);
  else
    skip_empty();
}

void VisCursor::seek_section(std::uint64_t byte) noexcept {
  const VisSection& s = side_.section;
  here_ = s.base + side_.delta;
  ended_ = s.elem == 0;
  if (ended_) return;
  within_ = byte % s.elem;
  std::uint64_t n = byte / s.elem;
  for (unsigned i = 0; i < s.dims; ++i) {
    if (s.dim[i].count == 0) {
      ended_ = true;
      return;
    }
    index_[i] = n % s.dim[i].count;
    n /= s.dim[i].count;
    here_ += index_[i] * static_cast<std::uint64_t>(s.dim[i].stride);
  }
  ended_ = n != 0;
}

// Moves a list's cursor to an entry with bytes left, or behind the last one.
void VisCursor::skip_empty() noexcept {
  const bool vector = side_.kind == VisSide::Kind::kVector;
  while (entry_ < side_.count && byte_ == (vector ? side_.regions[entry_].bytes : side_.length)) {
    ++entry_;
    byte_ = 0;
  }
}

std::size_t VisCursor::contiguous() const noexcept {
  switch (side_.kind) {
    case VisSide::Kind::kVector:
      return entry_ < side_.count ? side_.regions[entry_].bytes - byte_ : 0;
    case VisSide::Kind::kIndexed:
      return entry_ < side_.count ? side_.length - byte_ : 0;
    case VisSide::Kind::kSection:
      return ended_ ? 0 : side_.section.elem - within_;
  }
  return 0;
}

// Advances by `steps` along dimension `level`, and along the slower ones when that one ends.
void VisCursor::advance(unsigned level, std::size_t steps) noexcept {
  const VisSection& s = side_.section;
  for (unsigned i = level; i < s.dims; ++i, steps = 1) {
    const VisDim& d = s.dim[i];
    here_ += static_cast<std::uint64_t>(d.stride) * steps;
    if ((index_[i] += steps) < d.count) return;
    here_ -= static_cast<std::uint64_t>(d.stride) * d.count;
    index_[i] = 0;
  }
  ended_ = true;
}

VisRegion VisCursor::next_region(std::size_t most) noexcept {
  const std::size_t n = std::min(most, contiguous());
  VisRegion r{0, n};
  if (side_.kind == VisSide::Kind::kSection) {
    r.address = here_ + within_;
    byte_ += n;
    if ((within_ += n) == side_.section.elem) {
      within_ = 0;
      advance(0, 1);
    }
    return r;
  }
  const bool vector = side_.kind == VisSide::Kind::kVector;
  r.address = (vector ? side_.regions[entry_].address : side_.addresses[entry_]) + side_.delta + byte_;
  byte_ += n;
  skip_empty();
  return r;
}

void VisCursor::skip(std::size_t bytes) noexcept {
  if (side_.kind == VisSide::Kind::kSection) {
    seek_section(byte_ += bytes);
    return;
  }
  if (side_.kind == VisSide::Kind::kIndexed) {
    if (bytes == 0) return;  // the length may be 0, too
    byte_ += bytes;
    entry_ += byte_ / side_.length;
    byte_ %= side_.length;
    return;
  }
  while (bytes != 0) {
    const std::size_t length = side_.regions[entry_].bytes;
    if (byte_ == 0 && length != 0 && length <= bytes) {
      const std::size_t whole = equal_lengths(std::min<std::size_t>(side_.count - entry_, bytes / length));
      entry_ += whole;
      bytes -= whole * length;
      continue;
    }
    const std::size_t n = std::min<std::size_t>(bytes, length - byte_);
    bytes -= n;
    byte_ += n;
    if (byte_ != length) return;
    ++entry_;
    byte_ = 0;
  }
  skip_empty();
}

VisChunk VisCursor::piece(std::size_t most) noexcept {
  const VisRegion r = next_region(most);
  VisChunk c;
  c.box.base = r.address;
  c.box.elem = c.bytes = r.bytes;
  return c;
}

VisChunk VisCursor::next_chunk(const Room& room) noexcept {
  switch (side_.kind) {
    case VisSide::Kind::kSection:
      return next_box(room);
    case VisSide::Kind::kIndexed:
    case VisSide::Kind::kVector:
      return next_run(room);
  }
  return piece(most_beside(room, kVisHead));
}

// The largest box that begins here: whole rows, planes and so on while this is the beginning of one and it
// fits, then as many of them along the next dimension as there are and fit.
VisChunk VisCursor::next_box(const Room& room) noexcept {
  const VisSection& s = side_.section;
  if (within_ != 0 || s.dims == 0 || !fits(room, s.elem, kVisHead)) return piece(most_beside(room, kVisHead));
  VisChunk c;
  c.box.base = here_;
  c.box.elem = c.bytes = s.elem;
  unsigned level = 0;
  std::size_t steps = 1;
  for (; level < s.dims; ++level) {
    const std::size_t whole = c.bytes;  // of one step along this dimension
    const std::size_t most = most_beside(room, kVisHead + kVisPerDim * (level + 1)) / whole;
    steps = std::min(s.dim[level].count - index_[level], most);
    if (steps < 2) {
      steps = 1;
      break;
    }
    c.box.add(steps, s.dim[level].stride);
    c.bytes *= steps;
    if (steps < s.dim[level].count) break;
  }
  byte_ += c.bytes;
  if (level == s.dims)
    ended_ = true;
  else
    advance(level, steps);
  return c;
}

// The number of regions from here on that have this one's length.
std::size_t VisCursor::equal_lengths(std::size_t most) const noexcept {
  if (side_.length != 0) return most;
  constexpr std::size_t kBatch = 8;
  const VisRegion* const first = side_.regions + entry_;
  const std::size_t length = first->bytes;
  std::size_t n = 0;
  for (; most - n >= kBatch; n += kBatch) {
    std::size_t differ = 0;
    for (std::size_t k = 0; k < kBatch; ++k) differ |= first[n + k].bytes ^ length;
    if (differ != 0) break;
  }
  while (n < most && first[n].bytes == length) ++n;
  return n;
}

// The number of addresses (of regions of one length) from here on that lie within 4 GiB.
VisCursor::Run VisCursor::near_run(std::size_t most) const noexcept {
  constexpr std::uint64_t kNear = std::numeric_limits<std::uint32_t>::max();
  const auto look = [most](auto address) {
    const std::uint64_t first = address(0);
    // Usually all of them agree in their upper halves: then only the lowest has to be found.
    std::uint64_t low = first, differ = 0;
    for (std::size_t i = 1; i < most; ++i) {
      const std::uint64_t a = address(i);
      low = std::min(low, a);
      differ |= a ^ first;
    }
    if (differ <= kNear) return Run{most, low};
    std::uint64_t high = low = first;
    std::size_t n = 1;
    for (; n < most; ++n) {
      const std::uint64_t a = address(n), l = std::min(low, a), h = std::max(high, a);
      if (h - l > kNear) break;
      low = l;
      high = h;
    }
    return Run{n, low};
  };
  const std::uint64_t delta = side_.delta;
  if (side_.kind == VisSide::Kind::kVector)
    return look([list = side_.regions + entry_, delta](std::size_t i) { return list[i].address + delta; });
  return look([list = side_.addresses + entry_, delta](std::size_t i) { return list[i] + delta; });
}

std::size_t VisCursor::write_steps(std::size_t most, unsigned step, char* to) const noexcept {
  // Which of them the delta is added to makes no difference.
  return side_.kind == VisSide::Kind::kVector ? vis_write_steps(side_.regions + entry_, most, step, to)
                                              : vis_write_steps(side_.addresses + entry_, most, step, to);
}

VisChunk VisCursor::next_run(const Room& room) noexcept {
  const bool vector = side_.kind == VisSide::Kind::kVector, travels = room.total != kNoLimit;
  const std::size_t length = vector ? side_.regions[entry_].bytes : side_.length;
  const std::size_t data = room.data_counts ? length : 0,
                    beside = room.total > kVisHead ? room.total - kVisHead : 0;
  std::size_t n = std::min<std::size_t>(side_.count - entry_, room.bytes / length);
  if (travels) n = std::min(n, beside / (kVisPerStep + data));
  if (byte_ != 0 || n < 2) return piece(most_beside(room, kVisHead));
  const unsigned step = step_of(length);
  const std::size_t steps = travels && room.words != nullptr ? write_steps(n, step, room.words) : 0;
  if (vector && steps < kLeastSteps) n = equal_lengths(n);
  if (n < 2) return piece(most_beside(room, kVisHead));
  VisChunk c;
  if (travels) {
    if (steps >= std::min(n, kLeastSteps)) {
      n = steps;
      c.places = VisPlaces::kSteps;
      c.step = step;
      c.box.base = side_.delta + (vector ? side_.regions[entry_].address : side_.addresses[entry_]);
    } else {
      const std::size_t far = std::min(n, beside / (kVisPerAddress + data));
      const Run run = near_run(std::min(n, beside / (kVisPerOffset + data)));
      c.places = run.count >= std::max<std::size_t>(far, 2) ? VisPlaces::kOffsets : VisPlaces::kAddresses;
      n = c.places == VisPlaces::kOffsets ? run.count : far;
      c.box.base = run.low;
    }
    if (n < 2) return piece(most_beside(room, kVisHead));
  }
  if (vector)
    c.regions = side_.regions + entry_;
  else
    c.addresses = side_.addresses + entry_;
  c.delta = side_.delta;
  c.count = n;
  c.box.elem = length;
  c.bytes = n * length;
  entry_ += n;
  if (vector) skip_empty();
  return c;
}

void VisCursor::pack(void* to, std::size_t bytes) noexcept {
  if (side_.kind == VisSide::Kind::kVector) {
    VisListMark mark{entry_, byte_};
    vis_pack_regions(to, bytes, side_.regions, side_.count, side_.delta, &mark);
    entry_ = mark.entry, byte_ = mark.byte;
    return skip_empty();
  }
  for (auto* t = static_cast<char*>(to); bytes != 0;) {
    const VisChunk c = next_chunk({bytes, kNoLimit, false});
    c.pack(t);
    t += c.bytes;
    bytes -= c.bytes;
  }
}

void VisCursor::unpack(const void* from, std::size_t bytes) noexcept {
  if (side_.kind == VisSide::Kind::kVector) {
    VisListMark mark{entry_, byte_};
    vis_unpack_regions(side_.regions, side_.count, side_.delta, &mark, from, bytes);
    entry_ = mark.entry, byte_ = mark.byte;
    return skip_empty();
  }
  for (const auto* f = static_cast<const char*>(from); bytes != 0;) {
    const VisChunk c = next_chunk({bytes, kNoLimit, false});
    c.unpack(f);
    f += c.bytes;
    bytes -= c.bytes;
  }
}

}  // namespace upcr
