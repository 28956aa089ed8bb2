// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/io/streams.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

constexpr std::uint64_t kOwnBlocks = 64 << 10;   // blocks of this size are worth a system call of their own
constexpr std::uint64_t kShareAlign = 16 << 10;  // of each thread's part of a file

template <typename List>
std::size_t first_beyond(const List& list, std::uint64_t position) {
  const auto found = std::upper_bound(list.begin(), list.end(), position,
                                      [](std::uint64_t at, const auto& entry) { return at < entry.at.end; });
  return static_cast<std::size_t>(found - list.begin());
}

}  // namespace

void FileStream::add(std::uint64_t offset, std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::uint64_t begin = this->bytes();
  if (!extents_.empty()) {
    FileExtent& last = extents_.back();
    if (last.offset + last.at.bytes() == offset) {
      last.at.end += bytes;
      return;
    }
  }
  extents_.push_back({{begin, begin + bytes}, offset});
}

std::size_t FileStream::find(std::uint64_t position) const noexcept {
  return first_beyond(extents_, position);
}
std::size_t MemStream::find(std::uint64_t position) const noexcept {
  return first_beyond(regions_, position);
}

void MemStream::add_local(void* address, std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::uint64_t begin = this->bytes();
  MemRegion region;
  region.at = {begin, begin + bytes};
  region.local = static_cast<char*>(address);
  regions_.push_back(region);
}

void MemStream::add_shared(SharedAddr address, std::uint64_t phase, std::uint64_t block,
                           std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::uint64_t begin = this->bytes();
  MemRegion region;
  region.at = {begin, begin + bytes};
  region.base = {address.thread, address.offset - phase};
  region.phase = phase;
  region.block = block;
  regions_.push_back(region);
}

SharedPiece MemRegion::piece(std::uint64_t q) const noexcept {
  if (block == 0) return {{base.thread, base.offset + q}, at.bytes() - q};
  const std::uint64_t x = q + phase, k = x / block, threads = job().topology.slots();
  const std::uint64_t turn = base.thread + k;
  return {{static_cast<Slot>(turn % threads), base.offset + turn / threads * block + x % block},
          std::min(block - x % block, at.bytes() - q)};
}

Share share_of(const MemRegion& region, Slot me, Slot threads) {
  const std::uint64_t bytes = region.at.bytes();
  if (region.block == 0 && bytes >= kOwnBlocks) {
    if (region.base.thread != me) return {};
    return Share::whole(bytes);
  }
  // (If the array begins inside a block, that block is shorter than its thread's others: no stride then.)
  if (region.block >= kOwnBlocks && region.phase == 0) {
    const std::uint64_t k = (me + threads - region.base.thread) % threads;  // its first block
    return {k * region.block, region.block, region.block * threads, bytes};
  }
  std::uint64_t part = (bytes + threads - 1) / threads;
  part = (part + kShareAlign - 1) / kShareAlign * kShareAlign;
  const std::uint64_t first = std::min(bytes, me * part);
  return {first, part, bytes, std::min(bytes, first + part)};
}

}  // namespace upcr
