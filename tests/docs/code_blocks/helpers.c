/* SPDX-License-Identifier: BSD-3-Clause */
/* The pages' helpers.c: plain C beside the program's UPC. */
int twice(int number);
int twice(int number) { return 2 * number; }
