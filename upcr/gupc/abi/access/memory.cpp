// SPDX-License-Identifier: BSD-3-Clause
// upc_memget, upc_memput, upc_memcpy and upc_memset (UPC 1.3 7.2.5), for programs of GCC-UPC and Clang-UPC:
// relaxed accesses. With 0 bytes no argument is read. UPC threads.
#include <cstdio>

#include "gasp_upc.h"
#include "upcr/gupc/abi/access/access.hpp"
#include "upcr/gupc/abi/tool/tool.hpp"

namespace gupc {
namespace {

void check_private(const char* function, const void* p, std::size_t n) {
  if (UPCRI_LIKELY(p != nullptr)) return;
  char text[160];
  std::snprintf(text, sizeof text, "Invalid access via null local pointer: %s of %zu bytes", function, n);
  upcri_gupc_fatal(text);
}

}  // namespace

extern "C" {

void upc_memget(void* dst, upc_shared_ptr_t src, size_t n) {
  if (n == 0) return;
  const upcr_gmem_addr_t from = gupc_checked(src, n);
  check_private("upc_memget", dst, n);
  get_block<kRelaxed>(dst, from, n);
}

void upc_memput(upc_shared_ptr_t dst, const void* src, size_t n) {
  if (n == 0) return;
  const upcr_gmem_addr_t to = gupc_checked(dst, n);
  check_private("upc_memput", src, n);
  put_block<kRelaxed>(to, src, n);
}

void upc_memcpy(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n) {
  if (n != 0) copy_block<kRelaxed>(gupc_checked(dst, n), gupc_checked(src, n), n);
}

void upc_memset(upc_shared_ptr_t dst, int c, size_t n) {
  if (n != 0) set_block(gupc_checked(dst, n), c, n);
}

void upc_memgetg(void* dst, upc_shared_ptr_t src, size_t n, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t from = as_upcr_pointer(src);
  events.span(
      GASP_UPC_MEMGET, [=] { upc_memget(dst, src, n); }, dst, &from, n);
}
void upc_memputg(upc_shared_ptr_t dst, const void* src, size_t n, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t to = as_upcr_pointer(dst);
  events.span(
      GASP_UPC_MEMPUT, [=] { upc_memput(dst, src, n); }, &to, src, n);
}
void upc_memcpyg(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t to = as_upcr_pointer(dst), from = as_upcr_pointer(src);
  events.span(
      GASP_UPC_MEMCPY, [=] { upc_memcpy(dst, src, n); }, &to, &from, n);
}
void upc_memsetg(upc_shared_ptr_t dst, int c, size_t n, const char* file, int line) {
  const InstrumentedCall events(file, line);
  const upcr_shared_ptr_t to = as_upcr_pointer(dst);
  events.span(
      GASP_UPC_MEMSET, [=] { upc_memset(dst, c, n); }, &to, c, n);
}

}  // extern "C"

}  // namespace gupc
