// SPDX-License-Identifier: BSD-3-Clause
// Lines of the source of code addresses, of inlined functions too, asked of addr2line (binutils) in a child
// process: reading debug information takes memory and code that a crashed process should not rely on.
// Async-signal-safe; an object is some 20 KiB.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace upcr {

class SourceLines {
 public:
  static constexpr std::size_t kMaxAddresses = 64;

  // Asks for addresses of one file, as it was linked. False: there is no addr2line, the program has
  // privileges that its user lacks, or there was no answer within some seconds: asking again is of no use.
  bool ask(const char* file, const std::uint64_t* addresses, std::size_t count) noexcept;

  // A function at an address: the innermost first, the one that holds the others' code last.
  struct Place {
    std::string_view function, line;  // "inner", "heat.upc:12"; empty: not known
  };
  // The n-th function at the i-th address, and whether there is one.
  bool place(std::size_t i, std::size_t n, Place* place) const noexcept;

 private:
  void split(std::size_t bytes) noexcept;

  std::array<char, 16 << 10> text_{};  // the answer
  std::array<std::string_view, kMaxAddresses> answers_{};
};

}  // namespace upcr
