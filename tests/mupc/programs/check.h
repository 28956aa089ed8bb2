/* SPDX-License-Identifier: BSD-3-Clause */
/* For the programs of this folder: a check that ends the job. */
#pragma once
#include <mupc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                \
    do {                                                                                                \
        if (!(condition)) {                                                                             \
            fprintf(stderr, "%s:%d: UPC thread %d: '%s' does not hold\n", __FILE__, __LINE__, MYTHREAD, \
                    #condition);                                                                        \
            upc_global_exit(1);                                                                         \
        }                                                                                               \
    } while (0)

/* Block `thread` of what p points to, and `byte` of it. */
static inline mupc_shared_ptr_t part(mupc_shared_ptr_t p, int thread, size_t byte) {
    p.th = (uint32_t)thread;
    p.va += byte;
    return p;
}
static inline uint64_t get64(mupc_shared_ptr_t p) {
    uint64_t value;
    mupc_get(&value, p, sizeof value);
    return value;
}
static inline void put64(mupc_shared_ptr_t p, uint64_t value) { mupc_put(p, &value, sizeof value); }
