// SPDX-License-Identifier: BSD-3-Clause
// Memory in the shared file: blocks of powers of two, which are used again for the same size.
#pragma once
#include <cstddef>
#include <cstdint>

namespace emulated {

using Offset = std::uint64_t;  // from the beginning of the shared file; 0: none

class Heap {
 public:
  static constexpr std::size_t kFileBytes = std::size_t{8} << 30;  // of a sparse file

  void open(Offset first) noexcept { end_ = (first + 63) / 64 * 64; }
  // `base`: where this process has mapped the file. 0 if there is no more memory. The content is not cleared.
  Offset allocate(std::size_t bytes, std::byte* base) noexcept;
  void release(Offset block, std::size_t bytes, std::byte* base) noexcept;

 private:
  static unsigned class_of(std::size_t bytes) noexcept;

  Offset end_ = 0;
  Offset free_[48] = {};
};

}  // namespace emulated
