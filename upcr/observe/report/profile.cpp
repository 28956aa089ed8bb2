// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

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
  for (std::uint32_t i = 0; i < h.cells; ++i, at += sizeof(Cell)) {
    Cell cell;
    std::memcpy(&cell, at, sizeof cell);
    if (cell.file >= h.name_bytes) return false;
    t.lines.push_back({names + cell.file, cell.line, cell.kind, cell.counts});
  }
  t.pairs.resize(h.threads);
  std::memcpy(t.pairs.data(), at, h.threads * sizeof(Pair));
  threads.push_back(std::move(t));
  return true;
}

}  // namespace upcr::observe
