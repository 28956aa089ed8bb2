/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/upc.md: what -Rupc says of reads that are done together. */
#include <upc_relaxed.h>
struct node {
    int key;
    double weight;
    shared struct node *next;
};
double sum(shared struct node *p) {
    double total = 0;
    while (p) {
        total += p->key * p->weight;
        p = p->next;
    }
    return total;
}

double mean(shared struct node *first, shared struct node *second) {
    return first->key * first->weight + second->weight;
}
