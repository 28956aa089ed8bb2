// SPDX-License-Identifier: BSD-3-Clause
// upcr_lock_put, upcr_lock_swap, upcr_lock_cswap (include/upcr/gmem_lock.h). UPC threads; not from a handler.
#include <atomic>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "include/upcr/gmem_lock.h"
#include "upcr/access/atomic.hpp"
#include "upcr/access/data.hpp"
#include "upcr/pointer/sptr_text.hpp"
#include "upcr/state/runtime.hpp"
#include "upcr/state/thread_ctx.hpp"

namespace upcr {
namespace {

SharedAddr target(const char* function, upcr_shared_ptr_t dst, int size) {
  (void)ctx(function);
  const SharedAddr at = decode(dst);
  if (size != 4 && size != 8) fatal("%s: %d bytes: such an access is of 4 or of 8", function, size);
  if (upcr_isnull_shared(dst)) fatal("%s: null pointer-to-shared", function);
  if (at.thread >= job().topology.slots())
    fatal("%s: %s: there is no UPC thread %u", function, PointerText(dst).c_str(), at.thread);
  return at;
}

AtomType type_of(int size) { return size == 4 ? AtomType::kU32 : AtomType::kU64; }

AtomWord load(const void* from, int size) {
  AtomWord word;
  std::memcpy(&word.low, from, static_cast<std::size_t>(size));
  return word;
}

}  // namespace

extern "C" {

UPCRI_API void upcr_lock_put(upcr_shared_ptr_t dst, void* val, int size) {
  const SharedAddr at = target("upcr_lock_put", dst, size);
  std::atomic_thread_fence(std::memory_order_release);
  put_bytes(at, val, static_cast<std::size_t>(size));
  ring(at.thread);
}

UPCRI_API void upcr_lock_swap(upcr_shared_ptr_t dst, void* val, void* old, int size) {
  const SharedAddr at = target("upcr_lock_swap", dst, size);
  const AtomWord before = atomic_at(at, type_of(size), AtomOp::kSwap, load(val, size));
  std::memcpy(old, &before.low, static_cast<std::size_t>(size));
}

UPCRI_API int upcr_lock_cswap(upcr_shared_ptr_t dst, void* cmp, void* val, int size) {
  const SharedAddr at = target("upcr_lock_cswap", dst, size);
  const AtomWord expected = load(cmp, size);
  const AtomWord before = atomic_at(at, type_of(size), AtomOp::kCas, expected, load(val, size));
  return std::memcmp(&before.low, &expected.low, static_cast<std::size_t>(size)) == 0;
}

}  // extern "C"

}  // namespace upcr
