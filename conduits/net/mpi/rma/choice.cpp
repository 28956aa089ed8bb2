// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/mpi/rma/choice.hpp"

#include <algorithm>

#include "conduits/core/base/config/config.hpp"

namespace upcr::mpi {
namespace {

constexpr double kClearWin = 0.8, kNoClearLoss = 1.1;

bool window_wins(const Measured& m, Favoured favoured) noexcept {
  if (m.window_ns <= 0) return false;
  const double part = favoured == Favoured::kWindow ? kNoClearLoss : kClearWin;
  return m.messages_ns <= 0 || m.window_ns < part * m.messages_ns;
}

std::uint64_t from_class(unsigned k) noexcept { return ~std::uint64_t{0} << k; }

std::string size_text(std::size_t bytes) {
  char text[32];
  return format_size(bytes, text, sizeof text);
}

}  // namespace

double deciding_time(std::vector<double> times, bool oversubscribed) {
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  return times[oversubscribed ? times.size() / 2 : 0];
}

Favoured favoured_path(bool target_oversubscribed, bool asynchronous) noexcept {
  return target_oversubscribed && asynchronous ? Favoured::kWindow : Favoured::kMessages;
}

// The two paths of one measurement took turns, so their times can be compared. Those of two measurements
// cannot: the machine's speed changes.
std::vector<Measured> confirmed(std::span<const Measured> first, std::span<const Measured> second,
                                Favoured favoured) {
  std::vector<Measured> both;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    const Measured &a = first[i], &b = second[i];
    const bool first_is_better_for_window = a.window_ns * b.messages_ns < b.window_ns * a.messages_ns;
    both.push_back(first_is_better_for_window == (favoured == Favoured::kWindow) ? a : b);
    if (a.window_ns <= 0 || b.window_ns <= 0) both.back().window_ns = 0;
  }
  return both;
}

Choice Choice::window(bool puts, bool gets) noexcept {
  const std::uint64_t all = (std::uint64_t{1} << kClasses) - 1;
  Choice c;
  c.classes_ = {puts ? all : 0, gets ? all : 0};
  return c;
}

void Choice::learn(Access access, std::span<const Measured> sizes, Favoured favoured) noexcept {
  bool window = favoured == Favoured::kWindow;  // the choice for everything above the sizes so far
  std::uint64_t classes = window ? from_class(0) : 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool wins = window_wins(sizes[i], favoured);
    if (wins == window) continue;
    // Half of the bits between the two sizes: their geometric mean, to the precision of the classes.
    const unsigned border =
        i == 0 ? 0 : (size_class(sizes[i - 1].bytes) + size_class(sizes[i].bytes) + 1) / 2;
    classes = wins ? classes | from_class(border) : classes & ~from_class(border);
    window = wins;
  }
  classes_[static_cast<unsigned>(access)] = classes & ((std::uint64_t{1} << kClasses) - 1);
}

std::string Choice::describe(std::uint64_t classes) {
  const auto path = [&](unsigned k) {
    return (classes >> k & 1) != 0 ? "through the window" : "by messages";
  };
  std::string text = path(0);
  for (unsigned k = 1; k < kClasses; ++k) {
    if ((classes >> k & 1) == (classes >> (k - 1) & 1)) continue;
    text += " below " + size_text(std::size_t{1} << (k - 1)) + " and " + path(k);
  }
  return text;
}

std::string Choice::describe() const {
  const std::string puts = describe(classes_[0]), gets = describe(classes_[1]);
  if (puts == gets) return "puts and gets " + puts;
  return "puts " + puts + ", gets " + gets;
}

}  // namespace upcr::mpi
