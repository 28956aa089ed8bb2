/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.5.1: shared objects with static storage in functions: one for the program, with no linkage; unshared ones
 * and pointers-to-shared: one for each thread. extern in blocks. */
#include "check.h"

shared int counter = 1000;

static shared int *counters(int which)
{
    static shared int counter = 10;
    shared int *outer = &counter;
    if (which > 0) {
        static shared int counter = 20;
        return which == 1 ? &counter : which == 2 ? outer : ({
            extern shared int counter;
            &counter;
        });
    }
    {
        static shared [3] int counter[3 * THREADS] = {30, 31, 32};
        return (shared int *)&counter[2];
    }
}

/* Another function's object of the same name. */
static int next(void)
{
    static shared int counter;
    static int calls = 100;
    static shared int *mine = &counter, *others[2] = {0, &counter};
    CHECK(mine == &counter && others[1] == mine && others[0] == NULL);
    if (MYTHREAD == 0) counter++;
    return calls++;
}

static int skipped_over(int skip)
{
    if (skip) goto end;
    static shared int *pointer = &counter;
    static struct {
        shared int *p;
        int n;
    } record = {&counter, 7}, *where = &record;
end:
    return *pointer + *record.p + where->n;
}

static int label_table(int i)
{
    static void *const labels[] = {&&first, &&second};
    static shared int seen;
    seen = i;
    goto *labels[i];
first:
    return 1;
second:
    return 2;
}

static long with_types(int i)
{
    enum { SIZE = 4, THIRD = 3 };
    typedef struct {
        short s;
        long l[SIZE];
    } local;
    static shared local record = {1, {2, THIRD, [3] = SIZE}};
    static local own = {SIZE, {5, [THIRD] = 6}};
    static shared int *pointers[SIZE] = {[THIRD] = &counter};
    static shared [SIZE] int array[THREADS][SIZE] = {{[1] = THIRD}};
    static const char *const texts[] = {"a", "bc"};
    CHECK(pointers[THIRD] == &counter && pointers[0] == NULL && array[0][1] == THIRD && array[0][3] == 0);
    CHECK(texts[1][1] == 'c');
    own.l[0] += i;
    return record.s + record.l[0] + record.l[1] + record.l[3] + own.s + own.l[0] + own.l[3];
}

static shared int *recursive(int depth)
{
    static shared int deep = 5;
    return depth == 0 ? &deep : recursive(depth - 1);
}

inline static int in_inline(void)
{
    static shared int total = 3;
    return total;
}

int main(void)
{
    int i;
    CHECK(*counters(0) == 32 && *counters(1) == 20 && *counters(2) == 10 && *counters(3) == 1000);
    upc_barrier;
    if (MYTHREAD == THREADS - 1) *counters(1) += 1, *counters(2) += 2;
    upc_barrier;
    CHECK(*counters(1) == 21 && *counters(2) == 12 && counter == 1000 && counters(3) == &counter);
    for (i = 0; i < 3; i++) CHECK(next() == 100 + i);
    CHECK(skipped_over(1) == 2007 && skipped_over(0) == 2007);
    upc_barrier;
    CHECK(label_table(0) == 1 && label_table(1) == 2);
    CHECK(with_types(0) == 25 && with_types(10) == 35 && with_types(0) == 35);
    CHECK(recursive(3) == recursive(0) && *recursive(1) == 5 && in_inline() == 3);
    return finish();
}
