/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley's extensions after upc.h alone: ticks, memcpy handles, point-to-point semaphores, thread distance. */
#include <upc.h>
#include <stdio.h>
#define N 16
shared [N] int a[N * THREADS];
bupc_sem_t *shared semaphores[THREADS];

int main(void) {
    bupc_tick_t begin = bupc_ticks_now();
    int buffer[N], i, next = (MYTHREAD + 1) % THREADS;
    bupc_handle_t handle;
    bupc_sem_t *sem, *other;
    semaphores[MYTHREAD] = bupc_sem_alloc(BUPC_SEM_INTEGER | BUPC_SEM_MPRODUCER);
    for (i = 0; i < N; i++) buffer[i] = MYTHREAD + i;
    upc_barrier;
    handle = bupc_memput_async(&a[N * next], buffer, sizeof buffer);
    bupc_waitsync(handle);
    other = semaphores[next];
    bupc_sem_post(other);
    sem = semaphores[MYTHREAD];
    bupc_sem_wait(sem);
    if (a[N * MYTHREAD + 3] != (MYTHREAD + THREADS - 1) % THREADS + 3) return 1;
    if (bupc_thread_distance(MYTHREAD, MYTHREAD) != BUPC_THREADS_SAME) return 2;
    if (bupc_ticks_to_us(bupc_ticks_now() - begin) < 0) return 3;
    upc_barrier;
    bupc_sem_free(sem);
    bupc_assert_type(shared [N] int *, shared [16] int *);
    if (MYTHREAD == 0) puts("done");
    return 0;
}
