/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of every type and layout by macros, and pointers that walk through them. */
#include <stdio.h>
#include <stdlib.h>
#include <upc.h>
#define N 8
#define COUNT(a) (sizeof(a) / sizeof(a[0]))
typedef unsigned char byte_t;
typedef unsigned short half_t;
typedef unsigned int word_t;
typedef unsigned long long_t;
typedef float single_t;
typedef double double_t;
typedef struct chunk {
    char fill[17];
} chunk_t;
shared byte_t bytes[N * THREADS];
strict shared byte_t strict_array_uQI[N * THREADS];
shared [] half_t halves[N];
strict shared word_t strict_words[N * THREADS];
shared [3] long_t longs[N * THREADS];
shared [5] single_t singles[N * THREADS];
strict shared [5] double_t doubles[N * THREADS];
shared [2] chunk_t chunks[N * THREADS];
#define TEST(arr, type)                                                           \
    do {                                                                          \
        int i;                                                                    \
        upc_forall (i = 0; i < N * THREADS; i++; &arr[i]) arr[i] = (type)(i + 1); \
        upc_barrier;                                                              \
        for (i = 0; i < N * THREADS; i++) {                                       \
            type got = arr[i], expected = (type)(i + 1);                          \
            if (got != expected) {                                                \
                fprintf(stderr, "%d: Error: %s element %d\n", MYTHREAD, #arr, i); \
                abort();                                                          \
            }                                                                     \
        }                                                                         \
        upc_barrier;                                                              \
    } while (0)
static void test_ptr(void) {
    shared [3] long_t *p1 = longs, *p2, *const p3 = &longs[N * THREADS - 1];
    shared [3] long_t *volatile p4;
    size_t diff;
    for (p2 = p1; p2 <= p3; ++p2) {
        diff = p2 - p1;
        if (*p2 != diff + 1) abort();
        if (&p1[diff] != p2 || p2 - diff != p1 || (p2 > p1) != (diff > 0)) abort();
        if (upc_threadof(p2) != diff / 3 % THREADS || upc_phaseof(p2) != diff % 3) abort();
    }
    p4 = p3;
    p4--;
    p4 -= 1;
    p4 += 2;
    if (p4 != p3 || !(p4 >= p3) || p4 < p3) abort();
    if (upc_phaseof(upc_resetphase(p3))) abort();
}
static void test_struct(void) {
    chunk_t x;
    int i, j;
    upc_forall (i = 0; i < N * THREADS; i++; &chunks[i])
        for (j = 0; j < sizeof x.fill; j++) chunks[i].fill[j] = i + j;
    upc_barrier;
    for (i = 0; i < N * THREADS; i++) {
        x = chunks[i];
        for (j = 0; j < COUNT(x.fill); j++)
            if (x.fill[j] != (char)(i + j)) abort();
    }
    upc_barrier;
    if (MYTHREAD == 0) chunks[0] = chunks[N * THREADS - 1];
    upc_barrier;
    if (chunks[0].fill[2] != (char)(N * THREADS + 1)) abort();
}
extern void exit(int);
int main(void) {
    int i;
    TEST(bytes, byte_t);
    TEST(strict_array_uQI, byte_t);
    TEST(strict_words, word_t);
    TEST(longs, long_t);
    TEST(singles, single_t);
    TEST(doubles, double_t);
    test_ptr();
    test_struct();
    if (!MYTHREAD)
        for (i = 0; i < N; ++i) halves[i] = ~i;
    upc_barrier;
    for (i = 0; i < N; ++i)
        if (halves[i] != (half_t)~i) abort();
    if (upc_affinitysize(sizeof longs, 3 * sizeof(long_t), MYTHREAD) > sizeof longs) abort();
    if (upc_localsizeof(singles) < N * sizeof(float)) abort();
    if (upc_blocksizeof(chunks) != 2 || upc_elemsizeof(chunks) != 17 || upc_blocksizeof(halves) != 0 ||
        sizeof halves != 16)
        abort();
    if (!MYTHREAD) printf("complete\ndone\n");
    exit(0);
}
