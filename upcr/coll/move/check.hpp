// SPDX-License-Identifier: BSD-3-Clause
// Debug: checks of the arguments against UPC 1.3 7.4.2. Each error names the function, the argument and the
// thread. The release library checks only that a target of permute exists. UPC threads, not in a handler.
#pragma once
#include "include/upcr/sptr.h"
#include "upcr/coll/call/call.hpp"
#include "upcr/coll/call/tuning.hpp"

namespace upcr::coll {

#if UPCR_DEBUG
void check_move(Call& call, Collective what, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
                std::size_t nbytes);
void check_permute(Call& call, upcr_shared_ptr_t dst, upcr_shared_ptr_t src, upcr_pshared_ptr_t perm,
                   std::size_t nbytes);
#else
inline void check_move(Call&, Collective, upcr_shared_ptr_t, upcr_shared_ptr_t, std::size_t) {}
inline void check_permute(Call&, upcr_shared_ptr_t, upcr_shared_ptr_t, upcr_pshared_ptr_t, std::size_t) {}
#endif
// This thread's element of perm. Debug: no other thread has the same one.
void check_target(Call& call, int target);

}  // namespace upcr::coll
