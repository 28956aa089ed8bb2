/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates of elements at random places, which long loops do some iterations later: they give what C gives for private
 * arrays, whether elements are far from each other or near, of any type, by any operator, in any number. */
#include <bupc_atomics.h>
#include <upc_castable.h>
#include <stdint.h>
#include <stdlib.h>
#include "../../clauses/check.h"

/* N elements of each thread, or as many in all, are accessed. They are S apart: far from each other. */
#define N 100
#define S 3077
struct cell { float f; uint16_t s; };
shared int cyclic[S * N * THREADS];
shared [5] uint64_t fives[S * N * THREADS];
shared struct cell cells[S * N * THREADS];
shared unsigned char bytes[S * N * THREADS];
shared int owned[N * THREADS];
shared [] double *flat;
static int model_cyclic[S * N * 8];
static uint64_t model_fives[S * N * 8];
static struct cell model_cells[S * N * 8];
static unsigned char model_bytes[S * N * 8];
static double model_flat[S * N];
static int model_owned[N], keys[N];
static int iterations = 5000; /* few where each access is a message */

static unsigned key(unsigned i) {
    i = (i + 1) * 2654435761u;
    return (i ^ i >> 15) * 2246822519u >> 3;
}

static void clear(void) {
    int i;
    for (i = 0; i < N * THREADS; i++) {
        cyclic[i * S] = model_cyclic[i * S] = i;
        fives[i * S] = model_fives[i * S] = 3 * i;
        cells[i * S].f = model_cells[i * S].f = i;
        cells[i * S].s = model_cells[i * S].s = (uint16_t)i;
        bytes[i * S] = model_bytes[i * S] = (unsigned char)i;
    }
    for (i = 0; i < N; i++) {
        flat[i * S] = model_flat[i * S] = i;
        keys[i] = (int)(key(i + 9) % N) * S;
    }
}

static int same(void) {
    int i, wrong = 0;
    for (i = 0; i < S * N * THREADS; i += S) {
        wrong += cyclic[i] != model_cyclic[i] || fives[i] != model_fives[i] || bytes[i] != model_bytes[i];
        wrong += cells[i].f != model_cells[i].f || cells[i].s != model_cells[i].s;
    }
    for (i = 0; i < S * N; i += S) wrong += flat[i] != model_flat[i];
    return wrong == 0;
}

/* The statement for the shared and for the private arrays, which it names by letters. */
#define BOTH(...)                                                                                             \
    do {                                                                                                      \
        int i, n = N * THREADS, m = iterations;                                                               \
        unsigned u;                                                                                           \
        (void)i, (void)u, (void)n, (void)m;                                                                            \
        {                                                                                                     \
            shared int *a = cyclic, *middle = &cyclic[N / 2 * S];                                             \
            shared [5] uint64_t *b = fives;                                                                   \
            shared struct cell *s = cells;                                                                    \
            shared unsigned char *c = bytes;                                                                  \
            shared [] double *f = flat;                                                                       \
            (void)a, (void)b, (void)s, (void)c, (void)f, (void)middle;                                        \
            __VA_ARGS__                                                                                       \
        }                                                                                                     \
        {                                                                                                     \
            int *a = model_cyclic, *middle = &model_cyclic[N / 2 * S];                                        \
            uint64_t *b = model_fives;                                                                        \
            struct cell *s = model_cells;                                                                     \
            unsigned char *c = model_bytes;                                                                   \
            double *f = model_flat;                                                                           \
            (void)a, (void)b, (void)s, (void)c, (void)f, (void)middle;                                        \
            __VA_ARGS__                                                                                       \
        }                                                                                                     \
        CHECK(same());                                                                                        \
    } while (0)

