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

// Joins two measurements of the same sizes into one in which the window wins only where it wins in both: the
// better time of the messages, the worse time of the window. A size that one of them lacks is not measured.
std::vector<Measured> confirmed(std::span<const Measured> first, std::span<const Measured> second);

// Plain data: sent as bytes.
class Choice {
 public:
  // Everything by messages.
  constexpr Choice() = default;
  // Everything that the window supports goes through it.
  static Choice window(bool puts, bool gets) noexcept;
  // Chooses the window where it takes less than `part` of the messages' time. kClearWin: a smaller difference
  // may be noise. kNoClearLoss: where threads share CPUs, a window that needs none of the target's may even
  // take a tenth longer. Between two sizes with different choices the border is their geometric
  // mean; the choice of the smallest size holds for everything below it, that of the largest for everything
  // above. `sizes` ascend.
  void learn(Access access, std::span<const Measured> sizes, double part = kClearWin) noexcept;
  static constexpr double kClearWin = 0.8, kNoClearLoss = 1.1;

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
