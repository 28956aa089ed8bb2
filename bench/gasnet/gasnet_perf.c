/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What remote access and active messages cost through gasnet.h, as ratios to what the machine does without it,
 * measured in turns in the same seconds: node 0 works on node 1's segment. With UPCR_PSHM=no the references stay
 * what they are with shared memory, on memory of its own.
 */
#include <gasnet.h>
#include <gasnet_tools.h>
#include <stdio.h>

enum { TURNS = 15, CALLS = 2000, MOST = 1 << 20 };

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

static double time_of(void (*body)(size_t), size_t calls)
{
    const gasnett_tick_t start = gasnett_ticks_now();
    size_t i;
    for (i = 0; i < calls; i++) body(i);
    return (double)gasnett_ticks_to_ns(gasnett_ticks_now() - start) / (double)calls;
}

static void measure(const char *name, const char *against, void (*body)(size_t), void (*reference)(size_t), size_t calls)
{
    double best = 1e30, best_reference = 1e30;
    int turn;
    for (turn = 0; turn < TURNS; turn++) {
        const double t = time_of(body, calls), r = time_of(reference, calls);
        if (t < best) best = t;
        if (r < best_reference) best_reference = r;
    }
    printf("%-34s %10.1f ns %8.2f x %s (%.1f ns)\n", name, best, best / best_reference, against, best_reference);
}

int main(int argc, char **argv)
{
    gasnet_handlerentry_t table[2];
    gasnet_seginfo_t *segments;
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
        measure("gasnet_put_val, 8 bytes", "a store", put8, put8_ref, CALLS);
        measure("gasnet_get_val, 8 bytes", "a load", get8, get8_ref, CALLS);
        measure("gasnet_put_nb and wait, 8 bytes", "a store", nb8, put8_ref, CALLS);
        measure("gasnet_put_nbi and wait, 8 bytes", "a store", nbi8, put8_ref, CALLS);
        measure("gasnet_get_nb_val and wait", "a load", valget, get8_ref, CALLS);
        measure("gasnet_wait_syncnbi_all, nothing", "a store", sync_none, sync_ref, CALLS);
        measure("gasnet_put_bulk, 4 KiB", "memcpy", put4k, put4k_ref, CALLS);
        measure("gasnet_put_bulk, 1 MiB", "memcpy", put1m, put1m_ref, 20);
        measure("gasnet_get_bulk, 1 MiB", "memcpy", get1m, get1m_ref, 20);
        measure("Short request and reply", "to oneself", round_trip, to_oneself, CALLS);
    }
    gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
    gasnet_exit(0);
    return 0;
}
