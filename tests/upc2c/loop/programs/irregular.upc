/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses of elements whose places only the running program knows, as table[key(i)]: they give what C gives for
 * private arrays, in every layout, from any element on, backwards, in members and rows, with effects in the index, in
 * loops that end early, through pointers that vary, and by atomic operations. */
#include <bupc_atomics.h>
#include <stdint.h>
#include <string.h>
#include "../../clauses/check.h"

#define N 240
struct cell { char c; int k[3]; double d; };
shared int cyclic[N * THREADS];
shared [5] long fives[N * THREADS];
shared [8] short eights[N * THREADS];
shared [4] int rows[N][4 * THREADS];
shared struct cell cells[N * THREADS];
shared [] double *flat;
static int model_cyclic[N * 8], model_rows[N][4 * 8];
static long model_fives[N * 8];
static short model_eights[N * 8];
static struct cell model_cells[N * 8];
static double model_flat[N];
static int found_cyclic[N * 8], found_rows[N][4 * 8];
static long found_fives[N * 8];
static short found_eights[N * 8];
static struct cell found_cells[N * 8];
static double found_flat[N];

static unsigned key(unsigned i) { return (i * 2654435761u) >> 7; }
static int keys[N], evaluated, sum_of_swaps;
static int next_key(int i) { evaluated++; return key(i) % N; }

/* PUT and GET move all elements of a thread at once: over a network one access takes as long as that. A thread has
 * `count` elements in whole blocks; the one numbered `local` lies at this place in the array. */
static int place(int local, int t, int block) { return (local / block * THREADS + t) * block + local % block; }
static char part[N * sizeof(struct cell)];
#define PUT(array, block, count, model)                                                                       \
    do {                                                                                                      \
        const size_t size = sizeof *(model);                                                                  \
        int t, l;                                                                                             \
        for (t = 0; t < THREADS; t++) {                                                                       \
            for (l = 0; l < (count); l++) memcpy(part + l * size, &(model)[place(l, t, block)], size);        \
            upc_memput(&(array)[t * (block)], part, (count) * size);                                          \
        }                                                                                                     \
    } while (0)
#define GET(found, array, block, count)                                                                       \
    do {                                                                                                      \
        const size_t size = sizeof *(found);                                                                  \
        int t, l;                                                                                             \
        for (t = 0; t < THREADS; t++) {                                                                       \
            upc_memget(part, &(array)[t * (block)], (count) * size);                                          \
            for (l = 0; l < (count); l++) memcpy(&(found)[place(l, t, block)], part + l * size, size);        \
        }                                                                                                     \
    } while (0)

static void clear(void) {
    int i, j;
    for (i = 0; i < N * THREADS; i++) {
        model_cyclic[i] = i;
        model_fives[i] = 3 * i;
        model_eights[i] = (short)(i % 100);
        model_cells[i].c = (char)(i % 50);
        for (j = 0; j < 3; j++) model_cells[i].k[j] = i + j;
        model_cells[i].d = i;
    }
    for (i = 0; i < N; i++) {
        model_flat[i] = i;
        for (j = 0; j < 4 * THREADS; j++) model_rows[i][j] = i - j;
        keys[i] = key(i) % N;
    }
    PUT(cyclic, 1, N, model_cyclic);
    PUT(fives, 5, N, model_fives);
    PUT(eights, 8, N, model_eights);
    PUT(cells, 1, N, model_cells);
    upc_memput(flat, model_flat, sizeof model_flat);
    for (i = 0; i < N; i++) PUT(rows[i], 4, 4, model_rows[i]);
}

