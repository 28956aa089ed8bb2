// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upc2c/text/names.hpp"

namespace upc2c {
namespace {

std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash ^ (hash >> 15);
}

}  // namespace

NameTable::NameTable() : texts_(1), hashes_(1), slots_(1 << 14) { texts_.reserve(1 << 13); }

std::size_t NameTable::slot_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at] != 0 && (hashes_[slots_[at]] != hash || texts_[slots_[at]] != text)) at = (at + 1) & mask;
  return at;
}

NameId NameTable::find(std::string_view text) const { return slots_[slot_of(text, hash_of(text))]; }

NameId NameTable::intern(std::string_view text) {
  const std::uint32_t hash = hash_of(text);
  const std::size_t at = slot_of(text, hash);
  if (slots_[at] != 0) return slots_[at];
  const auto id = static_cast<NameId>(texts_.size());
  texts_.push_back(text);
  hashes_.push_back(hash);
  slots_[at] = id;
  if (texts_.size() * 2 > slots_.size()) grow();
  return id;
}

void NameTable::grow() {
  slots_.assign(slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (NameId id = 1; id < texts_.size(); id++) {
    std::size_t at = hashes_[id] & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = id;
  }
}

}  // namespace upc2c
