/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random numbers of one UPC thread: rand() and srand() of translated code. Each thread has a
 * sequence of its own, so that a program computes the same whether its threads are processes or pthreads;
 * the sequence for a seed is the C library's (and 1 is the seed to begin with). UPC threads, any time.
 */
#pragma once
#include "upcr/base.h"

UPCRI_BEGIN_C

/* The next number, 0 .. RAND_MAX. */
UPCRI_API int upcri_rand(void);
/* Restarts the calling thread's sequence. */
UPCRI_API void upcri_srand(unsigned int seed);

UPCRI_END_C
