/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.5.1.1 and 6.4.1.4: with a static number of threads bounds are free, and THREADS is a constant. With a
 * dynamic one this program checks nothing. */
#include "check.h"

#ifdef __UPC_STATIC_THREADS__
#if THREADS < 1
#error THREADS is no number
#endif
shared int cyclic[10];
shared [3] int blocked[10];
shared [4] int in_two[2 * THREADS + 3][THREADS];
shared [*] int star[10];
shared [*] char star_matrix[3][5];
shared [THREADS] int by_threads[17];
shared [] int on_0[THREADS * THREADS];
shared [2] int completed[] = {1, 2, 3, 4, 5, 6, 7};
shared char text[] = "static threads";
shared [2] int far[100] = {[50] = 5, [99] = 9};
int private_array[THREADS + 1];
enum { TWICE = 2 * THREADS };
struct with_threads {
    int v[THREADS];
    unsigned bits : THREADS > 16 ? 16 : THREADS;
};
_Static_assert(sizeof(cyclic) == 10 * sizeof(int) && sizeof(star) == 10 * sizeof(int), "");
_Static_assert(upc_blocksizeof(star) == (10 + THREADS - 1) / THREADS, "");
_Static_assert(upc_localsizeof(blocked) == (4 + THREADS - 1) / THREADS * 3 * sizeof(int), "");

#define ON(array, B, i)                                                                     \
    (upc_threadof(&array[i]) == (i) / (B) % THREADS && upc_phaseof(&array[i]) == (i) % (B))

static int in_switch(int i)
{
    switch (i) {
        case THREADS: return 1;
        case TWICE + 1: return 2;
        default: return 0;
    }
}

static void test(void)
{
    static int counted[THREADS];
    int i, j;
    for (i = 0; i < 10; i++) {
        CHECK(upc_threadof(&cyclic[i]) == i % THREADS && ON(blocked, 3, i) && ON(star, (10 + THREADS - 1) / THREADS, i));
        if (i % THREADS == MYTHREAD) cyclic[i] = i, blocked[i] = 10 + i, star[i] = 20 + i;
    }
    for (i = 0; i < 17; i++) {
        CHECK(THREADS == 1 || ON(by_threads, THREADS, i));
        if (i % THREADS == MYTHREAD) by_threads[i] = i;
    }
    for (i = 0; i < 2 * THREADS + 3; i++)
        for (j = 0; j < THREADS; j++) {
            CHECK(upc_threadof(&in_two[i][j]) == (i * THREADS + j) / 4 % THREADS);
            if (j == MYTHREAD) in_two[i][j] = 100 * i + j;
        }
    for (i = 0; i < 15; i++)
        if (i % THREADS == MYTHREAD) star_matrix[i / 5][i % 5] = i;
    for (i = 0; i < THREADS * THREADS; i++)
        if (i % THREADS == MYTHREAD) on_0[i] = i;
    upc_barrier;
    for (i = 0; i < 10; i++) CHECK(cyclic[i] == i && blocked[i] == 10 + i && star[i] == 20 + i);
    for (i = 0; i < 17; i++) CHECK(by_threads[i] == i);
    for (i = 0; i < 2 * THREADS + 3; i++)
        for (j = 0; j < THREADS; j++) CHECK(in_two[i][j] == 100 * i + j);
    for (i = 0; i < 15; i++) CHECK(star_matrix[i / 5][i % 5] == i);
    for (i = 0; i < THREADS * THREADS; i++) CHECK(on_0[i] == i && upc_threadof(&on_0[i]) == 0);

    CHECK(sizeof(completed) == 7 * sizeof(int) && sizeof(text) == 15 && sizeof(private_array) == (THREADS + 1) * sizeof(int));
    for (i = 0; i < 7; i++) CHECK(completed[i] == i + 1 && ON(completed, 2, i));
    for (i = 0; i < 15; i++) CHECK(text[i] == "static threads"[i]);
    for (i = 0; i < 100; i++) CHECK(far[i] == (i == 50 ? 5 : i == 99 ? 9 : 0));
    CHECK(in_switch(THREADS) == 1 && in_switch(2 * THREADS + 1) == 2 && in_switch(-1) == 0);
    CHECK(sizeof(struct with_threads) >= THREADS * sizeof(int) && sizeof(counted) == THREADS * sizeof(int));
    private_array[THREADS] = counted[THREADS - 1];
    CHECK(private_array[THREADS] == 0);
}
#else
static void test(void) {}
#endif

int main(void)
{
    test();
    return finish();
}
