/* SPDX-License-Identifier: BSD-3-Clause */
/* 6.3: UPC's words need no header. */
extern int puts(const char *);
shared int a[THREADS];
int main(void) {
    a[MYTHREAD] = MYTHREAD;
    upc_barrier;
    if (a[THREADS - 1] != THREADS - 1) return 1;
    upc_fence;
    upc_notify;
    upc_wait;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
