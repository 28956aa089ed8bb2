// SPDX-License-Identifier: BSD-3-Clause
// Copies of one element of a non-contiguous copy: by instructions for exactly its size if they exist, because
// a call or a variable size per element costs many times the copy itself. For the loops of kernels.cpp and of
// lists (upcr/vis/local_lists.cpp). Any thread.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>

namespace upcr {

// Exactly `N` bytes:
template <std::size_t N>
struct Exact {
  struct Bytes {
    char of[N];
  };
  static constexpr std::size_t size() noexcept { return N; }
  static Bytes load(const char* from) noexcept {
    Bytes b;
    std::memcpy(&b, from, N);
    return b;
  }
  static void store(char* to, const Bytes& b) noexcept { std::memcpy(to, &b, N); }
  void operator()(char* to, const char* from) const noexcept { std::memcpy(to, from, N); }
};
// Several may be loaded before the first is stored.
template <typename Copy>
inline constexpr bool kCopyFitsRegisters = false;
template <std::size_t N>
inline constexpr bool kCopyFitsRegisters<Exact<N>> = N <= 16;

// More than N, at most 2 N: two moves that overlap.
template <std::size_t N>
struct Twice {
  std::size_t tail;  // where the second one begins
  std::size_t size() const noexcept { return N + tail; }
  void operator()(char* to, const char* from) const noexcept {
    char first[N], second[N];
    std::memcpy(first, from, N);
    std::memcpy(second, from + tail, N);
    std::memcpy(to, first, N);
    std::memcpy(to + tail, second, N);
  }
};
struct Any {
  std::size_t bytes;
  std::size_t size() const noexcept { return bytes; }
  void operator()(char* to, const char* from) const noexcept { std::memcpy(to, from, bytes); }
};

// body(copy) with the best copy for elements of this size, which is not 0.
template <typename Body>
auto with_copy(std::size_t elem, Body&& body) {
  switch (elem) {
    case 1:
      return body(Exact<1>{});
    case 2:
      return body(Exact<2>{});
    case 4:
      return body(Exact<4>{});
    case 8:
      return body(Exact<8>{});
    case 16:
      return body(Exact<16>{});
    case 32:
      return body(Exact<32>{});
    case 64:
      return body(Exact<64>{});
    default:
      break;
  }
  if (elem > 64) return body(Any{elem});
  if (elem > 32) return body(Twice<32>{elem - 32});
  if (elem > 16) return body(Twice<16>{elem - 16});
  if (elem > 8) return body(Twice<8>{elem - 8});
  if (elem > 4) return body(Twice<4>{elem - 4});
  return body(Twice<2>{1});
}

// N to 4 N bytes without a branch: four moves that overlap.
template <std::size_t N>
inline void copy_four_times(char* to, const char* from, std::size_t bytes) noexcept {
  const std::size_t last = bytes - N, second = std::min(N, last), third = last > N ? last - N : 0;
  const auto a = Exact<N>::load(from), b = Exact<N>::load(from + second), c = Exact<N>::load(from + third),
             d = Exact<N>::load(from + last);
  Exact<N>::store(to, a);
  Exact<N>::store(to + second, b);
  Exact<N>::store(to + third, c);
  Exact<N>::store(to + last, d);
}

// Copies one piece of a length that is known at run time only, not 0: without a call if a few registers hold
// it, and with few branches, which the processor would mispredict for changing lengths.
inline void copy_some(char* to, const char* from, std::size_t bytes) noexcept {
  if (bytes > 64)
    std::memcpy(to, from, bytes);
  else if (bytes > 32)
    copy_four_times<16>(to, from, bytes);
  else if (bytes >= 8)
    copy_four_times<8>(to, from, bytes);
  else if (bytes >= 2)
    copy_four_times<2>(to, from, bytes);
  else
    *to = *from;
}

}  // namespace upcr
