/* SPDX-License-Identifier: BSD-3-Clause */
/* The C library and plain C algorithms on shared values: sorting, Duff's device, formats, character classes. */
#include <upc.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <limits.h>
#include <ctype.h>
#include <math.h>
shared int values[10 * THREADS];
shared double dv;
shared char word[8 * THREADS];
static int cmp(const void *a, const void *b) { return *(int *)a - *(int *)b; }
static int copy(shared int *to, const int *from, int n) {
    int k = (n + 3) / 4;
    if (!n) return 0;
    switch (n & 3) {
        case 0:
            do {
                *to++ = *from++;
                case 3:
                    *to++ = *from++;
                case 2:
                    *to++ = *from++;
                case 1:
                    *to++ = *from++;
            } while (--k > 0);
    }
    return n;
}
static long fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
static void swap(shared int *a, shared int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
static void quick(shared int *a, int lo, int hi) {
    if (lo >= hi) return;
    int p = a[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) {
        while (a[i] < p) i++;
        while (a[j] > p) j--;
        if (i <= j) {
            swap(&a[i], a + j);
            i++, j--;
        }
    }
    quick(a, lo, j);
    quick(a, i, hi);
}
static int find(const shared int *a, int n, int x) {
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (a[mid] < x)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < n && a[lo] == x ? lo : -1;
}
int main() {
    int i, n = 10 * THREADS, mine[10], bad = 0;
    if (!MYTHREAD) {
        int *all = malloc(n * sizeof *all);
        for (i = 0; i < n; i++) all[i] = (i * 37 + 11) % 101 + (i / 101);
        copy(values, all, n);
        quick(values, 0, n - 1);
        qsort(all, n, sizeof *all, cmp);
        for (i = 0; i < n; i++) bad += values[i] != all[i];
        bad += find(values, n, all[3]) != 3 && values[find(values, n, all[3])] != all[3];
        bad += find(values, n, -5) != -1;
        free(all);
        dv = 2.5;
    }
    upc_barrier;
    for (i = 0; i < 10; i++) mine[i] = values[i];
    assert(values[0] <= values[1] && "sorted");
    bad += abs(values[0] - values[1]) < 0;
    bad += fabs(dv) != 2.5 || floor(dv) != 2 || (int)dv != 2 || dv / 2 != 1.25 || pow(dv, 2) != 6.25 ||
           fmax(dv, 3) != 3 || isnan(dv) || signbit(dv);
    char out[80];
    snprintf(out, sizeof out, "%d %g %c %lu", values[0], dv, 'a' + values[0] * 0,
             (unsigned long)upc_threadof(&values[1]));
    char want[80];
    snprintf(want, sizeof want, "%d 2.5 a %d", mine[0], 1 % THREADS);
    for (i = 0; want[i]; i++) bad += out[i] != want[i];
    if (!MYTHREAD) {
        const char *s = "Upc";
        shared char *w = word;
        while ((*w++ = *s++))
            ;
        for (w = word; *w; w++) *w = isupper(*w) ? tolower(*w) : toupper(*w);
    }
    upc_barrier;
    bad += word[0] != 'u' || word[1] != 'P' || word[2] != 'C' || word[3];
    bad += isdigit(word[0] + 0) || !isalpha(word[0]);
    bad += fact(5) != 120 || INT_MAX < values[0];
    int found;
    {
        int j;
        for (i = 0; i < 3; i++)
            for (j = 0; j < 3; j++)
                if (values[i] == values[j] && i != j) goto out_of;
        found = 0;
        if (0)
        out_of:
            found = 1;
    }
    bad += found < 0;
    char *end;
    bad += strtol("42xyz", &end, 10) != 42 || *end != 'x' || atoi("7") != 7;
    putc('\n', stdout);
    fflush(stdout);
    int k = values[0] ? values[0] : -1;
    bad += k == 0;
    k = (values[1], values[2]);
    bad += k != mine[2];
    k = -values[1] + +values[2] - ~values[3] + !values[4];
    bad += k != -mine[1] + mine[2] - ~mine[3] + !mine[4];
    bad += (values[1] << 2 | values[2] & 7 ^ 3) != (mine[1] << 2 | mine[2] & 7 ^ 3) ||
           (unsigned)values[1] / 2u != (unsigned)mine[1] / 2u || (char)values[9] != (char)mine[9] ||
           (double)values[3] / 2 != mine[3] / 2.0 || values[values[0] % 2] != mine[mine[0] % 2];
    if (bad) printf("%d: %d\n", MYTHREAD, bad);
    upc_barrier;
    if (!MYTHREAD && !bad) puts("done");
    return bad;
}
