/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What remote access and active messages cost through gasnet.h, as ratios to what the machine does without it,
 * measured in turns in the same seconds: node 0 works on the last node's segment. With UPCR_PSHM=no the references
 * stay what they are with shared memory, on memory of its own.
 *   upcrun -n 2 gasnet_perf [FILE]     FILE: records for bench/report, as JSON
 */
#include <gasnet.h>
#include <gasnet_tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "scattered.h"

enum { CALLS = 2000, MOST = 1 << 20 };

static gasnet_node_t peer;
static char *there;        /* in the peer's segment */
static char *shadow, *own; /* private, as large */
static volatile uint64_t sink;
static volatile int pongs;

static void ping(gasnet_token_t token) { gasnet_AMReplyShort0(token, 201); }
static void pong(gasnet_token_t token) { (void)token, pongs++; }

static void keep(void) { __asm__ __volatile__("" : : : "memory"); }

/* One call of each case and of its reference. */
static void put8(size_t i) { gasnet_put_val(peer, there + 8 * (i % 64), i, 8); }
static void put8_ref(size_t i) { *(volatile uint64_t *)(shadow + 8 * (i % 64)) = i; }
static void get8(size_t i) { sink = gasnet_get_val(peer, there + 8 * (i % 64), 8); }
static void get8_ref(size_t i) { sink = *(volatile uint64_t *)(shadow + 8 * (i % 64)); }
static void nb8(size_t i) { gasnet_wait_syncnb(gasnet_put_nb(peer, there + 8 * (i % 64), own, 8)); }
static void nbi8(size_t i) { gasnet_put_nbi(peer, there + 8 * (i % 64), own, 8), gasnet_wait_syncnbi_all(); }
static void valget(size_t i) { sink = gasnet_wait_syncnb_valget(gasnet_get_nb_val(peer, there + 8 * (i % 64), 8)); }
static void sync_none(size_t i) { (void)i, gasnet_wait_syncnbi_all(); }
static void sync_ref(size_t i) { sink = i; }
static void put4k(size_t i) { (void)i, gasnet_put_bulk(peer, there, own, 4096); }
static void put4k_ref(size_t i) { (void)i, memcpy(shadow, own, 4096), keep(); }
static void put1m(size_t i) { (void)i, gasnet_put_bulk(peer, there, own, MOST); }
static void put1m_ref(size_t i) { (void)i, memcpy(shadow, own, MOST), keep(); }
static void get1m(size_t i) { (void)i, gasnet_get_bulk(own, peer, there, MOST); }
static void get1m_ref(size_t i) { (void)i, memcpy(own, shadow, MOST), keep(); }
static void round_trip(size_t i)
{
    const int before = pongs;
    (void)i;
    gasnet_AMRequestShort0(peer, 200);
    GASNET_BLOCKUNTIL(pongs != before);
}
static void to_oneself(size_t i)
{
    const int before = pongs;
    (void)i;
    gasnet_AMRequestShort0(gasnet_mynode(), 200);
    GASNET_BLOCKUNTIL(pongs != before);
}

static void measure_all(void)
{
    static const struct {
        row_t row;
        void (*body)(size_t), (*reference)(size_t);
    } rows[] = {
        {{"put_val", "gasnet_put_val", 8, "a store", CALLS}, put8, put8_ref},
        {{"get_val", "gasnet_get_val", 8, "a load", CALLS}, get8, get8_ref},
        {{"put_nb", "gasnet_put_nb and wait", 8, "a store", CALLS}, nb8, put8_ref},
        {{"put_nbi", "gasnet_put_nbi and wait", 8, "a store", CALLS}, nbi8, put8_ref},
        {{"get_nb_val", "gasnet_get_nb_val and wait", 8, "a load", CALLS}, valget, get8_ref},
        {{"syncnbi", "gasnet_wait_syncnbi_all, nothing under way", 0, "a store", CALLS}, sync_none, sync_ref},
        {{"put_bulk", "gasnet_put_bulk", 4096, "memcpy", CALLS}, put4k, put4k_ref},
        {{"put_bulk", "gasnet_put_bulk", MOST, "memcpy", 20}, put1m, put1m_ref},
        {{"get_bulk", "gasnet_get_bulk", MOST, "memcpy", 20}, get1m, get1m_ref},
        {{"short", "Short request and reply", 0, "to oneself", CALLS}, round_trip, to_oneself},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) measure(&rows[i].row, rows[i].body, rows[i].reference);
    measure_scattered(peer, there, own, shadow);
}

int main(int argc, char **argv)
{
    gasnet_handlerentry_t table[2];
    gasnet_seginfo_t *segments;
    int right = 1;
    table[0].index = 200, table[0].fnptr = (gasneti_handlerfn_t)ping;
    table[1].index = 201, table[1].fnptr = (gasneti_handlerfn_t)pong;
    if (gasnet_init(&argc, &argv) != GASNET_OK || gasnet_attach(table, 2, 2 * MOST, 0) != GASNET_OK) return 1;
    segments = (gasnet_seginfo_t *)calloc(gasnet_nodes(), sizeof *segments);
    shadow = (char *)calloc(2, MOST);
    own = shadow + MOST;
    peer = gasnet_nodes() - 1;
    gasnet_getSegmentInfo(segments, (int)gasnet_nodes());
    there = (char *)segments[peer].addr;
    memset(segments[gasnet_mynode()].addr, 1, 2 * MOST);
    memset(shadow, 1, 2 * MOST);
    gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
    if (gasnet_mynode() == 0) {
        const char *const conduit = getenv("UPCR_CONDUIT");
        if (argc > 1 && !open_records(argv[1], conduit ? conduit : "smp", gasnet_nodes())) right = 0;
        if (right) measure_all();
        if (argc > 1 && right) right = close_records();
        if (!right) fprintf(stderr, "gasnet_perf: cannot write %s\n", argv[1]);
    }
    gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_exit(right ? 0 : 1);
    return 0;
}
