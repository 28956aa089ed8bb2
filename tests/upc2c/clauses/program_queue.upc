/* SPDX-License-Identifier: BSD-3-Clause */
/* A queue of jobs in the shared heap, linked by a typedef of a shared structure. */
#include "check.h"
#include <string.h>
#include <stdlib.h>
#define QMAX 50
typedef shared struct job job_t;
struct job {
    char name[8];
    int cost;
    job_t *next;
    upc_lock_t *lock;
    struct {
        job_t *deps[2];
        int n;
    } d;
};
typedef struct {
    job_t *head, *tail;
    int len;
} queue_t;
shared queue_t queue;
upc_lock_t *shared qlock;
shared int doneby[THREADS];
static void push(job_t *j)
{
    upc_lock(qlock);
    j->next = NULL;
    if (queue.tail)
        queue.tail->next = j;
    else
        queue.head = j;
    queue.tail = j;
    queue.len++;
    upc_unlock(qlock);
}
static job_t *pop(void)
{
    job_t *j;
    upc_lock(qlock);
    if ((j = queue.head) != NULL) {
        if (!(queue.head = j->next)) queue.tail = NULL;
        --queue.len;
    }
    upc_unlock(qlock);
    return j;
}
int main(void)
{
    int i, mine = 0;
    job_t *j, *last = 0;
    struct job local;
    if (!MYTHREAD) qlock = upc_global_lock_alloc();
    upc_barrier;
    for (i = MYTHREAD; i < QMAX; i += THREADS) {
        j = upc_alloc(sizeof(struct job));
        snprintf(local.name, sizeof local.name, "j%d", i);
        local.cost = i;
        local.lock = qlock;
        local.d.n = last != 0;
        local.d.deps[0] = last;
        local.d.deps[1] = NULL;
        *j = local;
        last = j;
        push(j);
    }
    upc_barrier;
    CHECK(queue.len == QMAX);
    upc_barrier;
    while ((j = pop())) {
        char nm[8];
        local = *j;
        upc_memget(nm, j->name, 8);
        mine += j->cost;
        CHECK(!strcmp(nm, local.name) && j->lock == qlock &&
              (!j->d.n || j->d.deps[0]->cost == local.cost - THREADS) && atoi(nm + 1) == local.cost);
    }
    doneby[MYTHREAD] = mine;
    upc_barrier;
    for (i = mine = 0; i < THREADS; i++) mine += doneby[i];
    CHECK(mine == QMAX * (QMAX - 1) / 2 && !queue.head && queue.len == 0);
    upc_barrier;
    if (!MYTHREAD) upc_lock_free(qlock);
    return finish();
}
