/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handler-safe locks (GASNet specification 1.8, 4.8): between threads and handlers of one process, held for a
 * short time. They are real locks in every mode. A thread that holds one may not send requests, poll or wait;
 * several are released in reverse order; a handler releases all before it replies or returns. The debug
 * library checks all of it.
 */
#pragma once
#include "gasnet/types.h"

GASNETI_BEGIN_EXTERNC

typedef struct gasneti_hsl_s {
    volatile uint32_t word;      /* 1: locked */
    uint32_t tag;                /* GASNETI_HSL_LIVE between init and destroy */
    void *owner;                 /* debug: the thread that holds it */
    struct gasneti_hsl_s *below; /* debug: the one that thread locked before */
} gasnet_hsl_t;
#define GASNETI_HSL_LIVE 0x48534c31
#define GASNET_HSL_INITIALIZER \
    { 0, GASNETI_HSL_LIVE, 0, 0 }

extern GASNETI_API void gasneti_hsl_init(gasnet_hsl_t *hsl);
extern GASNETI_API void gasneti_hsl_destroy(gasnet_hsl_t *hsl);
extern GASNETI_API void gasneti_hsl_lock(gasnet_hsl_t *hsl);
extern GASNETI_API int gasneti_hsl_trylock(gasnet_hsl_t *hsl);
extern GASNETI_API void gasneti_hsl_unlock(gasnet_hsl_t *hsl);

#ifdef GASNET_DEBUG
#define gasnet_hsl_init(hsl) gasneti_hsl_init(hsl)
#define gasnet_hsl_destroy(hsl) gasneti_hsl_destroy(hsl)
#define gasnet_hsl_lock(hsl) gasneti_hsl_lock(hsl)
#define gasnet_hsl_trylock(hsl) gasneti_hsl_trylock(hsl)
#define gasnet_hsl_unlock(hsl) gasneti_hsl_unlock(hsl)
#else
/* A lock that was initialised already, or is locked, is an error, which the debug library reports. */
GASNETI_INLINE void gasnet_hsl_init(gasnet_hsl_t *hsl) {
    hsl->tag = GASNETI_HSL_LIVE;
    hsl->owner = 0;
    hsl->below = 0;
    __atomic_store_n(&hsl->word, 0, __ATOMIC_RELEASE);
}
GASNETI_INLINE void gasnet_hsl_destroy(gasnet_hsl_t *hsl) { hsl->tag = 0; }
GASNETI_INLINE void gasnet_hsl_lock(gasnet_hsl_t *hsl) {
    if (GASNETI_PF(__atomic_exchange_n(&hsl->word, 1, __ATOMIC_ACQUIRE) != 0)) gasneti_hsl_lock(hsl);
}
/* GASNET_OK, or GASNET_ERR_NOT_READY when it is locked. */
GASNETI_INLINE int gasnet_hsl_trylock(gasnet_hsl_t *hsl) {
    return __atomic_exchange_n(&hsl->word, 1, __ATOMIC_ACQUIRE) == 0 ? GASNET_OK : gasneti_hsl_trylock(hsl);
}
GASNETI_INLINE void gasnet_hsl_unlock(gasnet_hsl_t *hsl) {
    __atomic_store_n(&hsl->word, 0, __ATOMIC_RELEASE);
}
#endif

GASNETI_END_EXTERNC
