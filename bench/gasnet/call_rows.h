/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of gasnet_perf that one node measures by itself, calling what C clients call: single accesses and copies
 * (calls.c), copies that are not contiguous (scattered.c).
 */
#pragma once
#include <gasnet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The memory of a row: `there` is the peer's, `here` and `shadow` are private, CALL_BYTES each. */
enum { CALL_BYTES = 1 << 20 };
typedef struct {
    gasnet_node_t peer;
    char *there, *here, *shadow;
} call_memory_t;

/* One call, or the reference of one: called with 0, 1, 2 ... */
typedef void (*call_t)(size_t);

/* Takes a row. prepare, where it is not null, is called before each burst of the body or of the reference. */
typedef void add_row_t(void *state, const char *name, const char *summary, size_t size, const char *against,
                       call_t body, call_t reference, void (*prepare)(void));

void list_calls(const call_memory_t *memory, add_row_t *add, void *state);
void list_scattered(const call_memory_t *memory, add_row_t *add, void *state);

#ifdef __cplusplus
}
#endif
