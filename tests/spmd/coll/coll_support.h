/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests of collectives: the operations by number, and switching algorithms while the program runs. */
#pragma once
#include "tests/spmd/spmd.h"

typedef enum { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, PERMUTE, OPERATIONS } operation;
static const char *const operation_names[] = {"broadcast",  "scatter",  "gather",
                                              "gather_all", "exchange", "permute"};

/* `perm`: of permute only. */
static inline void coll_call(operation op, upcr_shared_ptr_t dst, upcr_shared_ptr_t src,
                             upcr_shared_ptr_t perm, size_t nbytes, int flags) {
    switch (op) {
    case BROADCAST: bupc_all_broadcast(dst, src, nbytes, flags); break;
    case SCATTER: bupc_all_scatter(dst, src, nbytes, flags); break;
    case GATHER: bupc_all_gather(dst, src, nbytes, flags); break;
    case GATHER_ALL: bupc_all_gather_all(dst, src, nbytes, flags); break;
    case EXCHANGE: bupc_all_exchange(dst, src, nbytes, flags); break;
    case PERMUTE: bupc_all_permute(dst, src, upcr_shared_to_pshared(perm), nbytes, flags); break;
    case OPERATIONS: break;
    }
}

/* All members of the team: its collectives use these algorithms from now on (lines of a tuning file). */
static inline void coll_use(bupc_team_t team, int first_member, const char *lines) {
    char name[] = "/tmp/upcr_coll_XXXXXX";
    if (first_member) {
        const int fd = mkstemp(name);
        const size_t n = strlen(lines);
        SPMD_CHECK(fd >= 0 && write(fd, lines, n) == (ssize_t)n && close(fd) == 0);
    }
    bupc_load_coll_tuning_file(team, name);
    if (first_member) unlink(name);
}

static const char *const coll_tables[] = {
    "",
    "broadcast flat\nscatter flat\ngather flat\ngather_all flat\nexchange flat\n",
    "broadcast binomial\nscatter binomial\ngather binomial\ngather_all doubling\nexchange doubling\n",
    "broadcast knomial\nscatter knomial\ngather knomial\ngather_all ring\nexchange pairwise\nradix 3\n",
    "broadcast knomial\nscatter knomial\ngather knomial\nradix 7\n",
    "broadcast ring\ngather_all ring\n",
    "broadcast auto\nscatter auto\ngather auto\ngather_all auto\nexchange auto\nflat_threads 1\nsmall 100\n",
};
enum { COLL_TABLES = sizeof coll_tables / sizeof coll_tables[0] };
