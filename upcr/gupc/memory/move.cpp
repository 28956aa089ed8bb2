// SPDX-License-Identifier: BSD-3-Clause
#include "upcr/gupc/memory/move.hpp"

#include <algorithm>
#include <cstring>

#include "conduits/core/rma/rma.hpp"
#include "upcr/access/bulk.hpp"

namespace upcr::gupc {
namespace {

// Calls part(offset, bytes) for consecutive parts of at most `most` bytes.
template <typename Part>
void in_parts(std::size_t bytes, std::size_t most, Part&& part) {
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t n = std::min(most, bytes - at);
    part(at, n);
    at += n;
  }
}

SharedAddr operator+(SharedAddr a, std::size_t bytes) noexcept { return {a.thread, a.offset + bytes}; }

// A put whose `src` may be reused on return.
void put_a_copy(Transfers& all, unsigned access, SharedAddr dst, const void* src, std::size_t bytes) {
  char* const copy = all.bounce_buffer(bytes);
  std::memcpy(copy, src, bytes);
  Transfer& t = all.start(access, byte_range(dst, bytes));
  put_bytes_nb(dst, copy, bytes, t.pending, &t.pending);
}

// A source that is too large to copy: returns when it has been written.
void put_synchronously(Transfers& all, unsigned access, SharedAddr dst, const void* src, std::size_t bytes) {
  Transfer& t = all.start(access, byte_range(dst, bytes));
  in_parts(bytes, upcri_gmem_piece, [&](std::size_t at, std::size_t n) {
    put_bytes_nb(dst + at, static_cast<const char*>(src) + at, n, t.pending, &t.pending);
  });
  all.finish(t);
}

}  // namespace

void start_get(ThreadCtx& c, unsigned access, void* dst, SharedAddr src, std::size_t bytes) {
  if (bytes == 0) return;
  if (const void* here = mapped(src)) {
    atomic_copy(dst, here, bytes);
    return count_done(c, access, src.thread, bytes);
  }
  Transfer& t = Transfers::of(c).start(access, byte_range(src, bytes));
  in_parts(bytes, upcri_gmem_piece, [&](std::size_t at, std::size_t n) {
    get_bytes_nb(static_cast<char*>(dst) + at, src + at, n, t.pending);
  });
}

void blocking_get(ThreadCtx& c, void* dst, SharedAddr src, std::size_t bytes) {
  in_parts(bytes, upcri_gmem_piece,
           [&](std::size_t at, std::size_t n) { get_bytes(static_cast<char*>(dst) + at, src + at, n); });
  count_done(c, kRelaxedRead, src.thread, bytes);
}

void start_put(ThreadCtx& c, unsigned access, SharedAddr dst, const void* src, std::size_t bytes) {
  if (bytes == 0) return;
  if (void* here = mapped(dst)) {
    atomic_copy(here, src, bytes);
    return count_done(c, access, dst.thread, bytes);
  }
  Transfers& all = Transfers::of(c);
  if (bytes <= UPCR_GMEM_MAX_SAFE_PUT_SIZE)
    put_a_copy(all, access, dst, src, bytes);
  else
    put_synchronously(all, access, dst, src, bytes);
}

void start_copy(ThreadCtx& c, unsigned access, SharedAddr dst, SharedAddr src, std::size_t bytes) {
  if (bytes == 0) return;
  if (void* there = mapped(dst)) {
    blocking_get(c, there, src, bytes);
    return count_done(c, access, dst.thread, bytes);
  }
  Transfers& all = Transfers::of(c);
  in_parts(bytes, UPCR_GMEM_PUT_BOUNCE_BUFFER_SIZE, [&](std::size_t at, std::size_t n) {
    char* const data = all.bounce_buffer(n);
    blocking_get(c, data, src + at, n);
    Transfer& t = all.start(access, byte_range(dst + at, n));
    put_bytes_nb(dst + at, data, n, t.pending, &t.pending);
  });
}

void start_set(ThreadCtx& c, unsigned access, SharedAddr dst, int byte, std::size_t bytes) {
  if (bytes == 0) return;
  if (void* here = mapped(dst)) {
    std::memset(here, byte, bytes);
    return count_done(c, access, dst.thread, bytes);
  }
  Transfer& t = Transfers::of(c).start(access, byte_range(dst, bytes));
  in_parts(bytes, upcri_gmem_piece,
           [&](std::size_t at, std::size_t n) { fill_bytes_nb(dst + at, byte, n, t.pending); });
}

}  // namespace upcr::gupc
