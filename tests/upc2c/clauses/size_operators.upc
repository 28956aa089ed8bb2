/* SPDX-License-Identifier: BSD-3-Clause */
/* UPC 1.3, 6.4.1: sizeof of shared types and objects, upc_localsizeof, upc_blocksizeof, upc_elemsizeof, offsetof,
 * typeof; operands are not evaluated. */
#include <stddef.h>
#include "check.h"

struct cell { char c; double d[3]; shared [] struct cell *next; };
typedef shared [3] short threes;
shared int one, many[10 * THREADS];
shared [4] double blocked[6 * THREADS][3];
shared char rows[2 * THREADS][7];
shared [] struct cell flat[5];
shared [*] char spread[7 * THREADS];
threes short_array[5 * THREADS];
shared struct cell cells[3 * THREADS];
static int calls;
static shared [4] double *get(void) { calls++; return &blocked[0][0]; }
int table[upc_blocksizeof(blocked) + upc_elemsizeof(cells)];
_Static_assert(upc_blocksizeof(many) == 1 && upc_blocksizeof(flat) == 0 && upc_blocksizeof(shared [3] int) == 3,
               "block sizes");
_Static_assert(upc_localsizeof(one) == sizeof(int) && sizeof(flat) == 5 * sizeof(struct cell) &&
               upc_localsizeof(flat) == sizeof flat, "sizes");

/* Bytes of an array that are on this thread, counted. */
#define ON_ME(ARRAY, COUNT, POINTER) ({                                                     \
    size_t n = 0;                                                                          \
    int k;                                                                                 \
    for (k = 0; k < (COUNT); k++) n += upc_threadof((POINTER) + k) == MYTHREAD;            \
    n * upc_elemsizeof(ARRAY);                                                             \
})

int main(void)
{
    shared [4] double *p = &blocked[0][0];
    __typeof__(*p) *q = p + 1;
    __typeof__(many[0] + 1.0) private_double = 2.5;
    __auto_type copy = many[1];
    struct cell local;
    CHECK(sizeof one == sizeof(int) && sizeof(many) == 10 * THREADS * sizeof(int) &&
          sizeof many / sizeof many[0] == 10 * THREADS);
    CHECK(sizeof(blocked) == 18 * THREADS * sizeof(double) && sizeof blocked[0] == 3 * sizeof(double) &&
          sizeof(threes) == 2);
    CHECK(sizeof(*get()) == 8 && sizeof get()[3] == 8 && upc_blocksizeof(*get()) == 4 &&
          upc_elemsizeof(*get()) == 8 && calls == 0);
    CHECK(sizeof(shared [4] int *) == sizeof p && sizeof(p) == sizeof(shared void *) &&
          sizeof(&many[3]) == sizeof(shared int *));
    CHECK(upc_elemsizeof(blocked) == 8 && upc_elemsizeof(cells) == sizeof(struct cell) &&
          upc_elemsizeof(threes) == 2 && upc_elemsizeof(many[0]) == 4);
    CHECK(upc_blocksizeof(spread) == 7 && upc_blocksizeof short_array == 3 &&
          upc_blocksizeof(cells[0].d) == 0);
    CHECK(upc_localsizeof(many) == 40 && upc_localsizeof(spread) == 7 &&
          upc_localsizeof(cells) == 3 * sizeof(struct cell));
    CHECK(upc_localsizeof(blocked) >= ON_ME(blocked, 18 * THREADS, p) && upc_localsizeof(blocked) == 20 * 8);
    CHECK(upc_localsizeof(short_array) >= ON_ME(short_array, 5 * THREADS, short_array) &&
          upc_localsizeof(short_array) == 6 * sizeof(short));
    CHECK(upc_localsizeof(blocked[0]) == 4 * 8 && upc_localsizeof(rows[1]) == (7 + THREADS - 1) / THREADS);
    CHECK(sizeof(cells[0]) == sizeof local && sizeof cells[0].d == 24 && sizeof(cells[0].next->d[0]) == 8 &&
          sizeof local.next->c == 1);
    CHECK(offsetof(struct cell, d[2]) == offsetof(struct cell, d) + 16 &&
          upc_addrfield(&cells[0].d[2]) - upc_addrfield(cells) == offsetof(struct cell, d[2]));
    CHECK(_Alignof(shared double) == _Alignof(double) && __alignof__(cells) == __alignof__(struct cell));
    CHECK(sizeof table == (4 + sizeof(struct cell)) * sizeof(int) && q - p == 1 && sizeof copy == sizeof(int) &&
          private_double == 2.5);
    CHECK(_Generic(many[0], int: 1, default: 2) == 1 &&
          _Generic(&many[0], shared int *: 1, shared [2] int *: 2, default: 3) == 1);
    CHECK(_Generic(p, shared [] double *: 1, shared [4] double *: 2, int *: 3) == 2 &&
          _Generic(p, double *: one, default: many[0] + 5) == 5);
    switch (sizeof(double)) { case upc_elemsizeof(blocked): break; default: CHECK(0); }
    CHECK(sizeof(char[upc_blocksizeof(blocked)]) == 4 && __builtin_choose_expr(1, many[0], p) == 0);
    CHECK(__builtin_types_compatible_p(shared [2] int *, shared [2] int *) &&
          !__builtin_types_compatible_p(shared [2] int *, shared int *));
    return finish();
}
