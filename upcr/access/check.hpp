// SPDX-License-Identifier: BSD-3-Clause
// Checks of debug builds before an access or a synchronisation; empty in release builds. UPC threads.
#pragma once
#include "upcr/access/nb.hpp"

namespace upcr {

#if UPCR_DEBUG
// Fatal unless [p + offset, + n) is shared memory that may be accessed now. `how`: UPCRI_NB_ bits.
void check_access(const char* function, upcr_shared_ptr_t p, std::ptrdiff_t offset, std::size_t n,
                  unsigned how);
void check_private(const char* function, const void* p, std::size_t n);
// Fatal if a strict operation other than `eop` is in flight.
void check_no_strict(ThreadCtx& c, const char* function, const Eop* eop);
#else
inline void check_access(const char*, upcr_shared_ptr_t, std::ptrdiff_t, std::size_t, unsigned) {}
inline void check_private(const char*, const void*, std::size_t) {}
inline void check_no_strict(ThreadCtx&, const char*, const Eop*) {}
#endif

}  // namespace upcr
