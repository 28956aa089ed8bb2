/* SPDX-License-Identifier: BSD-3-Clause */
/* Headers of the program's own: with UPC in them, in several files, within structures and functions; pragmas that
   have to stay where they are; system headers in functions. */
#include "../check.h"
#include "table.h"
#pragma pack(push, 1)
struct packed { char c; int i; };
#pragma pack(pop)
struct loose { char c; int i; };
#pragma pack(2)
struct half { char c; int i; shared [] char *p; };
#pragma pack()
shared struct packed packed_array[THREADS];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused"
static int limit(void)
{
#include <limits.h>
    return INT_MAX == 2147483647;
}
#pragma GCC diagnostic pop

int main(void)
{
    struct table t = {.width = 2, .name = "table"};
    int sum = 0, i;
    blocks b = shared_table;
#define STEP(n) sum += n;
#include "steps.inc"
    CHECK(sum == 6);
    CHECK(sizeof(struct packed) == 5 && sizeof(struct loose) == 8 && upc_elemsizeof(packed_array) == 5);
    CHECK(sizeof(struct half) == 6 + sizeof(shared [] char *));
    packed_array[MYTHREAD].i = 3;
    packed_array[MYTHREAD].c = 'x';
    t.cells = first_cell(&t);
    b[2 * MYTHREAD] = MYTHREAD;
    upc_barrier;
    CHECK(packed_array[(MYTHREAD + 1) % THREADS].i == 3 && packed_array[0].c == 'x');
    CHECK(t.width == 3 && *t.cells == 77 && length(&t) == 5);
    CHECK(shared_table[2 * (THREADS - 1)] == THREADS - 1);
    CHECK(limit());
#pragma GCC unroll 4
    for (i = 0; i < 4; i++) sum += i;
    CHECK(sum == 12);
    _Pragma("GCC ivdep") for (i = 0; i < 4; i++) sum += i;
    CHECK(sum == 18 && NULL == 0);
    return finish();
}