static int same(void) {
    int i, j, wrong = 0;
    GET(found_cyclic, cyclic, 1, N);
    GET(found_fives, fives, 5, N);
    GET(found_eights, eights, 8, N);
    GET(found_cells, cells, 1, N);
    upc_memget(found_flat, flat, sizeof found_flat);
    for (i = 0; i < N; i++) GET(found_rows[i], rows[i], 4, 4);
    for (i = 0; i < N * THREADS; i++) {
        const struct cell *found = &found_cells[i], *model = &model_cells[i];
        wrong += found_cyclic[i] != model_cyclic[i] || found_fives[i] != model_fives[i];
        wrong += found_eights[i] != model_eights[i] || found->c != model->c || found->d != model->d;
        for (j = 0; j < 3; j++) wrong += found->k[j] != model->k[j];
    }
    for (i = 0; i < N; i++) {
        wrong += found_flat[i] != model_flat[i];
        for (j = 0; j < 4 * THREADS; j++) wrong += found_rows[i][j] != model_rows[i][j];
    }
    return wrong == 0;
}

/* The statement for the shared and for the private arrays, which it names by letters. */
#define BOTH(...)                                                                                             \
    do {                                                                                                      \
        int i, n = N * THREADS;                                                                               \
        unsigned u;                                                                                           \
        (void)i, (void)u, (void)n;                                                                            \
        clear();                                                                                              \
        {                                                                                                     \
            shared int *a = cyclic, *middle = &cyclic[N / 2 + 1];                                             \
            shared [5] long *b = fives, *inside = &fives[N / 2 + 3];                                          \
            shared [8] short *c = eights;                                                                     \
            shared struct cell *s = cells;                                                                    \
            shared [] double *f = flat;                                                                       \
            (void)a, (void)b, (void)c, (void)s, (void)f, (void)middle, (void)inside;                          \
            __VA_ARGS__                                                                                       \
        }                                                                                                     \
        {                                                                                                     \
            int *a = model_cyclic, *middle = &model_cyclic[N / 2 + 1];                                        \
            long *b = model_fives, *inside = &model_fives[N / 2 + 3];                                         \
            short *c = model_eights;                                                                          \
            struct cell *s = model_cells;                                                                     \
            double *f = model_flat;                                                                           \
            (void)a, (void)b, (void)c, (void)s, (void)f, (void)middle, (void)inside;                          \
            __VA_ARGS__                                                                                       \
        }                                                                                                     \
        CHECK(same());                                                                                        \
    } while (0)

static void updates(void) {
    BOTH(for (u = 0; u < 300; u++) a[key(u) % n] ^= (int)u;);
    BOTH(for (u = 0; u < 300; u++) b[key(u) % n] += u;);
    BOTH(for (u = 0; u < 300; u++) c[key(u) % n] -= (short)u;);
    BOTH(for (u = 0; u < 300; u++) f[key(u) % N] = f[key(u + 9) % N] / 2;);
    BOTH(for (u = 0; u < 300; u++) a[key(u) % n] = (int)b[key(u + 1) % n] + c[key(u + 2) % n];);
    BOTH(for (i = 0; i < 300; i++) middle[(int)(key(i) % N) - N / 2]++;);
    BOTH(for (i = 0; i < 300; i++) inside[(int)(key(i) % N) - N / 2] *= 3;);
    BOTH(for (i = 0; i < 300; i++) *(inside - keys[i % N] / 2) += i;);
    BOTH(for (i = 0; i < 300; i++) s[key(i) % n].k[key(i + 3) % 3] += i;);
    BOTH(for (i = 0; i < 300; i++) { s[key(i) % n].d = i; s[key(i) % n].c++; });
    BOTH(for (i = 0; i < 99; i++) a[keys[a[keys[i]] % N]] = i;);
}

static void ends_early(void) {
    BOTH(for (i = 0; i < 300; i++) { if (a[keys[i % N]] % 50 == 49) break; a[keys[i % N]] = i; } CHECK(i < 300););
    BOTH(for (i = 0; i < 300; i++) { if (i % 3 == 1) continue; a[keys[i % N]] = i; } CHECK(i == 300););
    BOTH(for (i = 0; a[keys[i]] < 200; i++) a[keys[i]] = i; CHECK(i > 0 && i < N););
    BOTH(for (i = 1; i < 3000; i *= 2) a[keys[i % N]] = i; CHECK(i == 4096););
    BOTH(for (i = 0, u = 5; i < 50; i++, u += i) a[keys[i] % 7] += (int)u;);
    BOTH(for (i = 0; i < 90; i++) { if (c[keys[i]] > 50) break; c[keys[i]] = 0; } CHECK(i < 90););
}

