/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the extended interface: the library's functions, and the fast path for memory that is mapped
 * here, where an operation is complete when it has been issued. Debug builds always call the library,
 * which checks. Nothing here is for users.
 */
#pragma once
#include <string.h>

#include "gasnet/core.h"

/* Handles: a pending operation, and a get of a value. Two types that are not to be mixed. */
struct gasneti_op_s;
struct gasneti_valget_s;
typedef struct gasneti_op_s *gasnet_handle_t;
typedef struct gasneti_valget_s *gasnet_valget_handle_t;

/* A piece of memory (gasnet_vis.h). */
typedef struct gasneti_memvec_s {
    void *addr;
    size_t len; /* bytes */
} gasnet_memvec_t;

/* The kind of an operation (`how`). */
#define GASNETI_NB_EXPLICIT 1 /* gasneti_put_value: with a handle; 0 there: blocking */
#define GASNETI_NB_IMPLICIT 2
#define GASNETI_NB_BULK 4 /* the source of a put stays until it is synchronised */
#define GASNETI_PUTS 1
#define GASNETI_GETS 2

/* The public function's name is passed in debug builds only. */
#ifdef GASNET_DEBUG
#define GASNETI_FUNCTION(name) name
#else
#define GASNETI_FUNCTION(name) ((const char *)0)
#endif

/* The address of the low n bytes of a register value. */
#ifdef PLATFORM_ARCH_BIG_ENDIAN
#define GASNETI_LOW_BYTES(v, n) ((char *)(v) + sizeof(gasnet_register_value_t) - (n))
#else
#define GASNETI_LOW_BYTES(v, n) (v)
#endif

GASNETI_BEGIN_EXTERNC

/* Implicit operations of the calling thread that are in flight; other threads count them down. Null: it has
 * never had any. */
typedef struct gasneti_thread_s {
    uint32_t puts, gets;
} gasneti_thread_t;
extern GASNETI_API __thread gasneti_thread_t *gasneti_thread __attribute__((__tls_model__("initial-exec")));

extern GASNETI_API void gasneti_put(const char *function, gasnet_node_t node, void *dest, const void *src,
                                    size_t n);
extern GASNETI_API void gasneti_get(const char *function, void *dest, gasnet_node_t node, const void *src,
                                    size_t n);
extern GASNETI_API void gasneti_memset(const char *function, gasnet_node_t node, void *dest, int val,
                                       size_t n);
extern GASNETI_API gasnet_register_value_t gasneti_get_value(const char *function, gasnet_node_t node,
                                                             const void *src, size_t n);
extern GASNETI_API gasnet_handle_t gasneti_put_nb(const char *function, gasnet_node_t node, void *dest,
                                                  const void *src, size_t n, unsigned how);
extern GASNETI_API gasnet_handle_t gasneti_get_nb(const char *function, void *dest, gasnet_node_t node,
                                                  const void *src, size_t n, unsigned how);
extern GASNETI_API gasnet_handle_t gasneti_memset_nb(const char *function, gasnet_node_t node, void *dest,
                                                     int val, size_t n, unsigned how);
extern GASNETI_API gasnet_handle_t gasneti_put_value(const char *function, gasnet_node_t node, void *dest,
                                                     gasnet_register_value_t v, size_t n, unsigned how);
extern GASNETI_API gasnet_valget_handle_t gasneti_get_nb_value(const char *function, gasnet_node_t node,
                                                               const void *src, size_t n);
extern GASNETI_API gasnet_register_value_t gasneti_wait_value(const char *function,
                                                              gasnet_valget_handle_t handle);
extern GASNETI_API void gasneti_wait_nb(const char *function, gasnet_handle_t handle);
extern GASNETI_API int gasneti_try_nb(const char *function, gasnet_handle_t handle, int poll);
extern GASNETI_API void gasneti_wait_nb_all(const char *function, gasnet_handle_t *handles, size_t count);
extern GASNETI_API int gasneti_try_nb_all(const char *function, gasnet_handle_t *handles, size_t count,
                                          int poll);
extern GASNETI_API void gasneti_wait_nb_some(const char *function, gasnet_handle_t *handles, size_t count);
extern GASNETI_API int gasneti_try_nb_some(const char *function, gasnet_handle_t *handles, size_t count,
                                           int poll);
/* which: GASNETI_PUTS, GASNETI_GETS or both. */
extern GASNETI_API int gasneti_sync_nbi(const char *function, int which, int wait);

/* The local address of `address` of `node`; 0: not mapped. */
GASNETI_INLINE int gasneti_find(gasnet_node_t node, const void *address, void **here) {
#ifdef GASNET_DEBUG
    (void)node, (void)address, (void)here;
    return 0;
#else
    const gasneti_peer_t *peer = &gasneti_state.peers[node];
    *here = (void *)((uintptr_t)address + (uintptr_t)peer->shift);
    return (int)__builtin_expect(peer->shared, 1);
#endif
}

/* Fences: what one thread puts in order others see in order, and a loop of gets reads memory each time. */
GASNETI_INLINE void gasneti_copy_out(void *here, const void *src, size_t n) {
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memcpy(here, src, n);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}
GASNETI_INLINE void gasneti_copy_in(void *dest, const void *here, size_t n) {
    memcpy(dest, here, n);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
}
GASNETI_INLINE void gasneti_fill(void *here, int val, size_t n) {
    __atomic_thread_fence(__ATOMIC_RELEASE);
    memset(here, val, n);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}

/* Non-zero: operations of `which` are pending. */
GASNETI_INLINE int gasneti_outstanding(int which) {
#ifdef GASNET_DEBUG
    return which;
#else
    const gasneti_thread_t *mine = gasneti_thread;
    return mine != NULL && (((which & GASNETI_PUTS) && __atomic_load_n(&mine->puts, __ATOMIC_ACQUIRE) != 0) ||
                            ((which & GASNETI_GETS) && __atomic_load_n(&mine->gets, __ATOMIC_ACQUIRE) != 0));
#endif
}

GASNETI_END_EXTERNC
