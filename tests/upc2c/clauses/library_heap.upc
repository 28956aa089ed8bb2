/* SPDX-License-Identifier: BSD-3-Clause */
/* 7.2.3: allocation functions; their results convert to any pointer-to-shared. */
#include <upc.h>
#include <stdio.h>
struct node { int value; shared struct node *next; };
shared [4] double *common;
shared struct node *shared heads[THREADS];

int main(void) {
    shared [] int *local = upc_alloc(10 * sizeof(int));
    shared int *global = (shared int *)upc_global_alloc(THREADS, sizeof(int));
    shared struct node *list = NULL;
    int i, sum = 0;
    common = upc_all_alloc(THREADS, 4 * sizeof(double));
    if (upc_threadof(local) != MYTHREAD || upc_threadof(global) != 0 || upc_phaseof(common) != 0) return 1;
    for (i = 0; i < 10; i++) local[i] = i;
    for (i = 0; i < THREADS; i++) global[i] = i + MYTHREAD;
    for (i = 0; i < 4; i++) common[4 * MYTHREAD + i] = MYTHREAD + i / 4.0;
    for (i = 0; i < 5; i++) {
        shared struct node *fresh = upc_alloc(sizeof(struct node));
        fresh->value = i + MYTHREAD;
        fresh->next = list;
        list = fresh;
    }
    heads[MYTHREAD] = list;
    upc_barrier;
    for (list = heads[(MYTHREAD + 1) % THREADS]; list; list = list->next) sum += list->value;
    if (sum != 10 + 5 * ((MYTHREAD + 1) % THREADS)) return 2;
    for (i = 0, sum = 0; i < 10; i++) sum += local[i] * ((int *)local)[i];
    if (sum != 285 || upc_threadof(&global[THREADS - 1]) != THREADS - 1) return 3;
    if (common[4 * (THREADS - 1) + 3] != THREADS - 1 + 0.75) return 4;
    upc_barrier;
    upc_free(local);
    upc_free(global);
    upc_free(NULL);
    upc_all_free(common);
    if (MYTHREAD == 0) puts("done");
    return 0;
}
