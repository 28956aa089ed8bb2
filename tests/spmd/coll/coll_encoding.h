/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives from a file with the numbers of another translator release: included by one source for each
 * UPCRI_ENCODING. Such files are translated C: they declare library functions again, and the numbers stand
 * where the macros of upc_types.h stood.
 */
#define UPCR_NO_CALLSITES
#include "tests/spmd/spmd.h"

extern void bupc_all_broadcast(upcr_shared_ptr_t, upcr_shared_ptr_t, size_t, int);
extern bupc_coll_handle_t bupc_team_exchange(bupc_team_t, upcr_shared_ptr_t, upcr_shared_ptr_t, size_t, int);

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define collectives_of_encoding PASTE(collectives_of_encoding_, UPCRI_ENCODING)

#if UPCRI_ENCODING == 0
static const int in[] = {1, 2, 4, 0}, out[] = {8, 16, 32, 0}; /* ALLSYNC, MYSYNC, NOSYNC, nothing */
#else
static const int in[] = {16, 2, 1, 0}, out[] = {32, 8, 4, 0};
#endif
static const int in_1_3[] = {1, 2, 4, 1}, out_1_3[] = {8, 16, 32, 8};
#if UPCRI_ENCODING == 2
static const unsigned long long ops[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
#else
static const unsigned long long ops[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 1 << 16, 1 << 17};
#endif
static const unsigned long long ops_1_3[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 1 << 16, 1 << 17};

/* The debug library refuses flags that UPC 1.3 does not have: those of other encodings pass when turned into
 * UPC 1.3's. */
void collectives_of_encoding(upcr_shared_ptr_t a, upcr_shared_ptr_t b) {
    const upcr_thread_t me = upcr_mythread(), threads = upcr_threads();
    const upcr_pshared_ptr_t perm = upcr_shared_to_pshared(spmd_part(a, 0, 512));
    int *const to = (int *)upcr_shared_to_local(spmd_part(a, me, 0));
    int *const from = (int *)upcr_shared_to_local(spmd_part(b, me, 0));
    unsigned i, o, t;
    for (i = 0; i < sizeof ops / sizeof ops[0]; ++i) SPMD_EQ(upcri_coll_op(ops[i]), ops_1_3[i]);
    *(int *)upcr_shared_to_local(spmd_part(a, me, 512)) = (int)((me + 1) % threads);
    for (i = 0; i < 4; ++i)
        for (o = 0; o < 4; ++o) {
            const int flags = in[i] | out[o];
            SPMD_EQ(upcri_coll_flags(flags), in_1_3[i] | out_1_3[o]);
            for (t = 0; t < threads; ++t) from[t] = (int)(100 * me + t + 1);
            spmd_barrier();
            bupc_all_broadcast(a, spmd_part(b, threads - 1, 0), 4, flags);
            spmd_barrier();
            SPMD_EQ(to[0], 100 * (threads - 1) + 1);
            bupc_all_scatter(a, b, 4, flags);
            spmd_barrier();
            SPMD_EQ(to[0], me + 1);
            bupc_all_gather(a, b, 4, flags);
            spmd_barrier();
            if (me == 0) SPMD_EQ(to[threads - 1], 100 * (threads - 1) + 1);
            bupc_all_gather_all(a, b, 4, flags);
            spmd_barrier();
            SPMD_EQ(to[threads - 1], 100 * (threads - 1) + 1);
            bupc_all_exchange(a, b, 4, flags);
            spmd_barrier();
            SPMD_EQ(to[threads - 1], 100 * (threads - 1) + me + 1);
            bupc_all_permute(a, b, perm, 4, flags);
            spmd_barrier();
            SPMD_EQ(to[0], 100 * ((me + threads - 1) % threads) + 1);
            bupc_coll_wait(bupc_team_exchange(BUPC_TEAM_ALL, a, b, 4, flags));
            bupc_coll_wait(bupc_team_broadcast(BUPC_TEAM_ALL, a, b, 4, flags));
            spmd_barrier();
            SPMD_EQ(to[0], 1);
        }
}
