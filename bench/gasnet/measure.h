/* SPDX-License-Identifier: BSD-3-Clause */
/* How gasnet_perf measures: bursts of the reference, the call and the reference again, in turns. Node 0 only. */
#pragma once
#include <stddef.h>

typedef struct {
    const char *name, *summary; /* of the row; what is done */
    size_t size;                /* of a piece or a transfer, bytes */
    const char *against;        /* the reference */
    size_t calls;               /* of a burst */
} row_t;

/* `body` and `reference` are called with 0, 1, 2 ...; prints the row, and writes it where open_records() said. */
void measure(const row_t *row, void (*body)(size_t), void (*reference)(size_t));

/* A list of records for bench/report (bench/table/records.py). */
int open_records(const char *file, const char *conduit, unsigned nodes); /* 0: it cannot be written */
int close_records(void);                                                 /* the same */
