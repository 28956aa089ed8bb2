// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcr_report/gasnet_text.hpp"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace upcr_report {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

bool GasnetLine::read(std::string_view text) {
  const std::string line(text);
  std::int64_t seconds = 0, fraction = 0;
  int length = 0;
  if (std::sscanf(line.c_str(), "%u(%x) %" SCNd64 ".%9" SCNd64 "> (%c) %n", &node, &thread, &seconds,
                  &fraction, &letter, &length) != 5 ||
      length == 0)
    return false;
  ns = seconds * kSecond + fraction;
  text.remove_prefix(static_cast<std::size_t>(length));
  const std::size_t end = letter == 'I' ? text.size() : std::min(text.find_first_of(": "), text.size());
  name = text.substr(0, end);
  rest = text.substr(end);
  if (!rest.empty() && rest[0] == ':') rest.remove_prefix(1);
  return true;
}

bool GasnetStart::read(const GasnetLine& line) {
  const std::string text(line.name);
  std::int64_t seconds = 0, fraction = 0, real = 0, real_fraction = 0;
  char name[256];
  int length = 0;
  if (line.letter != 'I' ||
      std::sscanf(text.c_str(),
                  "node %u of %u, pid %u, host %255[^,], clock %" SCNd64 ".%9" SCNd64 " (%" SCNd64
                  ".%9" SCNd64 "): %n",
                  &node, &nodes, &pid, name, &seconds, &fraction, &real, &real_fraction, &length) != 8 ||
      length == 0)
    return false;
  monotonic_ns = seconds * kSecond + fraction;
  real_ns = real * kSecond + real_fraction;
  host = name;
  program = text.substr(static_cast<std::size_t>(length));
  return true;
}

bool is_gasnet_text(std::string_view text) {
  constexpr unsigned kLines = 10;
  for (unsigned i = 0; i < kLines && !text.empty(); ++i) {
    const std::size_t end = text.find('\n');
    GasnetLine line;
    if (line.read(text.substr(0, end))) return true;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return false;
}

bool is_gasnet_trace(const std::vector<std::string>& texts) {
  return std::any_of(texts.begin(), texts.end(), [](std::string_view text) {
    bool found = false;
    for_each_gasnet_line(text, [&](const GasnetLine& line) { found = found || line.is_operation(); });
    return found;
  });
}

std::map<unsigned, GasnetStart> gasnet_starts(const std::vector<std::string>& texts) {
  std::map<unsigned, GasnetStart> starts;
  for (const std::string& text : texts)
    for_each_gasnet_line(text, [&](const GasnetLine& line) {
      GasnetStart start;
      if (!start.read(line)) return;
      const auto [known, added] = starts.try_emplace(start.node, start);
      const bool same = known->second.pid == start.pid && known->second.monotonic_ns == start.monotonic_ns;
      if (!added && !same)
        throw std::runtime_error("node " + std::to_string(start.node) +
                                 " has started more than once: the files are of several jobs");
    });
  return starts;
}

double number_after(std::string_view text, std::string_view name, double otherwise) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return otherwise;
  const double number = std::strtod(std::string(text.substr(at + name.size(), 32)).c_str(), nullptr);
  return std::isfinite(number) && number >= 0 ? number : otherwise;
}

std::uint64_t to_count(double number) {
  return number < 1e18 ? static_cast<std::uint64_t>(std::llround(number)) : 0;
}

}  // namespace upcr_report
