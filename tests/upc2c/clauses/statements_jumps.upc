/* SPDX-License-Identifier: BSD-3-Clause */
/* Duff device, setjmp, goto and switch over shared values. */
#include "check.h"
#include <setjmp.h>
shared [5] char src[5 * THREADS], dst[5 * THREADS];
shared int state[THREADS];
static jmp_buf env;
static void duff(shared [5] char *to, shared [5] char *from, int count)
{
    int n = (count + 4) / 5;
    switch (count % 5) {
    case 0:
        do {
            *to++ = *from++;
        case 4:
            *to++ = *from++;
        case 3:
            *to++ = *from++;
        case 2:
            *to++ = *from++;
        case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}
static void jump(shared int *p)
{
    *p = 9;
    longjmp(env, 2);
}
int main(void)
{
    int i;
    upc_forall(i = 0; i < 5 * THREADS; i++; &src[i]) src[i] = 'a' + i % 26;
    upc_barrier;
    if (!MYTHREAD) duff(dst + 1, src, 5 * THREADS - 2);
    upc_barrier;
    for (i = 0; i < 5 * THREADS - 2; i++) CHECK(dst[i + 1] == 'a' + i % 26);
    CHECK(!dst[0] && !dst[5 * THREADS - 1]);
    if (!setjmp(env)) {
        jump(&state[MYTHREAD]);
        CHECK(0);
    }
    CHECK(state[MYTHREAD] == 9);
    for (state[MYTHREAD] = 0;;) {
        switch (state[MYTHREAD]) {
        case 0:
            state[MYTHREAD] = 3;
            continue;
        case 1:
            goto out;
        case 2: {
            state[MYTHREAD]--;
            break;
        }
        case 3 ... 6:
            state[MYTHREAD] -= 1;
        }
    }
out:
    while (1) {
        if (state[MYTHREAD]++ > 5) break;
        if (state[MYTHREAD] & 1) continue;
    }
    CHECK(state[MYTHREAD] == 7);
    return finish();
}
