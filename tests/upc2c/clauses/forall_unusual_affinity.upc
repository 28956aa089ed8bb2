/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_forall with affinities, types and nestings that are seldom written. */
#include "check.h"
shared [2] int a[6 * THREADS];
shared int cnt[THREADS];
struct s {
    shared int *p;
    int k;
} st;
static int calls;
static int aff(int i)
{
    calls++;
    return i;
}
static shared [2] int *paff(int i) { return a + i; }
static int helper(void)
{
    int i, n = 0;
    upc_forall(i = 0; i < 5 * THREADS; i++; i) n++;
    return n;
}
int main(void)
{
    int i, j, n;
    long long L;
    unsigned char c;
    n = 0;
    upc_forall(i = 0; i < 10; i++; continue) n++;
    CHECK(n == 10);
    n = 0;
    upc_forall(i = 0; i < 10; i++;) n++;
    CHECK(n == 10);
    n = 0;
    upc_forall(i = 0; i < 6 * THREADS; i++; aff(i)) n++;
    CHECK(n == 6);
    n = 0;
    upc_forall(i = 0; i < 6 * THREADS; i++; paff(i))
    {
        if (i & 1) continue;
        n++;
    }
    CHECK(n == 3);
    n = 0;
    upc_forall(i = 0, j = 9; i < 6 * THREADS; i++, j--; i * 2 + 1, i) n++;
    CHECK(n == 6);
    n = 0;
    upc_forall(L = 1LL << 40; L < (1LL << 40) + 4 * THREADS; L++; L) n++;
    CHECK(n == 4);
    n = 0;
    upc_forall(c = 0; c < 4 * THREADS; c++; c) n++;
    CHECK(n == 4);
    n = 0;
    upc_forall(int k = 0, m = 3 * THREADS; k < m; k++; (shared void *)&a[k]) n++;
    CHECK(n >= 0 && n <= 3 * THREADS);
    n = 0;
    upc_forall(i = 0; i < 3 * THREADS; i++; i) upc_forall(j = 0; j < 3 * THREADS; j++; j) n++;
    CHECK(n == 9 * THREADS);
    n = 0;
    upc_forall(i = 0; i < 3 * THREADS; i++; continue) upc_forall(j = 0; j < 3 * THREADS; j++; j) n++;
    CHECK(n == 9 * THREADS);
    n = 0;
    upc_forall(i = 0; i < THREADS; i++; i) n = helper();
    CHECK(n == 5 * THREADS);
    upc_forall(i = 0; i < THREADS; i++; i ? &cnt[i] : &cnt[0]) cnt[i] = i;
    st.p = cnt;
    upc_forall(st.k = 0; st.k < THREADS; st.k++; st.p + st.k) st.p[st.k] += 1;
    upc_barrier;
    for (i = 0; i < THREADS; i++) CHECK(cnt[i] == i + 1);
    n = 0;
    upc_forall(i = 4 * THREADS; i-- > 0;; i) n++;
    CHECK(n == 4);
    {
        shared [2] int *p;
        n = 0;
        upc_forall(p = a; p < a + 6 * THREADS; p++; p)
        {
            *p = 5;
            n++;
        }
        CHECK(n == 6);
    }
    upc_barrier;
    {
        shared [2] int *p;
        int s = 0;
        for (p = a; p != &a[6 * THREADS]; ++p) s += *p;
        CHECK(s == 30 * THREADS);
    }
    {
        enum e { A, B, C } e;
        n = 0;
        upc_forall(e = A; e <= C; e++; e) n++;
        CHECK(n >= 3 / THREADS);
    }
    n = 0;
    upc_forall(i = 0; i < 3; i++; MYTHREAD) n++;
    CHECK(n == 3);
    n = 0;
    upc_forall(i = 0; i < 3; i++; 'a') n++;
    CHECK(n == (MYTHREAD == 97 % THREADS) * 3);
    upc_forall(i = 0; i < 3; i++; i);
    switch (1)
    case 1:
        upc_forall(i = 0; i < THREADS; i++; i) if (i) n++;
    else n--;
    return finish();
}