/* Operators that do not commute show an order that has changed. */
static void operators(void) {
    BOTH(for (u = 0; u < m; u++) a[key(u) % n * S] ^= (int)u;);
    BOTH(for (u = 0; u < m; u++) b[key(u) % n * S] += u;);
    BOTH(for (u = 0; u < m; u++) b[key(u) % n * S] -= (uint64_t)u << 33;);
    BOTH(for (u = 0; u < m; u++) f[key(u) % N * S] *= 1.5f;);
    BOTH(for (u = 0; u < m; u++) f[key(u) % N * S] += u;);
    BOTH(for (u = 0; u < m; u++) f[key(u) % 99 * S] /= u % 3 + 1;);
    BOTH(for (u = 0; u < m; u++) c[key(u) % n * S] += 300;);
    BOTH(for (u = 0; u < m; u++) c[key(u) % n * S] |= (unsigned char)(u & 5););
    BOTH(for (i = 0; i < m; i++) s[key(i) % n * S].f -= i;);
    BOTH(for (i = 0; i < m; i++) --s[key(i) % n * S].s;);
    BOTH(for (i = 2 * m; i > 0; i -= 2) a[key(i) % n * S] &= -i;);
    BOTH(for (i = 0; i < m; i++) middle[((int)(key(i) % N) - N / 2) * S]++;);
    /* Not later, for the values. */
    BOTH(for (u = 0; u < m; u++) a[key(u) % n * S] <<= u % 2;);
    BOTH(for (u = 0; u < m; u++) s[key(u) % n * S].f += 0.1;);
    BOTH(for (u = 0; u < m; u++) a[key(u) % n * S] %= 1000;);
}

/* Few elements, of which an update may still wait, and elements near each other. */
static void near(void) {
    BOTH(for (u = 0; u < m; u++) a[key(u) % 3 * S] = a[key(u) % 3 * S] * 3 % 1000 + 1;);
    BOTH(for (u = 0; u < m; u++) b[key(u) % 3 * S] *= 3;);
    BOTH(for (u = 0; u < m; u++) b[(u < 80 ? key(u) % n : key(u) % 3) * S] *= 5;);
    BOTH(for (u = 0; u < m; u++) b[(u > 80 ? key(u) % n : key(u) % 3) * S] *= 7;);
    BOTH(for (u = 0; u < m; u++) a[u / 7 % n * S]++;);
}

static void numbers_of_iterations(void) {
    static const int counts[] = {0, 1, 31, 32, 33, 63, 64, 65, 4095, 4096, 4097, 4127, 4128};
    unsigned j;
    if (iterations < 5000) return;
    for (j = 0; j < sizeof counts / sizeof *counts; j++) {
        const int count = counts[j];
        BOTH(for (i = 0; i < count; i++) b[key(i) % n * S] += i; CHECK(i == count););
        BOTH(for (i = count; i > 0; i--) a[key(i) % 9 * S]++; CHECK(i == 0););
    }
}

/* Parts of a body besides the update: they are done in their iterations. */
static void bodies(void) {
    int k = 0;
    unsigned r = 0, v = 0;
    BOTH(for (i = 0; i < m; i++) { if (i % 3 == 1) continue; r = key(i); a[r % n * S] ^= (int)r; });
    CHECK(r == key(4998) || iterations < 5000);
    BOTH(k = 0; for (i = 0; i < m; i++) b[keys[k++ % N]] += i; CHECK(k == m););
    BOTH(k = 0; for (i = 0; i < m; i++) b[keys[k++ % N]] += v = key(i); CHECK(k == m && v == key(m - 1)););
    BOTH(for (i = 0; i < m; i++) if (key(i) & 4) f[key(i) % N * S]++; else r++;);
}

/* Places and values from private arrays behind pointers, as tables of an irregular program are. */
static int *own_places;
static void indirect(void) {
    struct source { int *places; uint64_t value[2]; } source, *from = &source;
    int j, *places = malloc(N * sizeof(int));
    for (j = 0; j < N; j++) places[j] = keys[j];
    source.value[0] = 5, source.value[1] = 9;
    source.places = places;
    BOTH(for (i = 0; i < m; i++) b[places[i % N]] += i;);
    BOTH(for (i = 0; i < m; i++) b[*(places + i % N)] ^= from->value[i & 1];);
    BOTH(for (i = 0; i < m; i++) b[keys[i % N]] -= (*from).value[i & 1];);
    own_places = places;
    BOTH(for (i = 0; i < m; i++) b[own_places[i % N]] += 5;);
    BOTH(for (i = 0; i < m; i++) b[from->places[i % N]] -= i;);
    BOTH(for (i = 0; i < m; i++) { places[i % N] = keys[(i + 1) % N]; a[places[i % N]]++; });
    BOTH(for (i = j = 0; i < m; i++) { a[places[j]]++; j = (j + 7) % N; });
    free(places);
}

