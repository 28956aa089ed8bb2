/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/upc.md: what -Rupc says of objects that a loop reads once. */
#include <upc_relaxed.h>
struct item { int weight; shared struct item *next; };
shared int scale, limit;
int total(shared struct item *p) { int sum = 0;
    while (p) { sum += p->weight * scale; p = p->next; }
    return sum;
}
void use(shared int *left, int n) {
    for (int i = 0; i < n; i++)
        *left = *left - (limit > i);
}
