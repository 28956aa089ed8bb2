/* SPDX-License-Identifier: BSD-3-Clause */
/* Structures with unions, bit-fields, arrays, long doubles and pointers to functions, shared by a typedef. */
#include <upc_relaxed.h>
#include <stdio.h>
#include <stddef.h>
#include <string.h>
#include <stdbool.h>
typedef struct {
    unsigned lo : 3, mid : 7;
    signed s : 5;
    unsigned : 0;
    unsigned long long wide : 40;
    bool flag : 1;
} bits;
typedef union {
    long double ld;
    struct {
        float f[2];
        union {
            int i;
            short h[2];
        };
    };
    bits b;
} U;
typedef struct {
    char tag;
    U u[2][3];
    struct inner {
        int n;
        struct {
            long double x[2];
        } deep[2];
    } in;
    int (*fn)(int);
    const char *s;
} Thing;
typedef shared [2] Thing SharedThing;
typedef shared Thing *PThing;
SharedThing things[4 * THREADS];
static shared [] bits flags[10];
shared long double ld;
static int twice(int x) { return 2 * x; }
int main() {
    int i, j, k, bad = 0;
    upc_forall (i = 0; i < 4 * THREADS; i++; &things[i]) {
        things[i].tag = 'a' + i % 26;
        for (j = 0; j < 2; j++)
            for (k = 0; k < 3; k++) {
                switch ((j + k) % 3) {
                    case 0:
                        things[i].u[j][k].ld = i + 0.25L;
                        break;
                    case 1:
                        things[i].u[j][k].f[1] = i * 0.5f;
                        things[i].u[j][k].h[1] = (short)-i;
                        break;
                    default:
                        memset(&(U){0}, 0, 1);
                        things[i].u[j][k].b.lo = i;
                        things[i].u[j][k].b.mid = i * 9;
                        things[i].u[j][k].b.s = -i;
                        things[i].u[j][k].b.wide = 1ull << 38 | i;
                        things[i].u[j][k].b.flag = i & 6;
                }
            }
        things[i].in.n = i;
        things[i].in.deep[1].x[0] = -1.5L * i;
        things[i].fn = twice;
        things[i].s = "text";
    }
    upc_barrier;
    for (i = 0; i < 4 * THREADS; i++) {
        shared [2] Thing *p = &things[i];
        bad += p->tag != 'a' + i % 26;
        for (j = 0; j < 2; j++)
            for (k = 0; k < 3; k++) {
                shared [] U *u = &p->u[j][k];
                switch ((j + k) % 3) {
                    case 0:
                        bad += u->ld != i + 0.25L;
                        break;
                    case 1:
                        bad += u->f[1] != i * 0.5f || u->h[1] != (short)-i;
                        break;
                    case 2:
                        bad += u->b.lo != (i & 7) || u->b.mid != ((i * 9) & 127) || u->b.s != (((-i) & 31) ^ 16) - 16 ||
                               u->b.wide != (1ull << 38 | i) || u->b.flag != !!(i & 6);
                }
            }
        bad += (*p).in.n != i || p->in.deep[1].x[0] != -1.5L * i;
        if (upc_threadof(p) == MYTHREAD) {
            bad += p->fn(21) != 42 || (*p->fn)(3) != 6;
            bad += strcmp(p->s, "text") != 0;
        }
        struct inner in = p->in;
        bad += in.n != i || in.deep[1].x[0] != -1.5L * i;
        Thing whole = things[i];
        bad += whole.in.n != i;
        whole.in = p->in;
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        for (i = 0; i < 10; i++) {
            flags[i].lo = i;
            flags[i].lo++;
            flags[i].s |= 3;
            flags[i].wide += 1ull << 35;
            flags[i].mid ^= flags[i].lo;
        }
        ld = 1;
        ld /= 3;
        ld *= 3;
    }
    upc_barrier;
    for (i = 0; i < 10; i++)
        bad += flags[i].lo != ((i + 1) & 7) || flags[i].s != 3 || flags[i].wide != 1ull << 35 ||
               flags[i].mid != ((i + 1) & 7);
    bad += ld != 1.0L / 3 * 3;
    bad += (shared [] char *)&things[1].in.deep[1] - (shared [] char *)&things[1] != offsetof(Thing, in.deep[1]);
    bad += upc_blocksizeof(SharedThing) != 2 || upc_elemsizeof(things) != sizeof(Thing) ||
           upc_localsizeof(things) != 4 * sizeof(Thing);
    PThing q = (PThing)&things[0];
    q += THREADS;
    bad += upc_threadof(q) != 0;
    if (bad) printf("%d: %d bad\n", MYTHREAD, bad);
    upc_barrier;
    if (!MYTHREAD && !bad) puts("done");
    return bad;
}