/* What may see an update is in order with it. */
static const int *ends;
static void seen(void) {
    int i, sum = 0, *own = (int *)&owned[MYTHREAD];
    const struct halves { uint16_t low, high; } *next;
    for (i = 0; i < N; i++) own[i] = 0;
    for (i = 0; i < 5000; i++) {
        owned[MYTHREAD + key(i) % N * THREADS]++;
        sum += own[key(i) % N];
    }
    for (i = 0; i < 5000; i++) sum -= ++model_owned[key(i) % N];
    CHECK(sum == 0);
    for (i = 0; i < 5000; i++) {
        owned[MYTHREAD + key(i) % N * THREADS] += i;
        own[key(i + 1) % N] = i;
    }
    for (i = 0; i < 5000; i++) {
        model_owned[key(i) % N] += i;
        model_owned[key(i + 1) % N] = i;
    }
    for (i = 0; i < N; i++) sum += own[i] != model_owned[i];
    CHECK(sum == 0);
    /* Memory of another thread, by other types. */
    next = upc_cast(&owned[(MYTHREAD + 1) % THREADS]);
    for (i = 0; i < N; i++) model_owned[i] = owned[(MYTHREAD + 1) % THREADS + i * THREADS] = 0;
    if (next != NULL) {
        for (i = 0; i < 5000; i++) {
            owned[(MYTHREAD + 1) % THREADS + key(i) % N * THREADS]++;
            sum += next[key(i) % N].low;
        }
        for (i = 0; i < 5000; i++) sum -= ++model_owned[key(i) % N];
    }
    CHECK(sum == 0);
    /* From the end of an object, which may be that of the heap; and of a program's own table for each thread. */
    for (i = 0; i < N; i++) own[i] = model_owned[i] = 0;
    ends = own + N;
    for (i = 0; i < 5000; i++) {
        owned[MYTHREAD + key(i) % N * THREADS]++;
        sum += ends[-1 - (int)(key(i) % N)];
    }
    for (i = 0; i < 5000; i++) {
        ++model_owned[key(i) % N];
        sum -= model_owned[N - 1 - key(i) % N];
    }
    CHECK(sum == 0);
}

/* Through tables of pointers-to-shared, and by atomic operations. */
static void tables(void) {
    shared [] double *parts[4];
    int i, n = N * THREADS, m = iterations;
    for (i = 0; i < 4; i++) parts[i] = flat + i * (N / 4) * S;
    for (i = 0; i < m; i++) parts[key(i) & 3][key(i) % (N / 4) * S] += i;
    for (i = 0; i < m; i++) model_flat[((key(i) & 3) * (N / 4) + key(i) % (N / 4)) * S] += i;
    CHECK(same());
    for (i = 0; i < m; i++) bupc_atomicU64_fetchxor_relaxed(&fives[key(i) % n * S], i);
    for (i = 0; i < m; i++) model_fives[key(i) % n * S] ^= i;
    for (i = 0; i < m; i++) bupc_atomicI32_fetchadd_relaxed(&cyclic[key(i) % n * S], -i);
    for (i = 0; i < m; i++) model_cyclic[key(i) % n * S] -= i;
    for (i = 0; i < m; i++) bupc_atomicUL_fetchand_relaxed(&fives[key(i) % n * S], ~(uint64_t)i);
    for (i = 0; i < m; i++) model_fives[key(i) % n * S] &= ~(uint64_t)i;
    for (i = 0; i < m; i++) bupc_atomicI_fetchor_relaxed(&cyclic[key(i) % n * S], i);
    for (i = 0; i < m; i++) model_cyclic[key(i) % n * S] |= i;
    CHECK(same());
}

/* Of all threads at once: none is lost. */
static shared uint64_t words[S * N * THREADS];
static void together(void) {
    uint64_t sum = 0;
    int i, n = N * THREADS, m = iterations;
    for (i = 0; i < m; i++) bupc_atomicU64_fetchadd_relaxed(&words[key(i + MYTHREAD) % n * S], 1);
    upc_barrier;
    for (i = 0; i < n; i++) sum += words[i * S];
    CHECK(sum == (uint64_t)m * THREADS);
}

int main(void) {
    flat = (shared [] double *)upc_all_alloc(THREADS, S * N * sizeof(double));
    if (THREADS > 8) return 2;
    if (upc_cast(&cyclic[(MYTHREAD + 1) % THREADS]) == NULL) iterations = 300;
    if (MYTHREAD == THREADS - 1) {
        clear();
        operators();
        near();
        numbers_of_iterations();
        clear();
        bodies();
        indirect();
        seen();
        tables();
    }
    upc_barrier;
    together();
    return finish();
}
