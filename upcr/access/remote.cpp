// SPDX-License-Identifier: BSD-3-Clause
// Blocking access off the fast path: memory that is not mapped here, sizes that are not constant. Called
// by the inlined code of access.h and val.h, on UPC threads, not in a handler. The arguments were checked
// there when this is a debug build.
#include "conduits/core/memory/copy.hpp"
#include "conduits/core/progress/progress.hpp"
#include "include/upcr/access.h"
#include "include/upcr/val.h"
#include "upcr/access/data.hpp"
#include "upcr/observe/span.hpp"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

SharedAddr at(upcr_pshared_ptr_t p, std::ptrdiff_t offset) noexcept {
  return {upcri_thread_pshared(p), upcri_offset_pshared(p) + static_cast<std::uint64_t>(offset)};
}

}  // namespace

extern "C" {

UPCRI_API int upcri_fence_order = 0;

UPCRI_API void upcri_put_val_far(upcr_pshared_ptr_t dest, ptrdiff_t offset, upcr_register_value_t value,
                                 size_t n) {
  const observe::Span span(observe::Kind::kPut, {n, observe::kNobody, upcri_thread_pshared(dest)});
  put_bytes(at(dest, offset), &value, n);  // little-endian: the low bytes come first
}

UPCRI_API upcr_register_value_t upcri_get_val_far(upcr_pshared_ptr_t src, ptrdiff_t offset, size_t n) {
  const observe::Span span(observe::Kind::kGet, {n, upcri_thread_pshared(src)});
  upcr_register_value_t value = 0;
  get_bytes(&value, at(src, offset), n);
  return value;
}

UPCRI_API void upcri_put_any(upcr_pshared_ptr_t dest, ptrdiff_t offset, const void* src, size_t n) {
  const observe::Span span(observe::Kind::kPut, {n, observe::kNobody, upcri_thread_pshared(dest)});
  put_bytes(at(dest, offset), src, n);
}

UPCRI_API void upcri_get_any(void* dest, upcr_pshared_ptr_t src, ptrdiff_t offset, size_t n) {
  const observe::Span span(observe::Kind::kGet, {n, upcri_thread_pshared(src)});
  get_bytes(dest, at(src, offset), n);
}

UPCRI_API void upcri_get_far(void* dest, upcr_pshared_ptr_t src, ptrdiff_t offset, size_t n) {
  const observe::Span span(observe::Kind::kGet, {n, upcri_thread_pshared(src)});
  get_bytes(dest, at(src, offset), n);
}

static_assert(UPCRI_COPY_STREAM == kMinStream);
UPCRI_API void upcri_copy_far(void* dst, const void* src, size_t n) { atomic_copy(dst, src, n); }

UPCRI_API void upcri_strict_poll(void) { (void)job().progress.poll(); }

}  // extern "C"
}  // namespace upcr
