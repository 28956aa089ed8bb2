/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.5.1.1: layout qualifiers: where elements of shared arrays are, for every layout and with THREADS in any
 * dimension. Written and read through elements, through pointers, and by another thread. */
#include "check.h"

struct odd {
    char c[3];
    short s;
};

/* An array of c * THREADS elements in all: element i is on thread i / B % THREADS, of an indefinite one on thread 0. */
#define LAYOUT(NAME, TYPE, B, PER_THREAD)                                                              \
    static void test_##NAME(void)                                                                              \
    {                                                                                                          \
        const long n = (long)(PER_THREAD) * THREADS, block = (B);                                              \
        shared [B] TYPE *p = (shared [B] TYPE *)&NAME;                                                         \
        long i;                                                                                                \
        CHECK(sizeof(NAME) == n * sizeof(TYPE) && upc_blocksizeof(NAME) == block);                             \
        CHECK(upc_threadof(&NAME) == 0 && upc_phaseof(&NAME) == 0);                                            \
        for (i = 0; i < n; i++) {                                                                              \
            CHECK(upc_threadof(p + i) == (block == 0 ? 0 : i / block % THREADS));                              \
            CHECK(upc_phaseof(p + i) == (block == 0 ? 0 : i % block));                                         \
            if (i % THREADS == MYTHREAD) p[i] = (TYPE)(100 + i);                                               \
        }                                                                                                      \
        upc_barrier;                                                                                           \
        for (i = 0; i < n; i++) CHECK(p[i] == (TYPE)(100 + i));                                                \
        upc_barrier;                                                                                           \
    }

shared int cyclic[THREADS];
LAYOUT(cyclic, int, 1, 1)
shared int cyclic7[7 * THREADS];
LAYOUT(cyclic7, int, 1, 7)
shared [1] short one[THREADS * 3];
LAYOUT(one, short, 1, 3)
shared [3] double three[(THREADS) * 7];
LAYOUT(three, double, 3, 7)
shared [5] long five[5 * THREADS];
LAYOUT(five, long, 5, 5)
/* More elements in a block than there are for a thread. */
shared [100] char hundred[3 * THREADS];
LAYOUT(hundred, char, 100, 3)
shared [*] float star[7 * THREADS];
LAYOUT(star, float, 7, 7)
shared [*] int star_one[THREADS];
LAYOUT(star_one, int, 1, 1)
shared [2] int first_bound[THREADS][6];
LAYOUT(first_bound, int, 2, 6)
shared [4] int last_bound[5][2 * THREADS];
LAYOUT(last_bound, int, 4, 10)
shared [6] int middle_bound[2][THREADS * 3][4];
LAYOUT(middle_bound, int, 6, 24)
shared [*] unsigned star_matrix[3][THREADS][2];
LAYOUT(star_matrix, unsigned, 6, 6)
static shared [3] long long hidden[4 * THREADS];
LAYOUT(hidden, long long, 3, 4)
/* The block size is an integer constant expression. */
enum { TWO = 2 };
shared [sizeof(struct odd) / 3 + TWO - 1] int computed[TWO * 4 * THREADS];
LAYOUT(computed, int, sizeof(struct odd) / 3 + 1, 8)
typedef shared [3] int row_of_three[3 * THREADS];
row_of_three from_typedef;
LAYOUT(from_typedef, int, 3, 3)
typedef shared int shared_int;
shared_int from_element[THREADS * 2];
LAYOUT(from_element, int, 1, 2)
typedef double four[4];
shared [4] four rows[THREADS];
LAYOUT(rows, double, 4, 4)
shared shared [2] int twice_shared[2 * THREADS];
LAYOUT(twice_shared, int, 2, 2)

/* All of an indefinite array and a scalar are on thread 0. */
shared [] int indefinite[11];
shared [0] int zero_block[2][3];
shared int scalar;
shared [7] int scalar_with_block;
shared struct odd record;

static void test_on_thread_0(void)
{
    int i;
    CHECK(sizeof(indefinite) == 11 * sizeof(int) && upc_blocksizeof(indefinite) == 0);
    CHECK(upc_blocksizeof(zero_block) == 0 && upc_blocksizeof(scalar) == 1 && upc_blocksizeof(scalar_with_block) == 7);
    for (i = 0; i < 11; i++) {
        CHECK(upc_threadof(&indefinite[i]) == 0 && upc_phaseof(&indefinite[i]) == 0);
        CHECK(upc_addrfield(&indefinite[i]) - upc_addrfield(indefinite) == i * sizeof(int));
        if (i % THREADS == MYTHREAD) indefinite[i] = 3 * i;
    }
    if (MYTHREAD == THREADS - 1) {
        zero_block[1][2] = 12;
        scalar = 1;
        scalar_with_block = 2;
        record.c[2] = 'x';
        record.s = 77;
    }
    upc_barrier;
    for (i = 0; i < 11; i++) CHECK(indefinite[i] == 3 * i);
    CHECK(zero_block[1][2] == 12 && upc_threadof(&zero_block[1][2]) == 0);
    CHECK(scalar == 1 && scalar_with_block == 2 && upc_threadof(&scalar) == 0 && upc_threadof(&scalar_with_block) == 0);
    CHECK(record.c[2] == 'x' && record.s == 77 && upc_threadof(&record.s) == 0);
}

int main(void)
{
    test_cyclic(), test_cyclic7(), test_one(), test_three(), test_five(), test_hundred();
    test_star(), test_star_one(), test_first_bound(), test_last_bound(), test_middle_bound(), test_star_matrix();
    test_hidden(), test_computed(), test_from_typedef(), test_from_element(), test_rows(), test_twice_shared();
    test_on_thread_0();
    return finish();
}
