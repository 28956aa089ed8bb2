// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/api/gasnet/trace/line.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace upcr::gasnet {

// The last byte is left to the line's end.
Line& Line::add(const char* format, ...) noexcept {
  const std::size_t room = sizeof text_ - 1 - size_;
  std::va_list args;
  va_start(args, format);
  const int n = std::vsnprintf(text_ + size_, room, format, args);
  va_end(args);
  size_ += std::min(static_cast<std::size_t>(std::max(n, 0)), room - 1);
  return *this;
}

std::string_view Line::finish() noexcept {
  text_[size_] = '\n';
  return {text_, size_ + 1};
}

}  // namespace upcr::gasnet
