// SPDX-License-Identifier: BSD-3-Clause
// Room for copies of 64 MiB; what is not used costs nothing. Not in upcr_perf_ibv, because a network pins it.
#include <upcr/link.h>

extern "C" {
UPCRI_API uintptr_t UPCRL_default_shared_size = 192u << 20;
}
