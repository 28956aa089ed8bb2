/* SPDX-License-Identifier: BSD-3-Clause */
/* Block sizes and bounds that depend on the size of a pointer-to-shared, which the build of the library chooses. */
#include "check.h"
struct link { char c; shared int *next; shared [4] int *blocks; int n; };
shared [sizeof(struct link)] char bytes[sizeof(struct link) * THREADS];
shared [sizeof(shared void *) / 4] int words[10 * THREADS];
int private_words[sizeof(struct link) / sizeof(int)];
enum { kOffset = __builtin_offsetof(struct link, n) };
shared [kOffset] char before[kOffset * THREADS];
_Static_assert(sizeof(struct link) == 2 * sizeof(shared int *) + 16, "size");

int main(void)
{
    struct link here = {.n = 3};
    shared struct link *there = upc_all_alloc(THREADS, sizeof(struct link));
    CHECK(upc_blocksizeof(bytes) == sizeof here && upc_threadof(&bytes[sizeof here]) == 1 % THREADS);
    CHECK(upc_blocksizeof(words) == sizeof here.next / sizeof(int));
    CHECK(upc_phaseof(&words[1]) == 1 && upc_phaseof(&words[sizeof here.next / sizeof(int)]) == 0);
    CHECK(sizeof private_words == sizeof here && upc_blocksizeof(before) == kOffset);
    here.next = (shared int *)&words[MYTHREAD];
    there[MYTHREAD] = here;
    there[MYTHREAD].n++;
    upc_barrier;
    CHECK(there[(MYTHREAD + 1) % THREADS].n == 4 && there[THREADS - 1].next == (shared int *)&words[THREADS - 1]);
    upc_barrier;
    if (MYTHREAD == 0) upc_free(there);
    return finish();
}
