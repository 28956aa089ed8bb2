// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/exchange/collection.hpp"

#include <algorithm>
#include <cstring>

namespace upcrun {

using upcr::wire::Header;
using upcr::wire::Type;

namespace {

constexpr char kTwice[] = "has started a collective before the last one was over";
constexpr char kAnother[] =
    "takes part in another collective than the others; do all processes run the same program?";

}  // namespace

Collection::Collection(unsigned first, unsigned count, unsigned size)
    : first_(first), size_(size), received_(count), arrived_(count) {}

std::string Collection::begin(const Header& header) {
  const std::uint64_t copies = header.type == Type::kBroadcast ? 1 : size_;
  if (header.total > kMaxCollectiveBytes / copies)
    return "wants to exchange " + std::to_string(header.total) + " bytes, in a job of " +
           std::to_string(size_) + " processes; upcrun exchanges at most " +
           std::to_string(kMaxCollectiveBytes / copies);
  begun_ = true;
  header_ = header;
  if (header.type == Type::kBroadcast) header_.total = 0;  // until the root's part arrives
  bytes_.assign(header.type == Type::kBroadcast ? 0 : header.total * received_.size(), '\0');
  return {};
}

// Whether the root of a broadcast is among these members.
bool Collection::has_root(unsigned member, unsigned count) const noexcept {
  return static_cast<unsigned>(header_.value) - (first_ + member) < count;
}

std::size_t Collection::offset_of(unsigned member) const noexcept {
  return header_.type == Type::kBroadcast ? 0 : header_.total * member;
}

std::string Collection::add(unsigned member, const Header& header, std::string_view chunk) {
  if (arrived_[member]) return kTwice;
  if (!begun_)
    if (std::string why = begin(header); !why.empty()) return why;
  if (header.type == Type::kBroadcast && header.type == header_.type && received_[member] == 0 &&
      has_root(member, 1)) {
    if (header.total > kMaxCollectiveBytes) return begin(header);
    header_.total = header.total;
    bytes_.assign(header.total, '\0');
  }
  const std::uint64_t expected = header.type == Type::kBroadcast && !has_root(member, 1) ? 0 : header_.total;
  if (header.type != header_.type || header.value != header_.value || header.total != expected ||
      chunk.size() > expected - received_[member])
    return kAnother;
  std::copy(chunk.begin(), chunk.end(),
            bytes_.begin() + static_cast<std::ptrdiff_t>(offset_of(member) + received_[member]));
  received_[member] += chunk.size();
  if (received_[member] < expected) return {};
  arrived_[member] = true;
  ++arrived_count_;
  return {};
}

std::string Collection::add_range(unsigned member, unsigned count, const Header& header,
                                  std::string_view bytes) {
  if (!begun_)
    if (std::string why = begin(header); !why.empty()) return why;
  for (unsigned i = member; i < member + count; ++i)
    if (arrived_[i]) return kTwice;
  const bool broadcast = header.type == Type::kBroadcast;
  if (header.type != header_.type || header.value != header_.value ||
      (!broadcast && header.total != header_.total))
    return kAnother;
  const std::uint64_t expected = !broadcast                ? header.total * count
                                 : has_root(member, count) ? header.total
                                                           : 0;
  if (bytes.size() != expected) return kAnother;
  if (broadcast && has_root(member, count)) {
    header_.total = header.total;
    bytes_.assign(bytes);
  } else {
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(offset_of(member)));
  }
  std::fill(arrived_.begin() + member, arrived_.begin() + member + count, true);
  arrived_count_ += count;
  return {};
}

Contribution Collection::take() {
  std::fill(received_.begin(), received_.end(), 0);
  std::fill(arrived_.begin(), arrived_.end(), false);
  arrived_count_ = 0;
  begun_ = false;
  return {header_, std::move(bytes_)};
}

}  // namespace upcrun
