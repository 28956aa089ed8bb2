// SPDX-License-Identifier: BSD-3-Clause
// A record as a block.
#include <algorithm>
#include <cstring>
#include <vector>

#include "conduits/core/base/system/counter_clock.hpp"
#include "upcr/observe/record.hpp"

namespace upcr::observe {
namespace {

template <typename T>
void append(std::vector<char>& block, const T* first, std::size_t count) {
  const char* const bytes = reinterpret_cast<const char*>(first);
  block.insert(block.end(), bytes, bytes + count * sizeof(T));
}

// The times of the operations of which a sample was timed, from `sum` of `number` ones.
std::uint64_t scaled(std::uint64_t sum, std::uint64_t number, const CellCounts& c) noexcept {
  if (number == 0 || c.apart >= c.count) return 0;
  return static_cast<std::uint64_t>(static_cast<double>(sum) * static_cast<double>(c.count - c.apart) /
                                    static_cast<double>(number));
}

// Where none of the sample has come yet, the first ones stand for it.
std::uint64_t sampled_time(const CellCounts& c) noexcept {
  return c.sampled != 0 ? scaled(c.sample_time, c.sampled, c) : scaled(c.short_time, c.timed, c);
}

Cell cell_of(const CellKey& key, const CellCounts& c, const TickLength& tick) noexcept {
  Cell cell{key.kind, key.file, key.line, 0, {}};
  Counts& to = cell.counts;
  to.count = c.count;
  to.bytes = c.bytes;
  to.timed = (c.flags & kCellSampled) != 0 ? std::min(c.sampled + c.apart, c.count) : c.count;
  to.time = tick.ns(c.time + sampled_time(c));
  to.waited = is_wait(key.kind) ? to.time : tick.ns(c.waited + scaled(c.sample_waited, c.sampled, c));
  to.held = tick.ns(c.held);
  to.local = c.reach[static_cast<unsigned>(Reach::kLocal)];
  to.mapped = c.reach[static_cast<unsigned>(Reach::kMapped)];
  to.remote = c.reach[static_cast<unsigned>(Reach::kRemote)];
  to.sizes = c.sizes;
  return cell;
}

// What is not 0 of the pairs.
struct Pairs {
  std::vector<PairKind> kinds;
  std::vector<PairSize> sizes;

  void add(std::uint32_t thread, const Pair& pair, const TickLength& tick) {
    for (std::size_t i = 0; i < kPairKinds.size(); ++i)
      if (const auto& [reads, writes, time, waited] = pair.kinds[i]; (reads.count | writes.count) != 0)
        kinds.push_back({thread, kPairKinds[i], reads.count, reads.bytes, writes.count, writes.bytes,
                         tick.ns(time), tick.ns(waited)});
    for (std::uint32_t i = 0; i < kBuckets; ++i)
      if (pair.sizes[i] != 0) sizes.push_back({thread, i, pair.sizes[i]});
  }
};

}  // namespace

std::vector<char> RecordView::block() const {
  const RecordHeader& h = header();
  if (h.cells > kMaxCells || h.name_bytes > kMaxNameBytes || h.name_bytes == 0) return {};
  const TickLength tick({h.start_ticks, h.start_ns}, {h.last_ticks, h.last_ns});
  std::vector<Cell> cells;
  for (std::uint32_t i = 1; i < h.cells; ++i) {
    const CellKey& key = keys()[i];
    if (counts()[i].count != 0 && static_cast<unsigned>(key.kind) < kKinds)
      cells.push_back(cell_of(key, counts()[i], tick));
  }
  Pairs all;
  for (std::uint32_t i = 0; i < h.threads; ++i) all.add(i, pairs()[i], tick);
  BlockHeader header{};
  header.magic = kBlockMagic;
  header.thread = h.thread;
  header.threads = h.threads;
  header.cells = static_cast<std::uint32_t>(cells.size());
  header.pair_kinds = static_cast<std::uint32_t>(all.kinds.size());
  header.pair_sizes = static_cast<std::uint32_t>(all.sizes.size());
  header.name_bytes = h.name_bytes;
  header.rank = h.rank;
  header.ranks = h.ranks;
  header.duration = h.last_ns - h.start_ns;
  header.lost = h.lost;
  std::memcpy(header.host, h.host, sizeof header.host);
  std::vector<char> block;
  block.reserve(block_bytes(header));
  append(block, &header, 1);
  append(block, cells.data(), cells.size());
  append(block, all.kinds.data(), all.kinds.size());
  append(block, all.sizes.data(), all.sizes.size());
  append(block, names(), h.name_bytes);
  return block;
}

}  // namespace upcr::observe