/* The index is computed once in each iteration, and a value that decides something is read once. */
static void effects(void) {
    int i, sum = 0, k = 0;
    clear();
    evaluated = 0;
    for (i = 0; i < 100; i++) cyclic[next_key(i)] += 5;
    for (i = 0; i < 100; i++) model_cyclic[key(i) % N] += 5;
    CHECK(evaluated == 100 && same());
    for (i = 0; i < 100; i++) fives[keys[k++]]++;
    for (i = 0; i < 100; i++) model_fives[keys[i]]++;
    CHECK(k == 100 && same());
    for (i = 0; i < 100; i++) {
        const int seen = cyclic[keys[i]];
        sum += seen > 10 ? seen : -seen;
    }
    for (i = 0; i < 100; i++) sum -= model_cyclic[keys[i]] > 10 ? model_cyclic[keys[i]] : -model_cyclic[keys[i]];
    CHECK(sum == 0);
}

static void arrays(void) {
    int i, n = 4 * THREADS;
    clear();
    for (i = 0; i < 300; i++) rows[key(i) % N][key(i + 5) % n] += i;
    for (i = 0; i < 300; i++) model_rows[key(i) % N][key(i + 5) % n] += i;
    CHECK(same());
    for (i = 0; i < 300; i++) (&cyclic[3])[key(i) % N]++;
    for (i = 0; i < 300; i++) (&model_cyclic[3])[key(i) % N]++;
    CHECK(same());
}

/* A pointer that changes meanwhile is none of an array that does not vary. */
static void moving(void) {
    int i;
    shared int *p = cyclic;
    clear();
    for (i = 0; i < 100; i++) {
        p[keys[i] % 9] += 2;
        if (i % 4 == 0) p++;
    }
    for (i = 0; i < 100; i++) model_cyclic[(i + 3) / 4 + keys[i] % 9] += 2;
    CHECK(same());
}

/* Objects that pointers lead to, of every layout, by name, by lists and by tables, also of other threads. */
struct link { int value; short more[3]; shared struct link *next; shared [3] int *far; };
static shared struct link links[N * THREADS];
static void anywhere(void) {
    shared int *table[N];
    shared [5] long *inside[N];
    shared [] double *flats[N];
    shared struct link *p;
    long sum = 0, expected = 0;
    int i;
    clear();
    for (i = 0; i < N; i++) {
        table[i] = &cyclic[key(i + 1) % (N * THREADS)];
        inside[i] = &fives[key(i + 2) % (N * THREADS - 4)];
        flats[i] = &flat[key(i + 3) % N];
    }
    for (i = 0; i < 300; i++) *table[keys[i % N]] += i;
    for (i = 0; i < 300; i++) inside[keys[i % N]][i % 4] -= i;
    for (i = 0; i < 300; i++) *flats[keys[i % N]] = *flats[i % N] + 1;
    for (i = 0; i < 300; i++) model_cyclic[key(keys[i % N] + 1) % (N * THREADS)] += i;
    for (i = 0; i < 300; i++) model_fives[key(keys[i % N] + 2) % (N * THREADS - 4) + i % 4] -= i;
    for (i = 0; i < 300; i++) model_flat[key(keys[i % N] + 3) % N] = model_flat[key(i % N + 3) % N] + 1;
    CHECK(same());
    for (i = 0; i < N * THREADS; i++) {
        links[i].value = i;
        links[i].next = i + 1 < N * THREADS ? &links[i + 1] : NULL;
    }
    for (p = links; p != NULL; p = p->next) p->more[p->value % 3] = (short)(p->value + 1);
    for (p = links, i = 0; p != NULL && i < 77; i++, p = p->next) {
        if (p->value % 7 == 3) continue;
        sum += p->more[p->value % 3];
    }
    for (i = 0; i < 77 && i < N * THREADS; i++) expected += i % 7 == 3 ? 0 : i + 1;
    CHECK(sum == expected);
}

