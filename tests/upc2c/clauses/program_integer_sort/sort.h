/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SORT_H
#define SORT_H
#include <upc_relaxed.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef CLASS
#define CLASS 'S'
#endif
#if CLASS == 'S'
#define TOTAL_KEYS_LOG_2 10
#define MAX_KEY_LOG_2 6
#define NUM_BUCKETS_LOG_2 3
#endif
#define TOTAL_KEYS (1 << TOTAL_KEYS_LOG_2)
#define MAX_KEY (1 << MAX_KEY_LOG_2)
#define NUM_BUCKETS (1 << NUM_BUCKETS_LOG_2)
#define NUM_KEYS (TOTAL_KEYS)
#define SIZE_OF_BUFFERS NUM_KEYS
typedef int INT_TYPE;
typedef struct {
    double re, im;
} dcomplex;
typedef struct {
    dcomplex cell[4];
} dcomplex_blk;
#define dconjg(z) ((dcomplex){(z).re, -(z).im})
#define cadd(c, a, b) ((c).re = (a).re + (b).re, (c).im = (a).im + (b).im)
#define TIMER_START(n) timer_start(n)
extern shared[] INT_TYPE *shared key_ptrs[THREADS];
extern shared struct info {
    int n;
    long sum;
    shared[] INT_TYPE *keys;
} infos[THREADS];
extern shared dcomplex_blk sh_u[THREADS];
static shared int header_static[THREADS]; /* one per file that includes it */
shared int tentative_both;
void init_keys(int seed);
int rank_keys(void);
int *local_static(void);
double randlc(double *x, double a);
#endif
