/* SPDX-License-Identifier: BSD-3-Clause */
/* 6.7.1: a pragma at the head of a compound statement holds to its end; between declarations to the next one. */
#include <upc_strict.h>
#include <stdio.h>
shared int flag, data;
relaxed shared int loose;
strict shared int tight;

static int scoped(void) {
    {
#pragma upc relaxed
        data = MYTHREAD == 0 ? 41 : data;
        {
#pragma upc strict
            flag = flag;
        }
        loose = 1;
    }
    tight = 2;
    return tight;
}

#pragma upc relaxed
static int relaxed_region(void) { return data; }
#pragma upc strict
static int strict_region(void) { return data; }
_Pragma("upc relaxed") static int by_operator(void) { return loose; }

int main(void) {
    upc_barrier;
    if (MYTHREAD == 0) {
        if (scoped() != 2) return 1;
        data++;
    }
    upc_barrier;
    if (relaxed_region() != 42 || strict_region() != 42 || by_operator() != 1) return 2;
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
