/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Single accesses and contiguous copies through gasnet.h. With UPCR_PSHM=no the references stay what they are with
 * shared memory, on memory of this node.
 */
#include <gasnet.h>
#include <string.h>

#include "bench/gasnet/call_rows.h"

static gasnet_node_t peer;
static char *there, *own, *shadow;
static volatile uint64_t sink;

static void clobber_memory(void) { __asm__ __volatile__("" : : : "memory"); }

/* One call of each case and of its reference. */
static void put8(size_t i) { gasnet_put_val(peer, there + 8 * (i % 64), i, 8); }
static void put8_ref(size_t i) { *(volatile uint64_t *)(shadow + 8 * (i % 64)) = i; }
static void get8(size_t i) { sink = gasnet_get_val(peer, there + 8 * (i % 64), 8); }
static void get8_ref(size_t i) { sink = *(volatile uint64_t *)(shadow + 8 * (i % 64)); }
static void nb8(size_t i) { gasnet_wait_syncnb(gasnet_put_nb(peer, there + 8 * (i % 64), own, 8)); }
static void nbi8(size_t i) { gasnet_put_nbi(peer, there + 8 * (i % 64), own, 8), gasnet_wait_syncnbi_all(); }
static void valget(size_t i) {
    sink = gasnet_wait_syncnb_valget(gasnet_get_nb_val(peer, there + 8 * (i % 64), 8));
}
static void sync_none(size_t i) { (void)i, gasnet_wait_syncnbi_all(); }
static void sync_ref(size_t i) { sink = i; }
static void put4k(size_t i) { (void)i, gasnet_put_bulk(peer, there, own, 4096); }
static void put4k_ref(size_t i) { (void)i, memcpy(shadow, own, 4096), clobber_memory(); }
static void put1m(size_t i) { (void)i, gasnet_put_bulk(peer, there, own, CALL_BYTES); }
static void put1m_ref(size_t i) { (void)i, memcpy(shadow, own, CALL_BYTES), clobber_memory(); }
static void get1m(size_t i) { (void)i, gasnet_get_bulk(own, peer, there, CALL_BYTES); }
static void get1m_ref(size_t i) { (void)i, memcpy(own, shadow, CALL_BYTES), clobber_memory(); }

void list_calls(const call_memory_t *memory, add_row_t *add, void *state) {
    peer = memory->peer, there = memory->there, own = memory->here, shadow = memory->shadow;
    add(state, "put_val", "gasnet_put_val", 8, "a store", put8, put8_ref, NULL);
    add(state, "get_val", "gasnet_get_val", 8, "a load", get8, get8_ref, NULL);
    add(state, "put_nb", "gasnet_put_nb and wait", 8, "a store", nb8, put8_ref, NULL);
    add(state, "put_nbi", "gasnet_put_nbi and wait", 8, "a store", nbi8, put8_ref, NULL);
    add(state, "get_nb_val", "gasnet_get_nb_val and wait", 8, "a load", valget, get8_ref, NULL);
    add(state, "syncnbi", "gasnet_wait_syncnbi_all, nothing under way", 0, "a store", sync_none, sync_ref,
        NULL);
    add(state, "put_bulk", "gasnet_put_bulk", 4096, "memcpy", put4k, put4k_ref, NULL);
    add(state, "put_bulk", "gasnet_put_bulk", CALL_BYTES, "memcpy", put1m, put1m_ref, NULL);
    add(state, "get_bulk", "gasnet_get_bulk", CALL_BYTES, "memcpy", get1m, get1m_ref, NULL);
}