/* Atomic operations on elements anywhere: what they return, and what is then in memory. */
static shared uint64_t words[N * THREADS];
static shared [7] int32_t sevens[N * THREADS];
static shared uint64_t *shared directory[N * THREADS];
static void atomics(void) {
    static uint64_t model_words[N * 8];
    static int32_t model_sevens[N * 8];
    shared uint64_t *table[N];
    uint64_t seen = 0, expected = 0;
    unsigned u;
    int i, n = N * THREADS, wrong = 0;
    clear();
    for (i = 0; i < n; i++) {
        bupc_atomicU64_set_relaxed(&words[key(i) % n], key(i) % n);
        words[i] = model_words[i] = i;
        sevens[i] = model_sevens[i] = -i;
    }
    for (i = 0; i < N; i++) table[i] = &words[key(i + 1) % n];
    for (u = 0; u < 300; u++) bupc_atomicU64_fetchxor_relaxed(&words[key(u) % n], u);
    for (u = 0; u < 300; u++) model_words[key(u) % n] ^= u;
    for (u = 0; u < 300; u++) seen += bupc_atomicI32_fetchadd_relaxed(&sevens[key(u) % n], (int)u) + 1000;
    for (u = 0; u < 300; u++) expected += model_sevens[key(u) % n] + 1000, model_sevens[key(u) % n] += (int)u;
    CHECK(seen == expected);
    for (i = 0; i < 300; i++) bupc_atomicU64_fetchor_relaxed(table[keys[i % N]], (uint64_t)1 << i % 64);
    for (i = 0; i < 300; i++) model_words[key(keys[i % N] + 1) % n] |= (uint64_t)1 << i % 64;
    for (i = MYTHREAD; i < N * THREADS; i += THREADS) directory[i] = &words[key(i) % n];
    for (i = 0; i < 300; i++) bupc_atomicU64_fetchadd_relaxed(directory[keys[i % N] * THREADS + MYTHREAD], 3);
    for (i = 0; i < 300; i++) model_words[key(keys[i % N] * THREADS + MYTHREAD) % n] += 3;
    for (i = 0; i < 300; i++)
        if (bupc_atomicU64_cswap_relaxed(&words[key(i) % n], key(i) % n, 5) == key(i) % n) sum_of_swaps++;
    for (i = 0; i < 300; i++)
        if (model_words[key(i) % n] == key(i) % n) model_words[key(i) % n] = 5, sum_of_swaps--;
    CHECK(sum_of_swaps == 0);
    for (i = 0; i < n; i++) wrong += words[i] != model_words[i] || sevens[i] != model_sevens[i];
    CHECK(wrong == 0);
}

/* Without an iteration the pointer need not be one: none of it may be read. */
static void without_iterations(void) {
    shared [] double *table;
    int i;
    clear();
    memset(&table, 0xee, sizeof table);
    for (i = 0; i < evaluated - evaluated; i++) table[keys[i]] += 1;
    CHECK(i == 0 && same());
}

static shared long counts[64 * THREADS];
static void by_owner(void) {
    int i, j;
    for (i = MYTHREAD; i < 64 * THREADS; i += THREADS) counts[i] = 0;
    upc_barrier;
    upc_forall (i = 0; i < 64 * THREADS; i++; i) counts[64 * THREADS - 1 - (i ^ 1)] += i; /* each element once */
    upc_barrier;
    for (i = 0, j = 0; i < 64 * THREADS; i++) j += counts[64 * THREADS - 1 - (i ^ 1)] == i;
    CHECK(j == 64 * THREADS);
    upc_barrier;
}

int main(void) {
    flat = (shared [] double *)upc_all_alloc(THREADS, N * sizeof(double));
    if (THREADS > 8) return 2;
    if (MYTHREAD == THREADS - 1) {
        updates();
        ends_early();
        effects();
        arrays();
        moving();
        anywhere();
        atomics();
        without_iterations();
    }
    upc_barrier;
    by_owner();
    return finish();
}
