/* SPDX-License-Identifier: BSD-3-Clause */
/* A work stack per thread with stealing: unions, enums, function pointers that take pointers-to-shared. */
#include <upc.h>
#include <stdio.h>
enum state { EMPTY, FULL = 5, TAKEN };
union word { long whole; unsigned char bytes[8]; };
struct slot { enum state state; union word payload; };
shared [8] struct slot stack[8 * THREADS];
upc_lock_t *shared guards[THREADS];
typedef long (*action)(shared struct slot *, int);
typedef shared [8] struct slot slots;

static long consume(shared [8] struct slot *s) {
    s->state = TAKEN;
    return s->payload.whole + s->payload.bytes[0];
}
static long apply(long (*f)(shared [8] struct slot *), slots *s) { return f(s); }
int main(void) {
    int i, t;
    long sum = 0;
    shared long *total = upc_all_alloc(1, sizeof(long));
    upc_lock_t *lock = upc_all_lock_alloc();
    guards[MYTHREAD] = upc_global_lock_alloc();
    if (MYTHREAD == 0) *total = 0;
    for (i = 0; i < 8; i++) {
        stack[8 * MYTHREAD + i].payload.whole = 256 * (i + 1);
        stack[8 * MYTHREAD + i].payload.bytes[0] = i;
        stack[8 * MYTHREAD + i].state = FULL;
    }
    upc_barrier;
    for (t = 0; t < THREADS; t++) {
        int victim = (MYTHREAD + t) % THREADS;
        upc_lock(guards[victim]);
        for (i = 0; i < 8; i++)
            if (stack[8 * victim + i].state == FULL && i % 2 == MYTHREAD % 2) sum += apply(consume, &stack[8 * victim + i]);
        upc_unlock(guards[victim]);
    }
    upc_barrier;
    for (i = 0; i < 8; i++)
        if (stack[8 * MYTHREAD + i].state != TAKEN) sum += apply(&consume, stack + 8 * MYTHREAD + i);
    upc_lock(lock);
    *total += sum;
    upc_unlock(lock);
    upc_barrier;
    if (*total != THREADS * (256L * 36 + 2 * 28)) {
        printf("total %ld\n", *total);
        return 1;
    }
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
