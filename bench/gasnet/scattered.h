/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of gasnet_perf for copies that are not contiguous. `there` is the peer's memory, `here` the caller's, at
 * least SCATTERED_BYTES each; the references copy between `here` and `shadow`, which is as large.
 */
#pragma once
#include <gasnet.h>

enum { SCATTERED_BYTES = 1 << 18 };
void measure_scattered(gasnet_node_t peer, char *there, char *here, char *shadow);
