/* SPDX-License-Identifier: BSD-3-Clause */
/* docs/upc.md: what -Rupc says of what is done again. */
#include <upc_relaxed.h>
shared int c[100 * THREADS];
int peak(int i, int largest) {
    if (c[i] > largest) largest = c[i];
    return largest;
}
void triple(int i) {
    c[i] = c[i] * 3;
}
int twice(int i, int *sum) {
    int first = c[i];
    *sum = 0;
    return first + c[i];
}
