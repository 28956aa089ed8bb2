/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the object that clang_asm.S is, which is for three threads; this file is for any number. */
#include "contract.h"

struct five {
    char c[5];
};
extern long numbers[];
long double clang_width(int thread);
void clang_set_width(int thread, long double x);
void clang_five(struct five *to, int thread);
void clang_set_five(int thread, struct five *x);
void clang_fence(void);
void clang_barrier(void);

/* `__upc_init_decls` has been called on every thread, for its own part. */
static void initialised(void) {
    CHECK(THREADS == 3);
    for (int t = 0; t < THREADS; ++t) CHECK(__getdi2(at(numbers, t, 0)) == 7000u + (uint64_t)t);
}

static void widths(void) {
    const long double x = 1.0L / 3 + MYTHREAD; /* as many bits as the type has */
    clang_set_width(neighbour(1), x);
    CHECK(clang_width(neighbour(1)) == x);
    clang_barrier();
    CHECK(clang_width(MYTHREAD) == 1.0L / 3 + neighbour(-1));
    clang_barrier();
}

static void fives(void) {
    struct five mine, got[2];
    memset(&mine, 'a' + MYTHREAD, sizeof mine);
    memset(got, 'x', sizeof got);
    clang_set_five(neighbour(1), &mine);
    clang_fence();
    clang_five(&got[0], neighbour(1));
    CHECK(memcmp(&got[0], &mine, sizeof mine) == 0 && memcmp(&got[1], "xxxxx", 5) == 0);
    clang_barrier();
    clang_five(&got[1], MYTHREAD);
    for (int i = 0; i < 5; ++i) CHECK(got[1].c[i] == 'a' + neighbour(-1));
    clang_barrier();
}

int upc_main(int argc, char **argv) {
    (void)argc, (void)argv;
    initialised();
    widths();
    fives();
    CHECK((char *)&__upc_fence_var > __upc_shared_start && (char *)&__upc_fence_var < __upc_shared_end);
    return failures;
}
