// SPDX-License-Identifier: BSD-3-Clause
// gasnett_checksum and gasnett_count0s*: sums over bytes. Any thread.
#include "include/gasnet/tools/data.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace {

std::uint64_t load_word(const void* at) noexcept {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The finaliser of MurmurHash3 (Appleby): every bit of the result depends on every bit of `x`.
std::uint64_t mix(std::uint64_t x) noexcept {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdu;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53u;
  return x ^ (x >> 33);
}

}  // namespace

extern "C" {

uint64_t gasnett_checksum(const void* data, int n) {
  const auto* at = static_cast<const unsigned char*>(data);
  auto left = static_cast<std::size_t>(n > 0 ? n : 0);
  std::uint64_t sum = mix(left + 1);
  for (; left >= sizeof sum; at += sizeof sum, left -= sizeof sum)
    sum = std::rotl(sum, 27) * 5 + mix(load_word(at));
  std::uint64_t tail = 0;
  if (left > 0) std::memcpy(&tail, at, left);
  return mix(std::rotl(sum, 27) * 5 + mix(tail));
}

size_t gasnett_count0s(const void* data, size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(data);
  std::size_t zeros = 0;
  for (; bytes >= 8; at += 8, bytes -= 8)
    zeros += static_cast<unsigned>(gasnett_count0s_uint64_t(load_word(at)));
  for (; bytes > 0; ++at, --bytes) zeros += *at == 0;
  return zeros;
}

size_t gasnett_count0s_copy(void* dst, const void* src, size_t bytes) {
  constexpr std::size_t kBlock = 16384;  // counted while it is in the nearest cache
  std::size_t zeros = 0;
  for (std::size_t at = 0; at < bytes; at += kBlock) {
    const std::size_t n = bytes - at < kBlock ? bytes - at : kBlock;
    std::memcpy(static_cast<char*>(dst) + at, static_cast<const char*>(src) + at, n);
    zeros += gasnett_count0s(static_cast<const char*>(dst) + at, n);
  }
  return zeros;
}

}  // extern "C"
