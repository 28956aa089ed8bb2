/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "UPC Runtime Design Utilizing Portals-4": every name of chapters 10 to 13, 14.1, 14.7, 15.2, 15.3.1 and 18 that is not
 * Portals' own (docs/reference/seeds/000-gcc-upc.md has the others) is there, as the design declares it; of its types,
 * pointers-to-shared are upcr_shared_ptr_t, threads upcr_thread_t and Portals' sizes uint64_t. The functions'
 * effects is tested elsewhere: here a contradiction does not compile, a name that is missing does not link,
 * and the program counts them.
 */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#include "upcr/gmem.h"
#include "upcr/gmem_barrier.h"
#include "upcr/gmem_heap.h"
#include "upcr/gmem_lock.h"

#define SAME(EXPRESSION, TYPE) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(EXPRESSION), TYPE), #EXPRESSION " is no " #TYPE)
#define FIELD(TYPE, FIELD_NAME, FIELD_TYPE) SAME(((TYPE *)0)->FIELD_NAME, FIELD_TYPE)

/* 10: the values that the design shows; two it leaves open. */
_Static_assert(KB == 1024 && MB == 1024 * 1024 && GB == 1024 * 1024 * 1024, "constants");
_Static_assert(UPCR_GMEM_MAX_SAFE_PUT_SIZE == KB, "sources of puts that are copied");
_Static_assert(UPCR_GMEM_MAX_PORTALS_GET_SIZE == GB && UPCR_GMEM_MAX_PORTALS_PUT_SIZE == GB, "pieces");
_Static_assert(UPCR_GMEM_PUT_BOUNCE_BUFFER_SIZE == 256 * KB, "bounce buffer");
_Static_assert(UPCR_MAX_ORDERED_SIZE >= 8, "ordered puts");
_Static_assert(UPCR_BARRIER_ID_MAX > INT_MAX, "more than any name of a barrier");
_Static_assert(UPCR_LOCK_NO_SIGNAL == 0 && UPCR_LOCK_SIGNAL == 1, "signals");

/* 11 */
FIELD(upcr_gmem_addr_t, thread, upcr_thread_t);
FIELD(upcr_gmem_addr_t, offset, uint64_t);
FIELD(upcr_gmem_xfer_info_t, num_pending, uint64_t);
FIELD(upcr_gmem_xfer_info_t, num_completed, uint64_t);
SAME(*(upcr_gmem_xfer_info_p)0, upcr_gmem_xfer_info_t);
SAME(struct upcr_gmem_addr_struct, upcr_gmem_addr_t);
SAME(struct upcr_gmem_xfer_info_struct, upcr_gmem_xfer_info_t);
FIELD(upcr_heap_node_t, next, upcr_heap_node_p);
FIELD(upcr_heap_node_t, prev, upcr_heap_node_p);
FIELD(upcr_heap_node_t, size, size_t);
FIELD(upcr_heap_node_t, is_global, int);
FIELD(upcr_heap_t, lock, upcr_lock_t);
FIELD(upcr_heap_t, head, upcr_heap_node_p);
SAME(struct upcr_heap_node_struct, upcr_heap_node_t);
SAME(struct upcr_heap_struct, upcr_heap_t);
SAME(upcr_heap_p, upcr_shared_ptr_t);
SAME(upcr_heap_node_p, upcr_shared_ptr_t);
SAME(struct upcr_lock, upcr_lock_t);
SAME(struct upcr_lock_link, upcr_lock_link_t);
FIELD(upcr_lock_t, last, upcr_lock_ref_t);
FIELD(upcr_lock_t, owner_link, upcr_lock_ref_t);
FIELD(upcr_lock_link_t, next, upcr_lock_ref_t);
_Static_assert(sizeof((upcr_lock_link_t *)0)->signal >= sizeof(int), "a link's signal");

