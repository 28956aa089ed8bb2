/* SPDX-License-Identifier: BSD-3-Clause */
/* A linked list over all threads, reversed in place, with nodes in the memory of their makers. */
#include <upc.h>
#include <stdio.h>
typedef struct node node;
typedef shared [] node *link;
struct node { int key; double weight; shared [] struct node *next; };
link shared shared_head;
link shared heads[THREADS];
struct pair { link first; int count; };

static link cons(int key, link rest) {
    link n = (link)upc_alloc(sizeof(node));
    n->key = key;
    n->weight = key / 2.0;
    n->next = rest;
    return n;
}
static link reverse(link list) {
    link done = NULL;
    while (list != NULL) {
        link rest = list->next;
        list->next = done;
        done = list;
        list = rest;
    }
    return done;
}
int main(void) {
    struct pair own = {NULL, 0};
    int k, sum = 0, last = 100;
    link p;
    for (k = 0; k < 5; k++, own.count++) own.first = cons(10 * MYTHREAD + k, own.first);
    heads[MYTHREAD] = own.first;
    upc_barrier;
    if (MYTHREAD == 0) {
        link all = NULL;
        for (k = THREADS - 1; k >= 0; k--) {
            link tail = heads[k];
            while (tail->next) tail = tail->next;
            tail->next = all;
            all = heads[k];
        }
        shared_head = reverse(all);
    }
    upc_barrier;
    for (p = shared_head, k = 0; p; p = p->next, k++) {
        sum += p->key;
        if (p->weight * 2 != p->key) return 1;
        last = (*p).key;
    }
    if (k != 5 * THREADS || sum != 10 * THREADS + 25 * THREADS * (THREADS - 1) || last != 4) {
        printf("%d nodes, sum %d, last %d\n", k, sum, last);
        return 2;
    }
    upc_barrier;
    if (MYTHREAD == 0) puts("done");
    return 0;
}
