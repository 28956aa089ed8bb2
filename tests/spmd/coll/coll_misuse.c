/* SPDX-License-Identifier: BSD-3-Clause */
/* coll_misuse CASE: errors in collectives that debug builds report; coll_misuse.sh runs each case with two
 * threads. The comment HERE marks the line that the message must name, where one call is to blame. */
#include "tests/spmd/cases.h"
#include "tests/spmd/spmd.h"

static __thread upcr_shared_ptr_t a, b; /* 4096 bytes on each thread */
static __thread upcr_thread_t me;

static upcr_shared_ptr_t on(upcr_shared_ptr_t p, upcr_thread_t t) { return spmd_part(p, t, 0); }
static upcr_pshared_ptr_t perm(int mine) {
    *(int *)upcr_shared_to_local(spmd_part(b, me, 2048)) = mine;
    return upcr_shared_to_pshared(spmd_part(b, 0, 2048));
}

static void no_bytes(void) { bupc_all_broadcast(a, b, 0, 0); /* HERE: no_bytes */ }
static void two_ins(void) {
    bupc_all_scatter(a, b, 8, UPCRI_IN_NOSYNC | UPCRI_IN_MYSYNC | UPCRI_OUT_NOSYNC); /* HERE: two_ins */
}
static void no_flag(void) { bupc_all_gather(a, b, 8, 64); /* HERE: no_flag */ }
static void after_notify(void) {
    upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS);
    bupc_all_exchange(a, b, 8, 0); /* HERE: after_notify */
}
static void broadcast_dst(void) { bupc_all_broadcast(on(a, 1), b, 8, 0); /* HERE: broadcast_dst */ }
static void scatter_dst(void) { bupc_all_scatter(on(a, 1), b, 8, 0); /* HERE: scatter_dst */ }
static void gather_src(void) { bupc_all_gather(a, on(b, 1), 8, 0); /* HERE: gather_src */ }
static void gather_all_src(void) { bupc_all_gather_all(a, on(b, 1), 8, 0); /* HERE: gather_all_src */ }
static void gather_all_dst(void) { bupc_all_gather_all(on(a, 1), b, 8, 0); /* HERE: gather_all_dst */ }
static void exchange_src(void) { bupc_all_exchange(a, on(b, 1), 8, 0); /* HERE: exchange_src */ }
static void permute_dst(void) {
    const upcr_pshared_ptr_t p = perm(0);
    bupc_all_permute(on(a, 1), b, p, 8, 0); /* HERE: permute_dst */
}
static void permute_perm(void) {
    bupc_all_permute(a, b, upcr_shared_to_pshared(on(a, 1)), 8, 0); /* HERE: permute_perm */
}
static void null_src(void) { bupc_all_broadcast(a, upcr_null_shared, 8, 0); /* HERE: null_src */ }
static void beyond(void) { bupc_all_scatter(a, b, (size_t)1 << 30, 0); /* HERE: beyond */ }
static void overlap(void) { bupc_all_broadcast(a, spmd_part(a, 1, 4), 8, 0); /* HERE: overlap */ }
static void overlap_all(void) { bupc_all_exchange(a, spmd_part(a, 0, 8), 8, 0); /* HERE: overlap_all */ }
static void same_target(void) { bupc_all_permute(a, b, perm(1), 8, 0); }
static void no_target(void) {
    const upcr_pshared_ptr_t p = perm(2);
    bupc_all_permute(a, b, p, 8, 0); /* HERE: no_target */
}
static void bytes_differ(void) { bupc_all_broadcast(a, b, me ? 16 : 8, UPCRI_IN_NOSYNC | UPCRI_OUT_NOSYNC); }
static void flags_differ(void) {
    bupc_all_gather_all(a, b, 8, UPCRI_IN_NOSYNC | (me ? UPCRI_OUT_NOSYNC : UPCRI_OUT_MYSYNC));
}
static void src_differs(void) { bupc_all_broadcast(a, on(b, me), 8, 0); }
static void calls_differ(void) {
    if (me)
        bupc_all_gather(a, b, 8, UPCRI_IN_NOSYNC | UPCRI_OUT_NOSYNC);
    else
        bupc_all_scatter(a, b, 8, UPCRI_IN_NOSYNC | UPCRI_OUT_NOSYNC);
}
static void barrier_instead(void) {
    if (me)
        upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    else
        bupc_all_exchange(a, b, 8, 0);
}
static void ended(void) {
    if (me == 0) bupc_all_broadcast(a, b, 8, 0); /* HERE: ended */
}
static void ended_mysync(void) {
    if (me == 0)
        bupc_all_broadcast(a, on(b, 1), 8, UPCRI_IN_MYSYNC | UPCRI_OUT_MYSYNC); /* HERE: ended_mysync */
}
static void foreign_src(void) {
    const bupc_team_t t = bupc_team_split(BUPC_TEAM_ALL, (int)me, 0);
    (void)bupc_team_broadcast(t, a, on(b, 1 - me), 8, 0); /* HERE: foreign_src */
}
static void no_team(void) { (void)bupc_team_split((bupc_team_t)(uintptr_t)4096, 0, 0); /* HERE: no_team */ }
static void waited_twice(void) {
    const bupc_coll_handle_t h = bupc_team_exchange(BUPC_TEAM_ALL, a, b, 8, 0);
    bupc_coll_wait(h);
    bupc_coll_wait(h); /* HERE: waited_twice */
}
static void never_waited(void) {
    (void)bupc_team_exchange(BUPC_TEAM_ALL, a, b, 8, UPCRI_IN_NOSYNC | UPCRI_OUT_NOSYNC);
}

/* Not misuse: any root, any phase, and arguments that are the same in other words. */
static void fine(void) {
    bupc_all_broadcast(a, on(b, 1), 8, me ? 0 : UPCRI_IN_ALLSYNC | UPCRI_OUT_ALLSYNC);
    bupc_all_gather(on(a, 1), b, 8, UPCRI_IN_ALLSYNC);
    bupc_all_permute(a, b, perm(1 - (int)me), 8, 0);
    bupc_all_permute(a, b, perm((int)me), 8, 0);
}

static const struct spmd_case cases[] = {
    CASE(no_bytes),    CASE(two_ins),      CASE(no_flag),         CASE(after_notify),   CASE(broadcast_dst),
    CASE(scatter_dst), CASE(gather_src),   CASE(gather_all_src),  CASE(gather_all_dst), CASE(exchange_src),
    CASE(permute_dst), CASE(permute_perm), CASE(null_src),        CASE(beyond),         CASE(overlap),
    CASE(overlap_all), CASE(same_target),  CASE(no_target),       CASE(bytes_differ),   CASE(flags_differ),
    CASE(src_differs), CASE(calls_differ), CASE(barrier_instead), CASE(ended),          CASE(ended_mysync),
    CASE(foreign_src), CASE(no_team),      CASE(waited_twice),    CASE(never_waited),   CASE(fine),
};

static int run_chosen_case(int argc, char **argv) {
    me = upcr_mythread();
    a = spmd_alloc(4096);
    b = spmd_alloc(4096);
    return spmd_run_case(CASES(cases), argc, argv);
}

int main(int argc, char **argv) { bupc_init_reentrant(&argc, &argv, &run_chosen_case); }
