/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls the object that entry_asm_packed.s or entry_asm_struct.s is: there nothing of the library's headers
 * describes the pointer-to-shared.
 */
#include "tests/gupc/abi/entry.h"

EMIT_PROGRAM_INFO;

struct triple {
    long a, b, c;
};
/* *to = triples[thread] and so on: as described in entry_asm_packed.s. */
long asm_add(int thread, long amount);
void asm_get(struct triple *to, int thread);
void asm_set(int thread, struct triple *from);
void asm_copy(int to, int from);
void asm_barrier_all(void);

int main(int argc, char **argv) {
    const int right = entry_thread(1), left = entry_thread(-1);
    struct triple t = {MYTHREAD, -MYTHREAD, MYTHREAD + 77};
    (void)argc, (void)argv;
    CHECK(asm_add(MYTHREAD, 0) == 1000 + MYTHREAD); /* set by the table of init functions */
    asm_barrier_all();
    CHECK(asm_add(right, 5) == 1000 + right + 5);
    asm_set(right, &t);
    t.a = t.b = t.c = 0;
    asm_barrier_all();
    CHECK(asm_add(MYTHREAD, 0) == 1000 + MYTHREAD + 5);
    asm_get(&t, MYTHREAD);
    CHECK(t.a == left && t.b == -left && t.c == left + 77);
    asm_barrier_all();
    if (MYTHREAD == 0 && THREADS > 1) asm_copy(1, THREADS - 1); /* from the last thread's to thread 1's */
    asm_barrier_all();
    if (THREADS > 1) {
        asm_get(&t, 1);
        CHECK(t.a == THREADS - 2 && t.b == 2 - THREADS && t.c == THREADS + 75);
    }
    return emit_failures;
}
