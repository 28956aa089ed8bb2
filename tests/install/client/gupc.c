/* SPDX-License-Identifier: BSD-3-Clause */
/* As GCC-UPC compiles it (packed pointers-to-shared): each thread writes its number + 1, thread 0 adds them up. */
#include <limits.h>
#include <stdio.h>

extern const int THREADS, MYTHREAD;
extern char __upc_shared_start[];
unsigned __getsi2(unsigned long);
void __putsi2(unsigned long, unsigned);
void __upc_barrier(int);

static unsigned x[1] __attribute__((section("upc_shared")));
static const char info[] __attribute__((section("upc_pgm_info"), used)) =
    "$GCCUPCConfig: (gupc.upc) dynamicthreads process$";

static unsigned long on(int thread) {
    return (unsigned long)((char *)x - __upc_shared_start) << 30 | (unsigned long)thread << 20;
}

int upc_main(void) {
    unsigned sum = 0;
    __putsi2(on(MYTHREAD), (unsigned)MYTHREAD + 1);
    __upc_barrier(INT_MIN);
    for (int t = 0; MYTHREAD == 0 && t < THREADS; ++t) sum += __getsi2(on(t));
    if (MYTHREAD == 0) printf("gupc: %u of %d threads\n", sum, THREADS);
    return 0;
}
