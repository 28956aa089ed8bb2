// SPDX-License-Identifier: BSD-3-Clause
// The counts of a thread as one block.
#include "upcr/observe/block.hpp"

#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "upcr/observe/thread.hpp"

namespace upcr::observe {
namespace {

// The names of a block, each of them once.
class Names {
 public:
  std::uint32_t offset_of(const char* name) {
    if (name == nullptr) return 0;
    const auto [found, added] = offsets_.try_emplace(name, static_cast<std::uint32_t>(text_.size()));
    if (added)
      text_.insert(text_.end(), found->first.c_str(), found->first.c_str() + found->first.size() + 1);
    return found->second;
  }
  const std::vector<char>& text() const { return text_; }

 private:
  std::vector<char> text_ = {'\0'};
  std::map<std::string, std::uint32_t> offsets_;
};

template <typename T>
void append(std::vector<char>& block, const T* first, std::size_t count) {
  const char* const bytes = reinterpret_cast<const char*>(first);
  block.insert(block.end(), bytes, bytes + count * sizeof(T));
}

}  // namespace

std::vector<char> Thread::block() const {
  const Moment now = Moment::now();
  const TickLength tick(start_, now);
  Names names;
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (is_counter(keys_[i].kind)) continue;
    Cell cell{keys_[i].kind, names.offset_of(keys_[i].file), keys_[i].line, 0, counts_[i]};
    for (std::uint64_t* time : {&cell.counts.time, &cell.counts.waited, &cell.counts.held})
      *time = tick.ns(*time);
    cells.push_back(cell);
  }
  BlockHeader header{};
  header.magic = kBlockMagic;
  header.thread = thread_;
  header.threads = threads_;
  header.cells = static_cast<std::uint32_t>(cells.size());
  header.name_bytes = static_cast<std::uint32_t>(names.text().size());
  header.rank = rank_;
  header.ranks = ranks_;
  header.duration = now.ns - start_.ns;
  header.lost = lost_;
  (void)::gethostname(header.host, sizeof header.host - 1);
  std::vector<char> block;
  block.reserve(block_bytes(header));
  append(block, &header, 1);
  append(block, cells.data(), cells.size());
  append(block, pairs_.data(), pairs_.size());
  append(block, names.text().data(), names.text().size());
  return block;
}

}  // namespace upcr::observe
