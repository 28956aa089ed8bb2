/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table of chains in shared memory, with a lock for each bucket and comparison through pointers to functions. */
#include <upc.h>
#include <string.h>
#include "../../upc2c/clauses/check.h"
#define NB 16
#define KEYLEN 12
typedef struct node_s {
    char key[KEYLEN];
    int val;
    shared struct node_s *next;
} node;
typedef shared node *nodep;
typedef struct {
    nodep head;
    upc_lock_t *lock;
    int n;
} bucket;
shared bucket table[NB * THREADS];
typedef int (*cmpfn)(nodep, const char *);
shared [] nodep *shared lists[THREADS];
shared [] int *shared grow[THREADS];
static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s) h = h * 33 + (unsigned char)*s++;
    return h % (NB * THREADS);
}
static int cmp(nodep n, const char *k) {
    char b[KEYLEN];
    upc_memget(b, n->key, KEYLEN);
    return strcmp(b, k);
}
static int cmp2(nodep n, const char *k) {
    shared [] char *p = n->key;
    while (*p && *p == *k) p++, k++;
    return *p - *k;
}
static void add(const char *k, int v, cmpfn c) {
    shared bucket *b = &table[hash(k)];
    upc_lock(b->lock);
    nodep n;
    for (n = b->head; n; n = n->next)
        if (!c(n, k)) {
            n->val += v;
            upc_unlock(b->lock);
            return;
        }
    n = (nodep)upc_alloc(sizeof(node));
    char buf[KEYLEN] = {0};
    strncpy(buf, k, KEYLEN - 1);
    upc_memput(n->key, buf, KEYLEN);
    n->val = v;
    n->next = b->head;
    b->head = n;
    b->n++;
    upc_unlock(b->lock);
}
static int get(const char *k) {
    nodep n = table[hash(k)].head;
    for (; n != NULL; n = n->next)
        if (cmp2(n, k) == 0) return n->val;
    return -1;
}
int main(void) {
    int i;
    char k[KEYLEN];
    upc_forall (i = 0; i < NB * THREADS; i++; &table[i]) {
        table[i].lock = upc_global_lock_alloc();
        table[i].head = NULL;
    }
    upc_barrier;
    for (i = 0; i < 40; i++) {
        sprintf(k, "key%d", i);
        add(k, i + 1, i % 2 ? cmp : cmp2);
    }
    upc_barrier;
    for (i = 0; i < 40; i++) {
        sprintf(k, "key%d", i);
        CHECK(get(k) == (i + 1) * THREADS);
    }
    CHECK(get("none") == -1);
    int tot = 0;
    for (i = 0; i < NB * THREADS; i++) tot += table[i].n;
    CHECK(tot == 40);
    int cap = 2, n = 0;
    grow[MYTHREAD] = upc_alloc(cap * sizeof(int));
    for (i = 0; i < 20; i++) {
        if (n == cap) {
            shared [] int *g = upc_alloc(2 * cap * sizeof(int));
            upc_memcpy(g, grow[MYTHREAD], cap * sizeof(int));
            upc_free(grow[MYTHREAD]);
            grow[MYTHREAD] = g;
            cap *= 2;
        }
        grow[MYTHREAD][n++] = i * i;
    }
    upc_barrier;
    {
        int p = (MYTHREAD + 1) % THREADS;
        for (i = 0; i < 20; i++) CHECK(grow[p][i] == i * i);
    }
    lists[MYTHREAD] = (shared [] nodep *)upc_alloc(3 * sizeof(nodep));
    for (i = 0; i < 3; i++) lists[MYTHREAD][i] = table[i].head;
    upc_barrier;
    CHECK(lists[(MYTHREAD + 1) % THREADS][1] == table[1].head);
    shared [] nodep *lp = lists[0];
    CHECK(lp[2] == table[2].head);
    if (lp[0]) CHECK(lp[0]->val == table[0].head->val);
    nodep *loc = (nodep *)lists[MYTHREAD];
    CHECK(loc[1] == table[1].head);
    upc_forall (i = 0; i < NB * THREADS; i++; &table[i]) upc_lock_free(table[i].lock);
    return finish();
}
