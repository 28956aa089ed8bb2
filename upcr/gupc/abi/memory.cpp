// SPDX-License-Identifier: BSD-3-Clause
// upc_memget, upc_memput, upc_memcpy and upc_memset (UPC 1.3 7.2.5), for programs of GCC-UPC and Clang-UPC:
// relaxed accesses. What is mapped here is copied here, unless accesses under way have to be asked first.
// Nothing is looked at when there are 0 bytes. UPC threads.
#include <cstdio>
#include <cstring>

#include "gasp_upc.h"
#include "upcr/gupc/abi/access.hpp"
#include "upcr/gupc/abi/tool.hpp"

using namespace gupc;

namespace {

void check_private(const char* function, const void* p, std::size_t n) {
  if (UPCRI_LIKELY(p != nullptr)) return;
  char text[160];
  std::snprintf(text, sizeof text, "Invalid access via null local pointer: %s of %zu bytes", function, n);
  upcri_gupc_fatal(text);
}

// The engine's turn: what table 5.3 of the design has for these calls.
void enter() { upcri_gupc_sync(UPCRI_GUPC_MEMCPY); }

}  // namespace

extern "C" {

void upc_memget(void* dst, upc_shared_ptr_t src, size_t n) {
  if (n == 0) return;
  const upcr_gmem_addr_t from = gupc_checked(src, n);
  check_private("upc_memget", dst, n);
  if (const void* p = direct<kRelaxed>(from)) {
    serve_now_and_then();
    std::memcpy(dst, p, n);
    return;
  }
  enter();
  upcri_gupc_get(dst, from, n, 0);
}

void upc_memput(upc_shared_ptr_t dst, const void* src, size_t n) {
  if (n == 0) return;
  const upcr_gmem_addr_t to = gupc_checked(dst, n);
  check_private("upc_memput", src, n);
  if (void* p = direct<kRelaxed>(to)) {
    std::memcpy(p, src, n);
    return;
  }
  enter();
  upcri_gupc_put(to, src, n, 0);
}

void upc_memcpy(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n) {
  if (n == 0) return;
  const upcr_gmem_addr_t to = gupc_checked(dst, n), from = gupc_checked(src, n);
  void* const p = direct<kRelaxed>(to);
  const void* const q = direct<kRelaxed>(from);
  if (p != nullptr && q != nullptr) {
    std::memcpy(p, q, n);
    return;
  }
  enter();
  upcri_gupc_copy(to, from, n, 0);
}

void upc_memset(upc_shared_ptr_t dst, int c, size_t n) {
  if (n == 0) return;
  const upcr_gmem_addr_t to = gupc_checked(dst, n);
  if (void* p = direct<kRelaxed>(to)) {
    std::memset(p, c, n);
    return;
  }
  enter();
  upcri_gupc_set(to, c, n, 0);
}

void upc_memgetg(void* dst, upc_shared_ptr_t src, size_t n, const char* file, int line) {
  const Told told(file, line);
  const upcr_shared_ptr_t from = as_told(src);
  told.span(
      GASP_UPC_MEMGET, [=] { upc_memget(dst, src, n); }, dst, &from, n);
}
void upc_memputg(upc_shared_ptr_t dst, const void* src, size_t n, const char* file, int line) {
  const Told told(file, line);
  const upcr_shared_ptr_t to = as_told(dst);
  told.span(
      GASP_UPC_MEMPUT, [=] { upc_memput(dst, src, n); }, &to, src, n);
}
void upc_memcpyg(upc_shared_ptr_t dst, upc_shared_ptr_t src, size_t n, const char* file, int line) {
  const Told told(file, line);
  const upcr_shared_ptr_t to = as_told(dst), from = as_told(src);
  told.span(
      GASP_UPC_MEMCPY, [=] { upc_memcpy(dst, src, n); }, &to, &from, n);
}
void upc_memsetg(upc_shared_ptr_t dst, int c, size_t n, const char* file, int line) {
  const Told told(file, line);
  const upcr_shared_ptr_t to = as_told(dst);
  told.span(
      GASP_UPC_MEMSET, [=] { upc_memset(dst, c, n); }, &to, c, n);
}

}  // extern "C"
