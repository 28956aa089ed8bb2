// SPDX-License-Identifier: BSD-3-Clause
// Casts of pointers-to-shared to private ones. Clang-UPC emits __getaddr; __cvtaddr does not check
// affinity, and works for any object that is mapped in this process. Null becomes NULL. UPC threads.
#include <cstdint>

#include "upcr/gupc/abi/pointer/convert.h"
#include "upcr/gupc/abi/pointer/position.hpp"

namespace gupc {
namespace {

void* address_of(upc_shared_ptr_t p) {
  const upcr_gmem_addr_t a = gupc_checked(p, 0);  // also the address after an object may be cast
  const std::uintptr_t base = upcri_window.bases[a.thread];
  if (base == 0) upcri_gupc_refuse_cast(p);
  return reinterpret_cast<void*>(base + a.offset);
}

}  // namespace

extern "C" {

void* __getaddr(upc_shared_ptr_t p) {
  if (gupc_is_null(p)) return nullptr;
  void* const address = address_of(p);
  if (gupc_thread(p) != upcri_mythread_) upcri_gupc_refuse_cast(p);
  return address;
}

void* __cvtaddr(upc_shared_ptr_t p) { return gupc_is_null(p) ? nullptr : address_of(p); }

void* __getaddrg(upc_shared_ptr_t p, const char* file, int line) { return at(file, line), __getaddr(p); }
void* __cvtaddrg(upc_shared_ptr_t p, const char* file, int line) { return at(file, line), __cvtaddr(p); }

}  // extern "C"

}  // namespace gupc