/* 13, 14.7, 15.2, 15.3.1, 18 */
#define FUNCTIONS(F)                                                                                  \
    F(void *, upcr_gmem_shared_offset_to_local_addr, (uint64_t offset))                               \
    F(void, upcr_gmem_get, (void *dest, upcr_gmem_addr_t src, size_t n))                              \
    F(void, upcr_gmem_put, (upcr_gmem_addr_t dest, void *src, size_t n))                              \
    F(void, upcr_gmem_copy, (upcr_gmem_addr_t dest, upcr_gmem_addr_t src, size_t n))                  \
    F(void, upcr_gmem_set, (upcr_gmem_addr_t dest, int c, size_t n))                                  \
    F(void, upcr_gmem_sync, (void))                                                                   \
    F(void, upcr_gmem_sync_gets, (void))                                                              \
    F(void, upcr_gmem_sync_puts, (void))                                                              \
    F(void, upcr_error, (const char *message))                                                        \
    F(void, upcr_broadcast_get, (void *value, size_t nbytes))                                         \
    F(void, upcr_broadcast_put, (void *value, size_t nbytes))                                         \
    F(upcr_shared_ptr_t, upcr_heap_alloc,                                                             \
      (upcr_heap_p heap, bool is_global, upcr_shared_ptr_t (*heap_extend_func)(size_t nbytes),        \
       size_t alloc_size))                                                                            \
    F(void, upcr_heap_free, (upcr_shared_ptr_t ptr))                                                  \
    F(upcr_shared_ptr_t, upcr_heap_global_extend, (size_t nbytes))                                    \
    F(upcr_shared_ptr_t, upcr_heap_local_extend, (size_t nbytes))                                     \
    F(void, upcr_lock_put, (upcr_shared_ptr_t dst, void *val, int size))                              \
    F(void, upcr_lock_swap, (upcr_shared_ptr_t dst, void *val, void *old, int size))                  \
    F(int, upcr_lock_cswap, (upcr_shared_ptr_t dst, void *cmp, void *val, int size))                  \
    F(upcr_gmem_handle_t, upcr_gmem_get_nh, (void *dest, upcr_gmem_addr_t src, size_t n))             \
    F(upcr_gmem_handle_t, upcr_gmem_put_nh, (upcr_gmem_addr_t dest, void *src, size_t n))             \
    F(upcr_gmem_handle_t, upcr_gmem_copy_nh, (upcr_gmem_addr_t dest, upcr_gmem_addr_t src, size_t n)) \
    F(upcr_gmem_handle_t, upcr_gmem_set_nh, (upcr_gmem_addr_t dest, int c, size_t n))                 \
    F(void, upcr_gmem_wait_all_nh, (upcr_gmem_handle_t * which, size_t n))                            \
    F(void, upcr_gmem_wait_any_nh, (upcr_gmem_handle_t * which, size_t n))
/* Two declarations of one function agree, or this does not compile. */
#define DECLARE(RESULT, NAME, PARAMETERS) extern RESULT NAME PARAMETERS;
FUNCTIONS(DECLARE)
_Static_assert(sizeof(upcr_gmem_handle_t) <= sizeof(void *), "18: a handle fits a pointer");

/* 12, 13.1, 14.1; volatile, so that the program takes every address. */
int main(void) {
#define ADDRESS(RESULT, NAME, PARAMETERS) (const void *)&NAME,
    const void *volatile const functions[] = {FUNCTIONS(ADDRESS)(const void *) & upcr_sptr_to_gmem_addr};
    const void *volatile const variables[] = {
        &upcr_my_thread,          &upcr_gmem_gets,
        &upcr_gmem_puts,          &upcr_gmem_num_put_bounce_buffer_bytes_used,
        &upcr_pending_strict_put, &upcr_global_heap,
        &upcr_local_heap,         &upcr_barrier_active,
        &upcr_barrier_id};
    size_t i;
    SAME(upcr_my_thread, upcr_thread_t);
    SAME(upcr_gmem_gets, upcr_gmem_xfer_info_t);
    SAME(upcr_gmem_puts, upcr_gmem_xfer_info_t);
    SAME(upcr_gmem_put_bounce_buffer, char[UPCR_GMEM_PUT_BOUNCE_BUFFER_SIZE]);
    SAME(upcr_gmem_put_bounce_buffer_t, char[UPCR_GMEM_PUT_BOUNCE_BUFFER_SIZE]);
    SAME(upcr_gmem_num_put_bounce_buffer_bytes_used, size_t);
    SAME(upcr_pending_strict_put, int);
    SAME(upcr_global_heap, upcr_heap_p);
    SAME(upcr_local_heap[0], upcr_heap_p);
    SAME(upcr_barrier_active, bool);
    SAME(upcr_barrier_id, long int);
    SAME(upcr_sptr_to_gmem_addr(upcr_null_shared), upcr_gmem_addr_t);
    UPCR_READ_FENCE();
    UPCR_WRITE_FENCE();
    UPCR_FENCE();
    for (i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        if (functions[i] == NULL) return 1;
    for (i = 0; i < sizeof variables / sizeof variables[0]; ++i)
        if (variables[i] == NULL) return 1;
    printf("%zu functions, %zu variables\n", sizeof functions / sizeof functions[0],
           sizeof variables / sizeof variables[0]);
    return 0;
}
