/* SPDX-License-Identifier: BSD-3-Clause */
/* main in the form of K&R, and functions too. */
#include <upc.h>
#include <stdio.h>
shared int count[THREADS];

static int add(p, n, scale)
    shared int *p;
    int n;
    double scale;
{
    *p += n;
    return (int)(scale * *p);
}

main(argc, argv)
    int argc;
    char **argv;
{
    int i;
    if (argc < 1 || argv[0] == NULL) return 1;
    if (add(&count[MYTHREAD], 3, 2.0) != 6) return 2;
    upc_barrier;
    for (i = 0; i < THREADS; i++)
        if (count[i] != 3) return 3;
    upc_barrier;
    if (MYTHREAD == 0) printf("done\n");
    return 0;
}
