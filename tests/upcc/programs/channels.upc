/* SPDX-License-Identifier: BSD-3-Clause */
/* Ring buffers between neighbours: strict flags, structures by value. */
#include <upc_strict.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define SLOTS 4
#define MSGS 25
typedef struct msg {
    int seq;
    char text[20];
    double payload[3];
} msg_t;
typedef struct {
    relaxed shared [] msg_t *data;
    strict shared [] int *full;
} chan_t;
shared chan_t chans[THREADS];
static void chan_send(chan_t *c, int *pos, const msg_t *m) {
    int i = (*pos)++ % SLOTS;
    while (c->full[i])
        ;
    c->data[i] = *m;
    c->full[i] = 1;
}
static msg_t chan_recv(chan_t *c, int *pos) {
    int i = (*pos)++ % SLOTS;
    msg_t m;
    while (!c->full[i])
        ;
    m = c->data[i];
    c->full[i] = 0;
    return m;
}
int main() {
    chan_t my, out;
    int s = 0, r = 0, i, bad = 0;
    my.data = upc_alloc(SLOTS * sizeof(msg_t));
    my.full = upc_alloc(SLOTS * sizeof(int));
    for (i = 0; i < SLOTS; i++) my.full[i] = 0;
    chans[MYTHREAD] = my;
    upc_barrier;
    out = chans[(MYTHREAD + 1) % THREADS];
    for (i = 0; i < MSGS; i++) {
        msg_t m = {.seq = i, .payload = {[1] = i * 0.5}};
        snprintf(m.text, sizeof m.text, "t%d-%d", MYTHREAD, i);
        chan_send(&out, &s, &m);
        msg_t got = chan_recv(&my, &r);
        char want[20];
        sprintf(want, "t%d-%d", (MYTHREAD + THREADS - 1) % THREADS, i);
        bad += got.seq != i || got.payload[1] != i * 0.5 || strcmp(got.text, want);
    }
    if (bad) printf("%d: %d\n", MYTHREAD, bad);
    upc_barrier;
    if (!MYTHREAD && !bad) puts("done");
    upc_free(my.data);
    upc_free(my.full);
    return bad;
}
