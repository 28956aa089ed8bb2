/* SPDX-License-Identifier: BSD-3-Clause */
/* The pages' b.o. */
extern const int THREADS;
int from_b(int number);
int from_b(int number) { return number + THREADS; }
