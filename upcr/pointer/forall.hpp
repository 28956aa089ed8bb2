// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of upc_forall, without the runtime's state.
#pragma once

namespace upcr {

// include/upcr/forall.h, _upcrt_forall_start(), for thread `me` of `threads`.
int forall_start(int start_thread, int step, int lo, int scale, int threads, int me);

}  // namespace upcr
