// SPDX-License-Identifier: BSD-3-Clause
// The owners of a part of a blocked array. The bytes of one thread are contiguous in its memory, and
// scattered over the stream in pieces of a block.
#pragma once
#include <algorithm>

#include "upcr/io/streams.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {

struct Owned {  // one thread's bytes of a part of a region
  SharedAddr address;
  std::uint64_t bytes, first_block, pieces;
};

// Calls f(Owned) for each thread that has bytes of [at), a range of the stream inside the region.
template <typename F>
void each_owner(const MemRegion& region, ByteRange at, F&& f) {
  const std::uint64_t q0 = at.begin - region.at.begin, q1 = at.end - region.at.begin;
  if (region.block == 0) return f(Owned{region.piece(q0).address, q1 - q0, 0, 1});
  const std::uint64_t threads = job().topology.slots(), first = region.block_of(q0),
                      last = region.block_of(q1 - 1);
  for (std::uint64_t k = first; k <= last && k < first + threads; ++k) {
    const std::uint64_t count = (last - k) / threads + 1, end = k + (count - 1) * threads;
    const auto begin =
        static_cast<std::uint64_t>(std::max(region.block_begin(k), static_cast<std::int64_t>(q0)));
    std::uint64_t bytes = count * region.block;
    if (k == first)
      bytes -= static_cast<std::uint64_t>(static_cast<std::int64_t>(q0) - region.block_begin(k));
    if (end == last) bytes -= static_cast<std::uint64_t>(region.block_begin(end + 1)) - q1;
    f(Owned{region.piece(begin).address, bytes, k, count});
  }
}

// Calls f(position in the stream, bytes) for each block of one of them, in order.
template <typename F>
void each_piece(const MemRegion& region, ByteRange at, const Owned& owned, F&& f) {
  if (region.block == 0) return f(at.begin, at.bytes());
  const auto q0 = static_cast<std::int64_t>(at.begin - region.at.begin),
             q1 = static_cast<std::int64_t>(at.end - region.at.begin);
  const std::uint64_t threads = job().topology.slots();
  for (std::uint64_t i = 0, k = owned.first_block; i < owned.pieces; ++i, k += threads) {
    const std::int64_t begin = std::max(region.block_begin(k), q0),
                       end = std::min(region.block_begin(k + 1), q1);
    f(region.at.begin + static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end - begin));
  }
}

}  // namespace upcr
