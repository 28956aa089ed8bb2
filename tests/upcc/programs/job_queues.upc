/* SPDX-License-Identifier: BSD-3-Clause */
/* Queues of jobs: structures that point to each other, unions of pointers, flexible members, callbacks. */
#include <upc_strict.h>
#include <stdio.h>
struct job;
struct queue;
typedef shared struct queue *queue_h;
typedef shared [] struct job *job_h;
typedef void (*handler_t)(job_h, void *ctx);
union tagged {
    job_h j;
    queue_h q;
    shared void *v;
    long n;
};
struct job {
    int id, prio;
    job_h next;
    queue_h owner;
    union tagged arg;
    char name[];
};
struct queue {
    job_h head, tail;
    int len;
    upc_lock_t *mutex[2];
    const char *label;
};
shared struct queue queues[THREADS];
shared const int limits[4 * THREADS] = {1, 2, 3};
static job_h job_new(int id, queue_h owner) {
    job_h j = upc_alloc(sizeof(struct job) + 8);
    j->id = id;
    j->prio = -id;
    j->next = NULL;
    j->owner = owner;
    j->arg.n = 0;
    j->arg.q = owner;
    j->name[0] = 'a' + id % 26;
    j->name[1] = 0;
    return j;
}
static void enqueue(queue_h q, job_h j) {
    upc_lock(q->mutex[0]);
    if (q->tail)
        q->tail->next = j;
    else
        q->head = j;
    q->tail = j;
    q->len++;
    upc_unlock(q->mutex[0]);
}
static job_h dequeue(queue_h q) {
    job_h j = NULL;
    if (!upc_lock_attempt(q->mutex[0])) upc_lock(q->mutex[0]);
    if ((j = q->head) != NULL) {
        if (!(q->head = j->next)) q->tail = NULL;
        --q->len;
        j->next = NULL;
    }
    upc_unlock(q->mutex[0]);
    return j;
}
static void each(queue_h q, handler_t f, void *ctx) {
    for (job_h j = q->head; j; j = j->next) (*f)(j, ctx);
}
struct sum {
    int n, total;
};
static void add(job_h j, void *ctx) {
    struct sum *s = ctx;
    s->n++, s->total += j->id;
    if (j->name[0] != 'a' + j->id % 26 || j->arg.q != j->owner) s->total = -100000;
}
int main() {
    int i, t, bad = 0;
    queue_h mine = &queues[MYTHREAD];
    for (i = 0; i < 2; i++) mine->mutex[i] = upc_global_lock_alloc();
    mine->label = __func__;
    upc_barrier;
    for (i = 0; i < 10; i++)
        enqueue(&queues[(MYTHREAD + i) % THREADS], job_new(MYTHREAD * 10 + i, &queues[(MYTHREAD + i) % THREADS]));
    upc_barrier;
    struct sum s = {0, 0};
    for (t = 0; t < THREADS; t++) each(queues + t, add, &s);
    bad += s.n != 10 * THREADS || s.total != 10 * THREADS * (10 * THREADS - 1) / 2;
    upc_barrier;
    int n = 0;
    job_h j;
    static shared int got[THREADS];
    for (t = 0; t < THREADS; t++)
        while ((j = dequeue(&queues[(MYTHREAD + t) % THREADS]))) {
            n += j->prio;
            upc_free(j);
        }
    got[MYTHREAD] = n;
    upc_barrier;
    for (n = t = 0; t < THREADS; t++) n += got[t], bad += queues[t].len != 0 || queues[t].head != queues[t].tail;
    bad += n != -s.total || limits[2] != 3 || limits[4 * THREADS - 1];
    bad += mine->label[0] != 'm' || (mine == &queues[0]) != (MYTHREAD == 0);
    if (bad) printf("%d: %d %d\n", MYTHREAD, bad, n);
    upc_barrier;
    if (!MYTHREAD && !bad) puts("done");
    upc_lock_free(mine->mutex[0]);
    upc_lock_free(mine->mutex[1]);
    return bad;
}
