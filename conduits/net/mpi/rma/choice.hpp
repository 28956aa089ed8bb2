// SPDX-License-Identifier: BSD-3-Clause
// Which operations go through the window and which by messages, by operation and size. Pure: no MPI, no
// clock. Made once by attach() from measured times and sent to every process; read by put() and get() on any
// thread.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace upcr::mpi {

enum class Access : std::uint8_t { kPut, kGet };

// The times of one size by both paths. 0: not measured, or not supported.
struct Measured {
  std::size_t bytes;
  double messages_ns, window_ns;
};

// The time that decides, of several of one size by one path: the least one; the median where threads share
// CPUs, because a message then often waits until its target has one, and the least time is that of a target
// which had one. 0: there are none.
double deciding_time(std::vector<double> times, bool oversubscribed);

// The path that operations take unless the other one is clearly faster in both of two measurements.
enum class Favoured : std::uint8_t { kMessages, kWindow };

// The window where threads share the target's CPUs and puts through the window need none of these.
Favoured favoured_path(bool target_oversubscribed, bool asynchronous) noexcept;

// Of two measurements of each size, the one that is better for the favoured path, so that the other path has
// to win both. A size that one of them lacks is not measured.
std::vector<Measured> confirmed(std::span<const Measured> first, std::span<const Measured> second,
                                Favoured favoured);

// Plain data: sent as bytes.
class Choice {
 public:
  // Everything by messages.
  constexpr Choice() = default;
  // Everything that the window supports goes through it.
  static Choice window(bool puts, bool gets) noexcept;
  // Chooses by measured times; `sizes` ascend. The window wins where it takes less than 0.8 of the messages'
  // time; if it is favoured, less than 1.1. Between two sizes with different choices the border is their
  // geometric mean; the choice of the smallest size holds for everything below it, that of the largest for
  // everything above. No sizes: the favoured path.
  void learn(Access access, std::span<const Measured> sizes, Favoured favoured) noexcept;

  bool through_window(Access access, std::size_t bytes) const noexcept {
    return (classes_[static_cast<unsigned>(access)] >> size_class(bytes) & 1) != 0;
  }
  bool any(Access access) const noexcept { return classes_[static_cast<unsigned>(access)] != 0; }
  bool operator==(const Choice&) const = default;

  // "puts by messages, gets by messages below 4096 bytes and through the window above"; "puts and gets by
  // messages".
  std::string describe() const;

 private:
  // Class k: sizes of k significant bits, so 2^(k-1) .. 2^k - 1; the last one: everything above.
  static constexpr unsigned kClasses = 40;
  static unsigned size_class(std::size_t bytes) noexcept {
    const unsigned bits = bytes == 0 ? 0 : 64 - static_cast<unsigned>(__builtin_clzll(bytes));
    return bits < kClasses ? bits : kClasses - 1;
  }
  static std::string describe(std::uint64_t classes);

  std::array<std::uint64_t, 2> classes_{};  // a bit for each class: through the window
};

}  // namespace upcr::mpi
