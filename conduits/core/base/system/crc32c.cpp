// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/base/system/crc32c.hpp"

#if defined(UPCR_DEBUG) && UPCR_DEBUG

#  include <array>
#  include <cstring>

#  if defined(__x86_64__)
#    include <nmmintrin.h>
#    define UPCR_CRC_TARGET __attribute__((target("sse4.2")))
#  elif defined(__aarch64__)
#    include <sys/auxv.h>
#    define UPCR_CRC_TARGET
#  endif

namespace upcr {
namespace {

// x^32 + x^28 + x^27 + ... + 1, bits reversed: the lowest bit of a byte is the first one.
constexpr std::uint32_t kPolynomial = 0x82f63b78;

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1) != 0 ? kPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}
constexpr std::array<std::uint32_t, 256> kTable = make_table();

using Implementation = std::uint32_t (*)(std::uint32_t, const void*, std::size_t) noexcept;

Implementation fastest() noexcept {
  return has_crc32c_instruction() ? crc32c_by_instruction : crc32c_by_table;
}

}  // namespace

std::uint32_t crc32c_by_table(std::uint32_t crc, const void* data, std::size_t bytes) noexcept {
  const auto* at = static_cast<const unsigned char*>(data);
  crc = ~crc;
  for (; bytes != 0; --bytes, ++at) crc = (crc >> 8) ^ kTable[(crc ^ *at) & 0xff];
  return ~crc;
}

#  if defined(UPCR_CRC_TARGET)

bool has_crc32c_instruction() noexcept {
#    if defined(__x86_64__)
  return __builtin_cpu_supports("sse4.2") != 0;
#    else
  constexpr unsigned long kHwcapCrc32 = 1ul << 7;  // HWCAP_CRC32 of <asm/hwcap.h>
  return (::getauxval(AT_HWCAP) & kHwcapCrc32) != 0;
#    endif
}

UPCR_CRC_TARGET std::uint32_t crc32c_by_instruction(std::uint32_t crc, const void* data,
                                                    std::size_t bytes) noexcept {
  const auto* at = static_cast<const unsigned char*>(data);
  crc = ~crc;
  for (; bytes >= sizeof(std::uint64_t); bytes -= sizeof(std::uint64_t), at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, at, sizeof word);
#    if defined(__x86_64__)
    crc = static_cast<std::uint32_t>(_mm_crc32_u64(crc, word));
#    else
    __asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r"(crc) : "r"(word));
#    endif
  }
  for (; bytes != 0; --bytes, ++at) {
#    if defined(__x86_64__)
    crc = _mm_crc32_u8(crc, *at);
#    else
    __asm__(".arch_extension crc\n\tcrc32cb %w0, %w0, %w1" : "+r"(crc) : "r"(std::uint32_t{*at}));
#    endif
  }
  return ~crc;
}

#  else

bool has_crc32c_instruction() noexcept { return false; }
std::uint32_t crc32c_by_instruction(std::uint32_t crc, const void* data, std::size_t bytes) noexcept {
  return crc32c_by_table(crc, data, bytes);
}

#  endif

std::uint32_t crc32c(std::uint32_t crc, const void* data, std::size_t bytes) noexcept {
  static const Implementation implementation = fastest();
  return implementation(crc, data, bytes);
}

}  // namespace upcr

#endif
