// SPDX-License-Identifier: BSD-3-Clause
// upcr_broadcast_put and upcr_broadcast_get (include/upcr/gmem_heap.h): a value in fragments of two words.
// UPC threads; not from a handler.
#include <algorithm>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/gmem_heap.h"
#include "upcr/barrier/small_broadcast.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

void broadcast(ThreadCtx& c, void* value, std::size_t nbytes) {
  if (UPCR_DEBUG != 0) {
    const std::uint64_t first = small_broadcast(c, 0, {{nbytes, 0}}).words[0];
    if (first != nbytes)
      fatal("upcr_broadcast_get: %zu bytes are expected, but thread 0 broadcasts %llu", nbytes,
            static_cast<unsigned long long>(first));
  }
  auto* at = static_cast<char*>(value);
  for (std::size_t n; nbytes > 0; at += n, nbytes -= n) {
    SmallValue piece{};
    n = std::min(nbytes, sizeof piece);
    if (c.thread == 0) std::memcpy(&piece, at, n);
    piece = small_broadcast(c, 0, piece);
    if (c.thread != 0) std::memcpy(at, &piece, n);
  }
}

}  // namespace

extern "C" {

UPCRI_API void upcr_broadcast_put(void* value, size_t nbytes) {
  ThreadCtx& c = ctx("upcr_broadcast_put");
  if (c.thread != 0)
    fatal("upcr_broadcast_put: only UPC thread 0 broadcasts; others call upcr_broadcast_get");
  broadcast(c, value, nbytes);
}

UPCRI_API void upcr_broadcast_get(void* value, size_t nbytes) {
  ThreadCtx& c = ctx("upcr_broadcast_get");
  if (c.thread == 0) fatal("upcr_broadcast_get: UPC thread 0 has the value, and calls upcr_broadcast_put");
  broadcast(c, value, nbytes);
}

}  // extern "C"

}  // namespace upcr
