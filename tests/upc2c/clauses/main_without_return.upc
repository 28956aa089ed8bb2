/* SPDX-License-Identifier: BSD-3-Clause */
/* main without return statement ends with status 0. */
#include <upc.h>
#include <stdio.h>
int main() {
    upc_barrier;
    if (MYTHREAD == 0) printf("done\n");
}
