/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 64 KiB in pieces, every second place used, in lists shuffled within pages. The references are loops as the client
 * itself would write them: they know the length of a piece when they are compiled (mixed lengths excepted).
 */
#include <gasnet_vis.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gasnet/call_rows.h"

enum { TOTAL = 1 << 16, MOST = TOTAL / 8, FEW = 4 };

typedef struct {
    size_t count;
    gasnet_memvec_t regions[MOST];
    void *places[MOST];
} list_t;

static gasnet_node_t peer;
static list_t there, here, shadow, there8, mixed_there, mixed_here, mixed_shadow;
static gasnet_memvec_t one_there, one_here;
static char *there_base, *here_base, *shadow_base;
static size_t elem;

static void clobber_memory(void) { __asm__ __volatile__("" : : : "memory"); }

/* Piece i of every list is at the same distance from its base. */
static void fill(list_t *list, char *base, size_t bytes) {
    const size_t page = 4096 / bytes;
    uint32_t random = 1;
    size_t i, k;
    list->count = TOTAL / bytes;
    for (i = 0; i < list->count; i++) list->places[i] = base + 2 * bytes * i;
    for (i = list->count; i-- > 1;) {
        const size_t first = i - i % page;
        void *const p = list->places[i];
        random = random * 1103515245u + 12345u;
        k = first + (random >> 16) % (i - first + 1);
        list->places[i] = list->places[k], list->places[k] = p;
    }
    for (i = 0; i < list->count; i++) list->regions[i].addr = list->places[i], list->regions[i].len = bytes;
}
/* The same length on both sides, 1 to 4 elements. */
static void fill_mixed(list_t *list, char *base, size_t bytes) {
    uint32_t random = 1;
    size_t i, n;
    list->count = 0;
    for (i = 0; i < TOTAL / bytes; i += n) {
        random = random * 1103515245u + 12345u;
        n = 1 + (random >> 16) % 4;
        if (n > TOTAL / bytes - i) n = TOTAL / bytes - i;
        list->regions[list->count].addr = base + 2 * bytes * i;
        list->regions[list->count++].len = bytes * n;
    }
}

static void putv(size_t i) {
    (void)i, gasnet_putv_bulk(peer, there.count, there.regions, here.count, here.regions);
}
static void getv(size_t i) {
    (void)i, gasnet_getv_bulk(here.count, here.regions, peer, there.count, there.regions);
}
static void putv_one(size_t i) { (void)i, gasnet_putv_bulk(peer, 1, &one_there, here.count, here.regions); }
static void getv_one(size_t i) { (void)i, gasnet_getv_bulk(1, &one_here, peer, there.count, there.regions); }
static void putv_few(size_t i) { (void)i, gasnet_putv_bulk(peer, FEW, there.regions, FEW, here.regions); }
static void getv_few(size_t i) { (void)i, gasnet_getv_bulk(FEW, here.regions, peer, FEW, there.regions); }
static void putv_mixed(size_t i) {
    (void)i,
        gasnet_putv_bulk(peer, mixed_there.count, mixed_there.regions, mixed_here.count, mixed_here.regions);
}
static void putv_cut(size_t i) {
    (void)i, gasnet_putv_bulk(peer, there8.count, there8.regions, here.count, here.regions);
}
static void puti(size_t i) {
    (void)i, gasnet_puti_bulk(peer, there.count, there.places, elem, here.count, here.places, elem);
}
static void geti(size_t i) {
    (void)i, gasnet_geti_bulk(here.count, here.places, elem, peer, there.count, there.places, elem);
}
static void puti_one(size_t i) {
    void *const from = here_base;
    (void)i, gasnet_puti_bulk(peer, there.count, there.places, elem, 1, &from, TOTAL);
}
static void puts_rows(size_t i) {
    const size_t to = 2 * elem, from = elem, count[] = {elem, TOTAL / elem};
    (void)i, gasnet_puts_bulk(peer, there_base, &to, here_base, &from, count, 1);
}
static void gets_rows(size_t i) {
    const size_t to = elem, from = 2 * elem, count[] = {elem, TOTAL / elem};
    (void)i, gasnet_gets_bulk(here_base, &to, peer, there_base, &from, count, 1);
}

