/* SPDX-License-Identifier: BSD-3-Clause */
/* c_code, legacy names, _Pragma and pragmas in blocks. */
#pragma upc c_code
typedef struct {
    int shared;
    int strict;
} cstruct;
static int relaxed(int barrier) { return barrier + 1; }
static int use(void) {
    cstruct c = {1, 2};
    return c.shared + c.strict + relaxed(3);
}
#pragma upc upc_code
#include <upc.h>
#include "../../upc2c/clauses/check.h"
#pragma upc strict
shared int s1[THREADS];
_Pragma("upc relaxed") shared int r1[THREADS];
static int f(void) {
#pragma upc strict
    s1[MYTHREAD] = 1;
    {
#pragma upc relaxed
        r1[MYTHREAD] = s1[MYTHREAD];
    }
    return r1[MYTHREAD];
}
int main(void) {
    int i;
    forall (i = 0; i < THREADS; i++; i) {
        CHECK(i == MYTHREAD);
    }
    barrier;
    barrier_notify 3;
    barrier_wait 3;
    fence;
    CHECK(f() == 1);
    CHECK(use() == 7);
    { _Pragma("upc strict") CHECK(s1[MYTHREAD] == 1); }
    for (i = 0; i < 2; i++) {
#pragma upc strict
        s1[MYTHREAD]++;
    }
    CHECK(s1[MYTHREAD] == 3);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
    int unused;
#pragma GCC diagnostic pop
#pragma once_unknown foo
    return finish();
}
