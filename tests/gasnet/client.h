/* SPDX-License-Identifier: BSD-3-Clause */
/* Common functions of the test clients. A client that succeeds prints nothing. */
#ifndef CLIENT_H
#define CLIENT_H
#include <gasnet.h>
#include <stdio.h>

/* Ends the job with status 1 unless the condition holds. */
#define CHECK(cond) ((cond) ? (void)0 : check_failed(__FILE__, __LINE__, #cond))
#define CALL(call) CHECK((call) == GASNET_OK)

static __attribute__((unused)) void check_failed(const char *file, int line, const char *text) {
    fprintf(stderr, "FAILED: node %u of %u: %s:%d: %s\n", (unsigned)gasnet_mynode(), (unsigned)gasnet_nodes(),
            file, line, text);
    gasnet_exit(1);
}

static __attribute__((unused)) void barrier(void) {
    gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
    CHECK(gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS) == GASNET_OK);
}

/* Slow runs reduce the work by a variable of the environment. */
static __attribute__((unused)) int effort(int full) {
    const char *text = gasnet_getenv("GASNET_TEST_EFFORT");
    int part = full / (text != NULL ? atoi(text) : 1);
    return part > 0 ? part : 1;
}

/* Repeatable pseudo-random numbers. */
static __attribute__((unused)) uint32_t random_number(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

#define HANDLER(fn) ((gasneti_handlerfn_t)(fn))
#endif
