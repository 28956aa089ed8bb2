/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TABLE_H
#define TABLE_H
#include <string.h>
#define WIDTH 6
#define strict_name relaxed_name
typedef shared[2] int *blocks;
struct table {
#include "fields.inc"
    char name[WIDTH];
};
shared[2] int shared_table[2 * WIDTH * THREADS];
extern shared int *first_cell(struct table *);
static int length(const struct table *t) { return (int)strlen(t->name); }
#endif
