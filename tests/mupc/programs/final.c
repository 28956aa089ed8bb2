/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The final barrier. Thread i passes 3 * i barriers of its own, so that the threads end one after the other; those
 * that have ended match the barriers of the rest, and their memory stays until all have ended. Argument:
 *   return    from main       exit   by exit(0), every second thread
 *   own       a main() of its own, with _UPCRTS_init and _UPCRTS_fini
 */
#include "tests/mupc/programs/check.h"

MUPC_SHARED(ended, THREADS, sizeof(uint64_t));

static void work(void) {
    for (int i = 0; i < 3 * MYTHREAD; ++i) {
        if (i % 2 == 0) {
            UPC_barrier(100 + i);
        } else {
            upc_notify(i);
            upc_wait(i);
        }
        /* Thread t has ended when this is its 3 t + 1st barrier: it wrote before it did. */
        for (int t = 0; 3 * t < i + 1; ++t) CHECK(get64(mupc_add(ended, t, 8, 1)) == (uint64_t)t + 1);
    }
    const uint64_t mine = (uint64_t)MYTHREAD + 1;
    mupc_put(mupc_add(ended, MYTHREAD, 8, 1), &mine, 8);
}

static void say_when_all_have(void) {
    for (int t = 0; t < THREADS; ++t) CHECK(get64(mupc_add(ended, t, 8, 1)) == (uint64_t)t + 1);
}

#ifdef OWN
int main(int argc, char **argv) {
    (void)argc, (void)argv;
    if (_UPCRTS_init() != 0) return 1;
    work();
    if (MYTHREAD == THREADS - 1) say_when_all_have();
    if (_UPCRTS_fini() != 0 || _UPCRTS_fini() != 0) return 1;
    printf("%d of %d has ended\n", MYTHREAD, THREADS);
    return 0;
}
#else
int main(int argc, char **argv) {
    work();
    if (MYTHREAD == THREADS - 1) say_when_all_have();
    printf("%d of %d has ended\n", MYTHREAD, THREADS);
    if (argc > 1 && strcmp(argv[1], "exit") == 0 && MYTHREAD % 2 == 0) exit(0);
    return 0;
}
#endif
