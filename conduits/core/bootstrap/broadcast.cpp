// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/bootstrap/broadcast.hpp"

#include <cstdint>
#include <vector>

namespace upcr {

std::string broadcast(Bootstrap& bootstrap, Rank root, const std::string& text) {
  const std::uint64_t length = text.size();
  std::vector<std::uint64_t> lengths(bootstrap.size());
  bootstrap.allgather(&length, sizeof length, lengths.data());
  std::string part = text;
  part.resize(lengths[root]);
  std::string all(part.size() * bootstrap.size(), '\0');
  bootstrap.allgather(part.data(), part.size(), all.data());
  return all.substr(part.size() * root, part.size());
}

}  // namespace upcr
