// SPDX-License-Identifier: BSD-3-Clause
#include "bench/scale/growth.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace upcr::scale {
namespace {

// y = a + b * x by least squares.
std::pair<double, double> line(const Points& points) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [px, py] : points) {
    n += 1;
    x += px;
    y += py;
    xx += px * px;
    xy += px * py;
  }
  const double b = (n * xy - x * y) / (n * xx - x * x);
  return {(y - b * x) / n, b};
}

}  // namespace

Fit fit(const Points& points) {
  Fit f;
  if (points.size() < 3 || points.back().first < 8 * points.front().first) return f;
  Points logarithms, half;
  for (const auto& [ranks, y] : points) {
    logarithms.emplace_back(std::log(ranks), std::log(std::max(y, 1e-12)));
    half.emplace_back(std::log2(ranks), y);
  }
  f.enough = true;
  f.exponent = line(logarithms).second;
  std::tie(f.a, f.b) = line(half);
  for (const auto& [x, y] : half)
    f.max_deviation = std::max(f.max_deviation, std::abs(f.a + f.b * x - y) / std::max(y, 1e-12));
  return f;
}

double limit_of(Growth growth) {
  switch (growth) {
    case Growth::kConstant:
      return 0.1;
    case Growth::kLogarithmic:
      return 0.4;
    case Growth::kLinear:
      return 1.05;
  }
  return 0;
}

const char* to_string(Growth growth) {
  switch (growth) {
    case Growth::kConstant:
      return "constant";
    case Growth::kLogarithmic:
      return "logarithmic";
    case Growth::kLinear:
      return "linear";
  }
  return "?";
}

}  // namespace upcr::scale
