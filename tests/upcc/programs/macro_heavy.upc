/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC written through macros. */
#include <upc.h>
#include <stdio.h>
#include <stdbool.h>
#define SHARED shared
#define BLK(n) [n]
#define FORALL(i, n, aff) upc_forall (int i = 0; i < (n); i++; aff)
#define MY(a) ((__typeof__(&*(a)))0)
#define FOREACH(p, a, n) for (shared BLK(2) int *p = (a), *p##_end = (a) + (n); p != p##_end; ++p)
#define SWAP(T, x, y) \
    do {              \
        T _t = (x);   \
        (x) = (y);    \
        (y) = _t;     \
    } while (0)
#define GET(p, f) ((p)->f)
#define LOCAL(T, p) ((T *)(p))
#define ON0 if (MYTHREAD == 0)
#define ALLOC(T, n) ((shared [] T *)upc_alloc((n) * sizeof(T)))
#define MAX3(a, b, c) ((a) > (b) ? ((a) > (c) ? (a) : (c)) : (b) > (c) ? (b) : (c))
#define STR(x) #x
#define CAT(a, b) a##b
#define EXPECT(c)                       \
    if (!(c)) {                                \
        bad++;                                 \
        printf("%s:%d\n", __FILE__, __LINE__); \
    } else
SHARED BLK(2) int CAT(arr, 1)[2 * THREADS];
SHARED struct { int f, g; } st;
#define VAR arr1
_Pragma("upc relaxed")
int main() {
    int bad = 0;
    FORALL (i, 2 * THREADS, &VAR[i]) VAR[i] = i;
    upc_barrier;
    int s = 0;
    FOREACH (p, VAR, 2 * THREADS) s += *p;
    EXPECT(s == THREADS * (2 * THREADS - 1))(void) 0;
    upc_barrier;
    ON0 SWAP(int, VAR[0], VAR[2 * THREADS - 1]);
    upc_barrier;
    EXPECT(VAR[0] == 2 * THREADS - 1 && VAR[2 * THREADS - 1] == 0);
    EXPECT(MAX3(VAR[0], VAR[1], -1) == (2 * THREADS - 1));
    EXPECT(STR(shared)[0] == 's');
    shared [] double *d = ALLOC(double, 4);
    d[3] = 1.5;
    EXPECT(LOCAL(double, d + 3)[0] == 1.5 && LOCAL(double, &d[3])[0] * 2 == 3);
    ON0 {
        st.f = 1;
        st.g = GET(&st, f) + 1;
    }
    upc_barrier;
    bool ok = GET(&st, g) == 2;
    EXPECT(ok);
    EXPECT(!!st.f == true);
    int arr[] = {VAR[1], st.g, THREADS, [5] = MYTHREAD};
    EXPECT(arr[1] == 2 && arr[2] == THREADS && arr[5] == MYTHREAD);
    const char *fmt = STR(THREADS) "%d";
    EXPECT(fmt[0] == 'T');
    for (int i = 0, n = THREADS; i < n && VAR[i] >= 0; i++)
        if (i == 3)
            break;
        else
            continue;
    upc_barrier;
    do { ON0 st.f--; } while (0);
    switch (VAR[1]) {
        case 0 ... 1:
            EXPECT(1);
            break;
        default:
            bad++;
    }
    if (bad) return 1;
    upc_barrier;
    ON0 puts("done");
    upc_free(d);
    return 0;
}
