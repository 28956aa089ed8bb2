/* SPDX-License-Identifier: BSD-3-Clause */
/* 6.11: what is predefined. */
#include <upc.h>
#include <stdio.h>
#if __UPC__ != 1 || __UPC_VERSION__ < 201311L
#error "__UPC__, __UPC_VERSION__"
#endif
#if defined(__UPC_DYNAMIC_THREADS__) == defined(__UPC_STATIC_THREADS__)
#error "exactly one environment"
#endif
#ifdef __UPC_STATIC_THREADS__
#if THREADS < 1
#error "THREADS is a number in the static environment"
#endif
static int per_thread[THREADS];
#else
static int per_thread[1];
#endif
#if UPC_MAX_BLOCK_SIZE < 65535
#error "UPC_MAX_BLOCK_SIZE"
#endif
shared [UPC_MAX_BLOCK_SIZE] char *far;
int main(void) {
    per_thread[0] = MYTHREAD;
    far = 0;
    if (far != NULL || sizeof(upc_flag_t) == 0) return 1;
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return per_thread[0] != MYTHREAD;
}
