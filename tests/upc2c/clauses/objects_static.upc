/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared and private statics of functions: inline, recursive, initialised, of equal names. */
#include "check.h"
static int count(int n)
{
    static shared int c[THREADS];
    c[MYTHREAD]++;
    return n ? count(n - 1) : c[MYTHREAD];
}
static inline shared int *cell(void)
{
    static shared [2] int cell[2 * THREADS];
    return (shared int *)&cell[2 * MYTHREAD];
}
static int two(int which)
{
    if (which) {
        static shared int v = 5;
        return v;
    } else {
        static shared int v = 6;
        return v;
    }
}
static int priv(void)
{
    static int n = 10, *p = &n, tab[3] = {1, 2, 3};
    static struct {
        int a;
        shared int *s;
    } st = {4, 0};
    st.a++;
    (*p)++;
    return n + tab[2] + st.a + !st.s;
}
static shared [] char *label(int i)
{
    static shared [] char names[2][8] = {"zero", "one"};
    static shared [] char *const tab[] = {names[0], names[1]};
    return tab[i];
}
static int loops(void)
{
    int i, s = 0;
    for (i = 0; i < 3; i++) {
        static shared int acc[THREADS];
        static int calls;
        acc[MYTHREAD] += i;
        s = acc[MYTHREAD] + ++calls;
    }
    return s;
}
static upc_lock_t *lock(void)
{
    static upc_lock_t *l;
    return l ? l : (l = upc_all_lock_alloc());
}
int main(void)
{
    CHECK(count(4) == 5 && count(0) == 6);
    *cell() = MYTHREAD + 1;
    CHECK(*cell() == MYTHREAD + 1 && cell() != 0);
    CHECK(two(0) == 6 && two(1) == 5);
    CHECK(priv() == 11 + 3 + 5 + 1 && priv() == 12 + 3 + 6 + 1);
    CHECK(label(1)[1] == 'n' && label(0)[0] == 'z');
    CHECK(loops() == 6 && loops() == 12);
    {
        static shared int once;
        upc_lock(lock());
        once++;
        upc_unlock(lock());
        upc_barrier;
        CHECK(once == THREADS);
    }
    upc_barrier;
    if (!MYTHREAD) upc_lock_free(lock());
    return finish();
}
