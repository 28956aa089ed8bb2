// SPDX-License-Identifier: BSD-3-Clause
// The text of one line, in memory of its own: the trace's keeper (keeper.hpp) must not allocate any.
#pragma once
#include <cstddef>
#include <string_view>

namespace upcr::gasnet {

class Line {
 public:
  // As printf. What does not fit is cut off.
  __attribute__((format(printf, 2, 3))) Line& add(const char* format, ...) noexcept;
  const char* text() const noexcept { return text_; }  // after add()
  // The whole, with the line's end.
  std::string_view finish() noexcept;

 private:
  char text_[640];
  std::size_t size_ = 0;
};

}  // namespace upcr::gasnet
