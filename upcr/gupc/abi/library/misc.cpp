// SPDX-License-Identifier: BSD-3-Clause
// Castability (UPC 1.3 7.8), ticks (7.5) and upc_global_exit (7.2.1), for programs of GCC-UPC and Clang-UPC.
// Ticks: any thread; the rest UPC threads.
#include <cstdint>

#include "upcr/gupc/abi/pointer/convert.h"
#include "upcr/gupc/abi/pointer/position.hpp"
#include "upcr/misc.h"
#include "upcr/sptr.h"

namespace gupc {

extern "C" {

// A plain pointer for the calling process, or null.
void* upc_cast(upc_shared_ptr_t p) { return upcr_cast(gupc_to_upcr(p)); }
upc_thread_info_t upc_thread_info(size_t thread) { return upcr_thread_info(thread); }

std::uint64_t upc_ticks_now(void) { return bupc_ticks_now(); }
std::uint64_t upc_ticks_to_ns(std::uint64_t ticks) { return bupc_ticks_to_ns(ticks); }

void upc_global_exit(int status) { upcri_gupc_global_exit(status); }
void upc_global_exitg(int status, const char* file, int line) {
  at(file, line);
  upcri_gupc_global_exit(status);
}

}  // extern "C"

}  // namespace gupc
