// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <map>
#include <utility>

#include "upcr/observe/report/report.hpp"

namespace upcr::observe {

void add(Counts& sum, const Counts& other) noexcept {
  sum.count += other.count;
  sum.bytes += other.bytes;
  sum.timed += other.timed;
  sum.time += other.time;
  sum.waited += other.waited;
  sum.held += other.held;
  sum.local += other.local;
  sum.mapped += other.mapped;
  sum.remote += other.remote;
  for (unsigned i = 0; i < kBuckets; ++i) sum.sizes[i] += other.sizes[i];
}

namespace {

template <typename T>
std::vector<T> read(const char*& from, std::uint32_t count) {
  std::vector<T> read(count);
  if (count != 0) std::memcpy(read.data(), from, count * sizeof(T));
  from += count * sizeof(T);
  return read;
}

// They come in the order of their threads.
std::vector<PairProfile> pairs_of(const BlockHeader& h, const char* from) {
  std::map<std::uint32_t, PairProfile> pairs;
  for (const PairKind& kind : read<PairKind>(from, h.pair_kinds)) {
    PairProfile& pair = pairs[kind.thread];
    pair.kinds.push_back(kind);
    if (is_message(kind.kind)) continue;
    pair.sum.reads += kind.reads;
    pair.sum.read_bytes += kind.read_bytes;
    pair.sum.writes += kind.writes;
    pair.sum.written_bytes += kind.written_bytes;
    pair.sum.time += kind.time;
    pair.sum.waited += kind.waited;
  }
  for (const PairSize& size : read<PairSize>(from, h.pair_sizes))
    if (size.bucket < kBuckets) pairs[size.thread].sizes[size.bucket] = size.count;
  std::vector<PairProfile> sorted;
  for (auto& [thread, pair] : pairs) {
    pair.thread = thread;
    sorted.push_back(std::move(pair));
  }
  return sorted;
}

}  // namespace

bool Profile::add(const std::vector<char>& block) {
  ThreadProfile t;
  BlockHeader& h = t.header;
  if (block.size() < sizeof h) return false;
  std::memcpy(&h, block.data(), sizeof h);
  if (h.magic != kBlockMagic || block.size() != block_bytes(h) || h.name_bytes == 0) return false;
  const char* at = block.data() + sizeof h;
  const char* const names = block.data() + block.size() - h.name_bytes;
  if (names[h.name_bytes - 1] != '\0') return false;
  h.host[sizeof h.host - 1] = '\0';
  t.host = h.host;
  for (const Cell& cell : read<Cell>(at, h.cells)) {
    if (cell.file >= h.name_bytes) return false;
    t.lines.push_back({names + cell.file, cell.line, cell.kind, cell.counts});
  }
  t.pairs = pairs_of(h, at);
  threads.push_back(std::move(t));
  return true;
}

}  // namespace upcr::observe
