// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/memory/copy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#  include <emmintrin.h>
#endif

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/memory/caches.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_STREAM_SIZE", ConfigType::kSize, nullptr,
     "copies of this size and more between memories of one host bypass the caches; less than 8MB counts as "
     "8MB; unset: half of the last-level cache, 8MB to 1GB"},
};
ConfigTable table("copy", kVars);

template <typename T>
bool copy_one(void* dst, const void* src) noexcept {
  const auto both = reinterpret_cast<std::uintptr_t>(dst) | reinterpret_cast<std::uintptr_t>(src);
  if (both % sizeof(T) != 0) return false;
  __atomic_store_n(static_cast<T*>(dst), __atomic_load_n(static_cast<const T*>(src), __ATOMIC_RELAXED),
                   __ATOMIC_RELAXED);
  return true;
}

#ifdef __SSE2__
constexpr std::size_t kLine = 64, kPage = 4096, kPages = 4, kAhead = 2 * kLine;

// Copies one line to an aligned address by streaming stores.
inline void stream_line(char* dst, const char* src) noexcept {
  const auto* from = reinterpret_cast<const __m128i*>(src);
  auto* to = reinterpret_cast<__m128i*>(dst);
  const __m128i a = _mm_loadu_si128(from), b = _mm_loadu_si128(from + 1), c = _mm_loadu_si128(from + 2),
                d = _mm_loadu_si128(from + 3);
  _mm_stream_si128(to, a);
  _mm_stream_si128(to + 1, b);
  _mm_stream_si128(to + 2, c);
  _mm_stream_si128(to + 3, d);
}

// Copies line by line through several pages at once, which keeps more of the memory's banks and of the
// processor's prefetchers busy. Only the fence orders streaming stores.
void stream(char* dst, const char* src, std::size_t bytes) noexcept {
  const std::size_t head = -reinterpret_cast<std::uintptr_t>(dst) % kLine;
  std::memcpy(dst, src, head);
  dst += head, src += head, bytes -= head;
  for (; bytes >= kPages * kPage; bytes -= kPages * kPage) {
    for (std::size_t at = 0; at < kPage; at += kLine) {
      for (std::size_t page = 0; page < kPages; ++page) {
        _mm_prefetch(src + page * kPage + at + kAhead, _MM_HINT_T0);
        stream_line(dst + page * kPage + at, src + page * kPage + at);
      }
    }
    dst += kPages * kPage, src += kPages * kPage;
  }
  _mm_sfence();
  std::memcpy(dst, src, bytes);
}

bool overlap(const char* a, const char* b, std::size_t bytes) noexcept {
  return static_cast<std::size_t>(a < b ? b - a : a - b) < bytes;
}
#endif

void copy_many(void* dst, const void* src, std::size_t bytes) noexcept {
#ifdef __SSE2__
  auto* to = static_cast<char*>(dst);
  const auto* from = static_cast<const char*>(src);
  if (bytes >= kMinStream && bytes >= stream_bytes() && !overlap(to, from, bytes))
    return stream(to, from, bytes);
#endif
  std::memmove(dst, src, bytes);
}

}  // namespace

std::size_t stream_bytes_beside(std::size_t cache) noexcept {
  return std::clamp(cache / 2, kMinStream, kMaxStream);
}

std::size_t stream_bytes() noexcept {
  static const std::size_t bytes = config_is_set("UPCR_STREAM_SIZE")
                                       ? std::max<std::size_t>(config_size("UPCR_STREAM_SIZE"), kMinStream)
                                       : stream_bytes_beside(last_level_cache());
  return bytes;
}

void atomic_copy(void* dst, const void* src, std::size_t bytes) noexcept {
  switch (bytes) {
    case 0:
      return;
    case 1:
      if (copy_one<std::uint8_t>(dst, src)) return;
      break;
    case 2:
      if (copy_one<std::uint16_t>(dst, src)) return;
      break;
    case 4:
      if (copy_one<std::uint32_t>(dst, src)) return;
      break;
    case 8:
      if (copy_one<std::uint64_t>(dst, src)) return;
      break;
    default:
      break;
  }
  copy_many(dst, src, bytes);
}

}  // namespace upcr
