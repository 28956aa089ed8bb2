/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursion with pointers-to-shared: trees, quicksort, memoised Fibonacci numbers. */
#include "check.h"
#include <stdlib.h>
typedef struct tree tree_t;
typedef shared [] tree_t *tp;
struct tree {
    tp kid[2];
    int key, n;
};
static tp ins(tp t, int k)
{
    if (!t) {
        t = upc_alloc(sizeof(tree_t));
        t->kid[0] = t->kid[1] = NULL;
        t->key = k;
        t->n = 1;
        return t;
    }
    if (k == t->key) {
        t->n++;
        return t;
    }
    t->kid[k > t->key] = ins(t->kid[k > t->key], k);
    return t;
}
static int depth(tp t)
{
    int a, b;
    return t ? ((a = depth(t->kid[0])) > (b = depth(t->kid[1])) ? a : b) + 1 : 0;
}
static int sum(tp t) { return !t ? 0 : t->key * t->n + sum(t->kid[0]) + sum(t->kid[1]); }
static void del(tp *pt)
{
    int i;
    if (!*pt) return;
    for (i = 0; i < 2; i++) {
        tp k = (*pt)->kid[i];
        del(&k);
    }
    upc_free(*pt);
    *pt = 0;
}
tp shared roots[THREADS];
static void qs(shared [] int *lo, shared [] int *hi)
{
    shared [] int *i = lo, *j = hi;
    int p, t;
    if (lo >= hi) return;
    p = lo[(hi - lo) / 2];
    while (i <= j) {
        while (*i < p) ++i;
        while (*j > p) --j;
        if (i <= j) {
            t = *i;
            *i++ = *j;
            *j-- = t;
        }
    }
    qs(lo, j);
    qs(i, hi);
}
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
shared [] int *shared data[THREADS];
static int fib(shared [] int *memo, int n)
{
    return n < 2 ? n : memo[n] ? memo[n] : (memo[n] = fib(memo, n - 1) + fib(memo, n - 2));
}
int main(void)
{
    int i, s = 0;
    unsigned r = 7 + MYTHREAD;
    tp t = NULL;
    for (i = 0; i < 60; i++) {
        r = r * 1103515245 + 12345;
        t = ins(t, r / 65536 % 50);
        s += r / 65536 % 50;
    }
    roots[MYTHREAD] = t;
    data[MYTHREAD] = upc_alloc(40 * sizeof(int));
    for (i = 0; i < 40; i++) data[MYTHREAD][i] = (i * 17 + MYTHREAD) % 41;
    if (MYTHREAD & 1)
        qs(data[MYTHREAD], data[MYTHREAD] + 39);
    else
        qsort((void *)data[MYTHREAD], 40, sizeof(int), cmp);
    CHECK(sum(t) == s && depth(t) > 3);
    upc_barrier;
    for (i = 1; i < 40; i++) CHECK(data[(MYTHREAD + 1) % THREADS][i - 1] < data[(MYTHREAD + 1) % THREADS][i]);
    CHECK(sum(roots[0]) > 0 && roots[0]->kid[0]->n > 0);
    upc_barrier;
    for (i = 0; i < 40; i++) data[MYTHREAD][i] = 0;
    CHECK(fib(data[MYTHREAD], 30) == 832040);
    del(&t);
    CHECK(!t);
    return finish();
}
