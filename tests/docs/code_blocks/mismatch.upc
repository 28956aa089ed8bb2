/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/how-to/debugging.md: a barrier that not all threads pass, in line 12, which line 40 calls. */
#include <stdlib.h>
#include <upc_relaxed.h>

shared double row[THREADS];

/* The right neighbour's value. */
static inline double exchange(int round) {
    double value;
    row[MYTHREAD] = round;
    upc_barrier round;
    value = row[(MYTHREAD + 1) % THREADS];
    return value;
}

/* How many rounds there would be. */
static int rounds(void) {
    return 10;
}

static double largest(double a, double b) {
    if (a > b) {
        return a;
    }
    return b;
}

/* The barrier that ends a round: thread 2 is one ahead in round 7. */
static int number(int round) {
    if (MYTHREAD == 2 && round == 7) {
        return 8;
    }
    return round;
}

int main(void) {
    double most = 0;

    for (int round = 0; round < rounds(); round++) most = largest(most, exchange(number(round)));
    return most > 10 ? EXIT_FAILURE : EXIT_SUCCESS;
}
