/* SPDX-License-Identifier: BSD-3-Clause */
/* sizeof and the UPC size operators in constant expressions. */
#include "check.h"
shared [3] int a[3 * THREADS][4];
shared double d;
struct s {
    shared [2] int *p;
    char c;
};
shared [] struct s arr[7];
int glob[sizeof(shared int)];
char blk[upc_blocksizeof(a)], el[upc_elemsizeof(a)], loc[upc_localsizeof(arr)];
enum { E1 = upc_blocksizeof(shared [9] char), E2 = sizeof d };
shared [sizeof(int)] char sc[sizeof(int) * THREADS];
shared [E1] char s9[E1 * THREADS];
int main(void)
{
    int i = 1;
    CHECK(sizeof a == 12 * THREADS * sizeof(int) && sizeof a[0] == 16 && sizeof *a[0] == 4 && sizeof(a[0][0]) == 4);
    CHECK(upc_localsizeof(a) >= 12 * sizeof(int) && upc_localsizeof a == 12 * sizeof(int));
    CHECK(upc_localsizeof(shared [2] int[4 * THREADS]) == 4 * sizeof(int));
    CHECK(sizeof blk == 3 && sizeof el == 4 && sizeof loc == sizeof arr && sizeof glob == 16);
    CHECK(E1 == 9 && E2 == 8 && upc_blocksizeof(sc) == 4 && upc_blocksizeof s9 == 9);
    CHECK(sizeof(arr[i++]) == sizeof(struct s) && i == 1);
    CHECK(sizeof arr / sizeof arr[0] == 7 && sizeof arr / sizeof *arr == 7);
    CHECK(sizeof(&a[0]) == sizeof(shared void *) && sizeof(shared [] int *) == sizeof arr[0].p);
    CHECK(upc_blocksizeof(arr[0].p[0]) == 2 && upc_blocksizeof(*arr->p) == 2);
    CHECK(sizeof(int[THREADS]) == 4 * THREADS);
    CHECK(sizeof(char(*)[THREADS]) == sizeof(void *));
    switch (4) {
    case upc_elemsizeof(a):
        break;
    default:
        CHECK(0);
    }
    CHECK(sizeof(d = 5) == 8 && d == 0);
    CHECK(upc_elemsizeof(shared [4] short) == 2 && upc_elemsizeof(shared struct s[3]) == sizeof(struct s));
    CHECK(upc_affinitysize(sizeof a, 12, MYTHREAD) == sizeof a / THREADS);
    return finish();
}
