/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain inline functions: defined in a header, in one file and called from another as GNU C allowed before 1999,
   declared before their definition, with a prototype that is not inline. */
#include "../check.h"
#include "inlined.h"
int only_there(int x);
double scaled(shared [] int *p, double by);
inline int declared_before(int x);
int called_before(int x) { return declared_before(x) + 1; }
inline int declared_before(int x) { return x + 10; }
inline int defined_later(int x) { return x - 1; }
static inline shared [] int *next(shared [] int *p) { return p + 1; }
extern inline __attribute__((gnu_inline)) int gnu_only(int x) { return x + 7; }
int gnu_only(int x) { return x + 7; }
inline __attribute__((always_inline)) int always(int x) { return x + 3; }
int (*volatile pointer)(int) = doubled;

int main(void)
{
    CHECK(doubled(21) == 42);
    CHECK(pointer(4) == 8);
    if (MYTHREAD == 0) anchor()[0] = 5, anchor()[1] = 6;
    upc_barrier;
    CHECK(at_anchor(0) == 5 && at_anchor(1) == 6);
    CHECK(only_there(1) == 100);
    CHECK(scaled(next(anchor()), 0.5) == 3.0);
    CHECK(called_before(1) == 12);
    CHECK(defined_later(3) == 2);
    CHECK(gnu_only(1) == 8);
    CHECK(always(1) == 4);
    return finish();
}
