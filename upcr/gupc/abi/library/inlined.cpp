// SPDX-License-Identifier: BSD-3-Clause
// The functions that accesses call which compilers have inlined from libupc: they return a local address,
// and the inlined code loads or stores there. So only memory that is mapped in the process can be reached.
// The inlined code has the fences of strict accesses, but does not pass which ones are strict. UPC threads.
#include <cstdint>

#include "upcr/gupc/abi/access/access.hpp"
#include "upcr/gupc/abi/library/call.hpp"

namespace gupc {

extern "C" {

void* __upc_vm_map_addr(upc_shared_ptr_t p) {
  const upcr_gmem_addr_t a = gupc_checked(p, 0);
  const std::uintptr_t base = upcri_window.bases[a.thread];
  if (UPCRI_UNLIKELY(base == 0)) upcri_gupc_refuse_inlined(p);
  poll_occasionally();
  complete_accesses();  // a strict access must follow all pending ones of this thread, and this one may be
                        // strict
  return reinterpret_cast<void*>(base + a.offset);
}

// Called by inlined checks of pointers that fail.
[[noreturn]] void __upc_fatal(const char* message) { upcri_gupc_fatal(message); }

}  // extern "C"

}  // namespace gupc
