/* SPDX-License-Identifier: BSD-3-Clause */
/* gasnet_tools: sums over bytes. Any thread. */
#pragma once
#include "gasnet/tools/attributes.h"

GASNETT_BEGIN_EXTERNC

/* A hash of n bytes, the same on all nodes. Not for secrets. */
GASNETI_API uint64_t gasnett_checksum(const void *data, int n);

/* How many of `bytes` bytes are zero; with a copy to dst, as memcpy. Any alignment. */
GASNETI_API size_t gasnett_count0s(const void *data, size_t bytes);
GASNETI_API size_t gasnett_count0s_copy(void *dst, const void *src, size_t bytes);

/* How many bytes of a word are zero. In the sum below bit 7 of a byte is set if the byte is not zero; no
 * carry leaves a byte. */
GASNETT_CONST GASNETT_PLEASE_INLINE(gasnett_count0s_uint64_t)
int gasnett_count0s_uint64_t(uint64_t word) {
    const uint64_t low7 = (uint64_t)-1 / 255 * 127;
    return 8 - __builtin_popcountll((((word & low7) + low7) | word) & ~low7);
}
GASNETT_CONST GASNETT_PLEASE_INLINE(gasnett_count0s_uint32_t)
int gasnett_count0s_uint32_t(uint32_t word) { return gasnett_count0s_uint64_t(word) - 4; }
GASNETT_CONST GASNETT_PLEASE_INLINE(gasnett_count0s_uintptr_t)
int gasnett_count0s_uintptr_t(uintptr_t word) {
    return gasnett_count0s_uint64_t(word) - (int)(8 - sizeof(uintptr_t));
}

GASNETT_END_EXTERNC
