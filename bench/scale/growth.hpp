// SPDX-License-Identifier: BSD-3-Clause
// How a figure grows with the number of ranks: figure ~ ranks^exponent, fitted to the logarithms by least
// squares. A logarithm has an exponent near 0 that falls as the ranks grow (0.14 from 64 to 65,536), a root
// 0.5. Pure.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace upcr::scale {

using Points = std::vector<std::pair<double, double>>;  // ranks, figure

enum class Growth : std::uint8_t { kConstant, kLogarithmic, kLinear };

struct Fit {
  bool enough = false;  // at least three points, over a factor of 8
  double exponent = 0;
  double a = 0, b = 0;       // figure = a + b * log2(ranks)
  double max_deviation = 0;  // the largest distance from that, as a part of the figure
};
Fit fit(const Points& points);
double limit_of(Growth growth);  // of the exponent
const char* to_string(Growth growth);

}  // namespace upcr::scale
