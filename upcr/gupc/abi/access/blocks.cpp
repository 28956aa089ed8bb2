// SPDX-License-Identifier: BSD-3-Clause
// __getblk3, __putblk3, __copyblk3 and their strict (s), instrumented (g) and split forms: what compilers
// emit for structures, and for scalars whose size or alignment no mode has. Sizes are in bytes.
#include "gasp_upc.h"
#include "upcr/gupc/abi/access/access.hpp"
#include "upcr/gupc/abi/tool/tool.hpp"

namespace gupc {
namespace {

template <class Call>
void instrumented_get(int relaxed, void* dst, upc_shared_ptr_t src, std::size_t n, const char* file, int line,
                      Call call) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t from = as_upcr_pointer(src);
  events.span(GASP_UPC_GET, call, relaxed, dst, &from, n);
}

template <class Call>
void instrumented_put(int relaxed, upc_shared_ptr_t dst, const void* src, std::size_t n, const char* file,
                      int line, Call call) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t to = as_upcr_pointer(dst);
  events.span(GASP_UPC_PUT, call, relaxed, &to, src, n);
}

// GASP has one event for copies, upc_memcpy's.
template <class Call>
void instrumented_copy(upc_shared_ptr_t dst, upc_shared_ptr_t src, std::size_t n, const char* file, int line,
                       Call call) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t to = as_upcr_pointer(dst), from = as_upcr_pointer(src);
  events.span(GASP_UPC_MEMCPY, call, &to, &from, n);
}

}  // namespace

extern "C" {

void __getblk3(void* dst, upc_shared_ptr_t src, size_t n) {
  get_block<kRelaxed>(dst, gupc_checked(src, n), n);
}
void __getsblk3(void* dst, upc_shared_ptr_t src, size_t n) {
  get_block<kStrict>(dst, gupc_checked(src, n), n);
}
void __putblk3(upc_shared_ptr_t dst, void* src, size_t n) {
  put_block<kRelaxed>(gupc_checked(dst, n), src, n);
}
void __putsblk3(upc_shared_ptr_t dst, void* src, size_t n) {
  put_block<kStrict>(gupc_checked(dst, n), src, n);
}
void __copyblk3(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n) {
  copy_block<kRelaxed>(gupc_checked(dst, n), gupc_checked(src, n), n);
}
void __copysblk3(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n) {
  copy_block<kStrict>(gupc_checked(dst, n), gupc_checked(src, n), n);
}

void __getgblk5(void* dst, upc_shared_ptr_t src, size_t n, const char* file, int line) {
  instrumented_get(1, dst, src, n, file, line, [=] { __getblk3(dst, src, n); });
}
void __getsgblk5(void* dst, upc_shared_ptr_t src, size_t n, const char* file, int line) {
  instrumented_get(0, dst, src, n, file, line, [=] { __getsblk3(dst, src, n); });
}
void __putgblk5(upc_shared_ptr_t dst, void* src, size_t n, const char* file, int line) {
  instrumented_put(1, dst, src, n, file, line, [=] { __putblk3(dst, src, n); });
}
void __putsgblk5(upc_shared_ptr_t dst, void* src, size_t n, const char* file, int line) {
  instrumented_put(0, dst, src, n, file, line, [=] { __putsblk3(dst, src, n); });
}
void __copygblk5(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n, const char* file, int line) {
  instrumented_copy(dst, src, n, file, line, [=] { __copyblk3(dst, src, n); });
}
void __copysgblk5(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n, const char* file, int line) {
  instrumented_copy(dst, src, n, file, line, [=] { __copysblk3(dst, src, n); });
}

// Clang-UPC's order: shared objects are a thread and an offset, private ones follow or precede them.
void __getblk4(long thread, long offset, void* dst, size_t n) {
  get_block<kRelaxed>(dst, split(thread, offset, n), n);
}
void __getsblk4(long thread, long offset, void* dst, size_t n) {
  get_block<kStrict>(dst, split(thread, offset, n), n);
}
void __putblk4(const void* src, long thread, long offset, size_t n) {
  put_block<kRelaxed>(split(thread, offset, n), src, n);
}
void __putsblk4(const void* src, long thread, long offset, size_t n) {
  put_block<kStrict>(split(thread, offset, n), src, n);
}

}  // extern "C"

}  // namespace gupc