/* The loops, for pieces of N bytes. */
#define LOOPS(N)                                                                                  \
    static void each_##N(size_t unused) {                                                         \
        size_t i;                                                                                 \
        for (i = 0; i < here.count; i++) memcpy(shadow.regions[i].addr, here.regions[i].addr, N); \
        (void)unused, clobber_memory();                                                           \
    }                                                                                             \
    static void each_back_##N(size_t unused) {                                                    \
        size_t i;                                                                                 \
        for (i = 0; i < here.count; i++) memcpy(here.regions[i].addr, shadow.regions[i].addr, N); \
        (void)unused, clobber_memory();                                                           \
    }                                                                                             \
    static void few_##N(size_t unused) {                                                          \
        size_t i;                                                                                 \
        for (i = 0; i < FEW; i++) memcpy(shadow.regions[i].addr, here.regions[i].addr, N);        \
        (void)unused, clobber_memory();                                                           \
    }                                                                                             \
    static void to_one_##N(size_t unused) {                                                       \
        size_t i;                                                                                 \
        for (i = 0; i < here.count; i++) memcpy(shadow_base + N * i, here.regions[i].addr, N);    \
        (void)unused, clobber_memory();                                                           \
    }                                                                                             \
    static void to_one_back_##N(size_t unused) {                                                  \
        size_t i;                                                                                 \
        for (i = 0; i < here.count; i++) memcpy(here_base + N * i, shadow.regions[i].addr, N);    \
        (void)unused, clobber_memory();                                                           \
    }                                                                                             \
    static void places_##N(size_t unused) {                                                       \
        size_t i;                                                                                 \
        for (i = 0; i < here.count; i++) memcpy(shadow.places[i], here.places[i], N);             \
        (void)unused, clobber_memory();                                                           \
    }                                                                                             \
    static void places_back_##N(size_t unused) {                                                  \
        size_t i;                                                                                 \
        for (i = 0; i < here.count; i++) memcpy(here.places[i], shadow.places[i], N);             \
        (void)unused, clobber_memory();                                                           \
    }                                                                                             \
    static void places_one_##N(size_t unused) {                                                   \
        size_t i;                                                                                 \
        for (i = 0; i < here.count; i++) memcpy(shadow.places[i], here_base + N * i, N);          \
        (void)unused, clobber_memory();                                                           \
    }                                                                                             \
    static void rows_##N(size_t unused) {                                                         \
        size_t i;                                                                                 \
        for (i = 0; i < TOTAL / N; i++) memcpy(shadow_base + 2 * N * i, here_base + N * i, N);    \
        (void)unused, clobber_memory();                                                           \
    }                                                                                             \
    static void rows_back_##N(size_t unused) {                                                    \
        size_t i;                                                                                 \
        for (i = 0; i < TOTAL / N; i++) memcpy(here_base + N * i, shadow_base + 2 * N * i, N);    \
        (void)unused, clobber_memory();                                                           \
    }
LOOPS(8)
LOOPS(64)

static void each_mixed(size_t unused) {
    size_t i;
    for (i = 0; i < mixed_here.count; i++)
        memcpy(mixed_shadow.regions[i].addr, mixed_here.regions[i].addr, mixed_here.regions[i].len);
    (void)unused, clobber_memory();
}
/* Pieces of 64 bytes to pieces of 8. */
static void each_cut(size_t unused) {
    size_t i, k;
    for (i = 0; i < here.count; i++)
        for (k = 0; k < 8; k++)
            memcpy(shadow.regions[8 * i + k].addr, (char *)here.regions[i].addr + 8 * k, 8);
    (void)unused, clobber_memory();
}

/* The lists for elements of so many bytes; those of putv_cut, whose targets are pieces of 8. */
static size_t filled;
static int cut;
static void use(size_t bytes, int for_cut) {
    if (filled == bytes && cut == for_cut) return;
    filled = elem = bytes, cut = for_cut;
    fill(&there, there_base, bytes), fill(&here, here_base, bytes),
        fill(&shadow, shadow_base, for_cut ? 8 : bytes);
    fill(&there8, there_base, 8);
    fill_mixed(&mixed_there, there_base, bytes), fill_mixed(&mixed_here, here_base, bytes);
    fill_mixed(&mixed_shadow, shadow_base, bytes);
}
static void use_8(void) { use(8, 0); }
static void use_64(void) { use(64, 0); }
static void use_cut(void) { use(64, 1); }

void list_scattered(const call_memory_t *memory, add_row_t *add, void *state) {
    static const struct {
        const char *name, *summary;
        call_t body, loop8, loop64;
    } rows[] = {
        {"putv", "gasnet_putv_bulk, list to list", putv, each_8, each_64},
        {"getv", "gasnet_getv_bulk, list to list", getv, each_back_8, each_back_64},
        {"putv_one", "gasnet_putv_bulk, many pieces to one", putv_one, to_one_8, to_one_64},
        {"getv_one", "gasnet_getv_bulk, many pieces to one", getv_one, to_one_back_8, to_one_back_64},
        {"putv_few", "gasnet_putv_bulk, 4 pieces", putv_few, few_8, few_64},
        {"getv_few", "gasnet_getv_bulk, 4 pieces", getv_few, few_8, few_64},
        {"putv_mixed", "gasnet_putv_bulk, 1 to 4 elements", putv_mixed, each_mixed, each_mixed},
        {"puti", "gasnet_puti_bulk, list to list", puti, places_8, places_64},
        {"geti", "gasnet_geti_bulk, list to list", geti, places_back_8, places_back_64},
        {"puti_one", "gasnet_puti_bulk, one piece to many", puti_one, places_one_8, places_one_64},
        {"puts", "gasnet_puts_bulk, to every second", puts_rows, rows_8, rows_64},
        {"gets", "gasnet_gets_bulk, of every second", gets_rows, rows_back_8, rows_back_64},
    };
    size_t i, bytes;
    peer = memory->peer;
    there_base = memory->there, here_base = memory->here, shadow_base = memory->shadow;
    one_there.addr = there_base, one_here.addr = here_base;
    one_there.len = one_here.len = TOTAL;
    for (bytes = 8; bytes <= 64; bytes *= 8)
        for (i = 0; i < sizeof rows / sizeof *rows; i++)
            add(state, rows[i].name, rows[i].summary, bytes, "plain loop", rows[i].body,
                bytes == 8 ? rows[i].loop8 : rows[i].loop64, bytes == 8 ? use_8 : use_64);
    add(state, "putv_cut", "gasnet_putv_bulk, 64 bytes to 8 times 8", 64, "plain loop", putv_cut, each_cut,
        use_cut);
}
