// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/user/words.hpp"

#include <algorithm>
#include <cctype>

namespace perf::user {
namespace {

constexpr std::size_t kMaxSize = std::size_t{1} << 30;

// Adds "8" or "8..4M". False: it is neither.
bool add_range(const std::string& text, std::vector<std::size_t>* sizes) {
  const std::size_t dots = text.find("..");
  const auto first = parse_size(text.substr(0, dots));
  const auto last = dots == std::string::npos ? first : parse_size(text.substr(dots + 2));
  if (!first || !last || *first > *last || *last > kMaxSize || (*first == 0 && *last != 0)) return false;
  for (std::size_t size = *first; size <= *last; size *= 2) {
    sizes->push_back(size);
    if (size == 0) break;
  }
  return true;
}

}  // namespace

std::optional<std::size_t> parse_size(const std::string& text) {
  std::size_t value = 0, at = 0;
  for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); ++at) {
    value = value * 10 + static_cast<std::size_t>(text[at] - '0');
    if (value > kMaxSize) return std::nullopt;
  }
  if (at == 0) return std::nullopt;
  const std::string unit = text.substr(at);
  if (unit == "K" || unit == "k") return value << 10;
  if (unit == "M" || unit == "m") return value << 20;
  if (unit == "G" || unit == "g") return value << 30;
  return unit.empty() ? std::optional(value) : std::nullopt;
}

std::vector<std::size_t> parse_sizes(const std::string& text) {
  std::vector<std::size_t> sizes;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (!add_range(text.substr(at, end - at), &sizes)) return {};
    at = end + 1;
  }
  return sizes;
}

std::optional<Request> parse_request(const std::string& word, std::string* problem) {
  const std::size_t colon = word.find(':');
  Request request{word.substr(0, colon), {}};
  if (colon == std::string::npos) return request;
  request.sizes = parse_sizes(word.substr(colon + 1));
  if (!request.sizes.empty()) return request;
  *problem =
      "'" + word + "': sizes are numbers with K, M or G up to 1G, as put:8, put:8..4M or put:8,4K..64K";
  return std::nullopt;
}

}  // namespace perf::user
