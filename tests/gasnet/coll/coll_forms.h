/* SPDX-License-Identifier: BSD-3-Clause */
/* The collectives with the declarations of existing clients, each in one of its four forms: with an address or a
 * list, blocking or not. */
#ifndef COLL_FORMS_H
#define COLL_FORMS_H
#include "../client.h"

void gasnet_coll_init(const gasnet_image_t[], gasnet_image_t, gasnet_coll_fn_entry_t[], size_t, int);
void gasnet_coll_broadcast(gasnet_team_handle_t, void *, gasnet_image_t, void *, size_t, int);
gasnet_coll_handle_t gasnet_coll_broadcast_nb(gasnet_team_handle_t, void *, gasnet_image_t, void *, size_t,
                                              int);
void gasnet_coll_broadcastM(gasnet_team_handle_t, void *const[], gasnet_image_t, void *, size_t, int);
gasnet_coll_handle_t gasnet_coll_broadcastM_nb(gasnet_team_handle_t, void *const[], gasnet_image_t, void *,
                                               size_t, int);
void gasnet_coll_scatter(gasnet_team_handle_t, void *, gasnet_image_t, void *, size_t, int);
gasnet_coll_handle_t gasnet_coll_scatter_nb(gasnet_team_handle_t, void *, gasnet_image_t, void *, size_t,
                                            int);
void gasnet_coll_scatterM(gasnet_team_handle_t, void *const[], gasnet_image_t, void *, size_t, int);
gasnet_coll_handle_t gasnet_coll_scatterM_nb(gasnet_team_handle_t, void *const[], gasnet_image_t, void *,
                                             size_t, int);
void gasnet_coll_gather(gasnet_team_handle_t, gasnet_image_t, void *, void *, size_t, int);
gasnet_coll_handle_t gasnet_coll_gather_nb(gasnet_team_handle_t, gasnet_image_t, void *, void *, size_t, int);
void gasnet_coll_gatherM(gasnet_team_handle_t, gasnet_image_t, void *, void *const[], size_t, int);
gasnet_coll_handle_t gasnet_coll_gatherM_nb(gasnet_team_handle_t, gasnet_image_t, void *, void *const[],
                                            size_t, int);
void gasnet_coll_gather_all(gasnet_team_handle_t, void *, void *, size_t, int);
gasnet_coll_handle_t gasnet_coll_gather_all_nb(gasnet_team_handle_t, void *, void *, size_t, int);
void gasnet_coll_gather_allM(gasnet_team_handle_t, void *const[], void *const[], size_t, int);
gasnet_coll_handle_t gasnet_coll_gather_allM_nb(gasnet_team_handle_t, void *const[], void *const[], size_t,
                                                int);
void gasnet_coll_exchange(gasnet_team_handle_t, void *, void *, size_t, int);
gasnet_coll_handle_t gasnet_coll_exchange_nb(gasnet_team_handle_t, void *, void *, size_t, int);
void gasnet_coll_exchangeM(gasnet_team_handle_t, void *const[], void *const[], size_t, int);
gasnet_coll_handle_t gasnet_coll_exchangeM_nb(gasnet_team_handle_t, void *const[], void *const[], size_t,
                                              int);
void gasnet_coll_reduce(gasnet_team_handle_t, gasnet_image_t, void *, void *, size_t, size_t, size_t, size_t,
                        gasnet_coll_fn_handle_t, int, int);
gasnet_coll_handle_t gasnet_coll_reduce_nb(gasnet_team_handle_t, gasnet_image_t, void *, void *, size_t,
                                           size_t, size_t, size_t, gasnet_coll_fn_handle_t, int, int);
void gasnet_coll_reduceM(gasnet_team_handle_t, gasnet_image_t, void *, void *const[], size_t, size_t, size_t,
                         size_t, gasnet_coll_fn_handle_t, int, int);
gasnet_coll_handle_t gasnet_coll_reduceM_nb(gasnet_team_handle_t, gasnet_image_t, void *, void *const[],
                                            size_t, size_t, size_t, size_t, gasnet_coll_fn_handle_t, int,
                                            int);
void gasnet_coll_wait_sync(gasnet_coll_handle_t);
int gasnet_coll_try_sync(gasnet_coll_handle_t);
void gasnet_coll_wait_sync_all(gasnet_coll_handle_t *, size_t);
int gasnet_coll_try_sync_all(gasnet_coll_handle_t *, size_t);
void gasnet_coll_wait_sync_some(gasnet_coll_handle_t *, size_t);
int gasnet_coll_try_sync_some(gasnet_coll_handle_t *, size_t);
gasnet_team_handle_t gasnet_coll_team_split(gasnet_team_handle_t, gasnet_image_t, gasnet_image_t);
void gasnet_coll_team_free(gasnet_team_handle_t);
gasnet_image_t gasnet_coll_team_size(gasnet_team_handle_t);
gasnet_image_t gasnet_coll_team_rank(gasnet_team_handle_t);
void gasnet_coll_barrier_notify(gasnet_team_handle_t, int, int);
int gasnet_coll_barrier_wait(gasnet_team_handle_t, int, int);
int gasnet_coll_barrier_try(gasnet_team_handle_t, int, int);
int gasnet_coll_barrier(gasnet_team_handle_t, int, int);

enum { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, REDUCE, OPERATIONS };
enum { FORMS = 6 }; /* plain, SINGLE list, LOCAL list; each blocking and not */

/* One image's part. `index` is its index among those of its node, `rank` its rank in the team. */
struct part {
    gasnet_team_handle_t team;
    gasnet_image_t rank, size, index, root;
    void *dst, *src;
    size_t bytes; /* of a block; of a reduction: 8 an element */
    int flags;
};

/* Starts it; blocking forms are complete on return, with GASNET_COLL_INVALID_HANDLE. */
static gasnet_coll_handle_t start(int operation, int form, const struct part *p) {
    void *dsts[256], *srcs[256];
    const int list = form / 2, nb = form % 2,
              flags = p->flags | (list == 1 ? GASNET_COLL_SINGLE : GASNET_COLL_LOCAL);
    gasnet_coll_handle_t h = GASNET_COLL_INVALID_HANDLE;
    const gasnet_image_t at = list == 1 ? p->rank : p->index;
    memset(dsts, 0, sizeof dsts),
        memset(srcs, 0, sizeof srcs); /* an image does not read the others' addresses */
    dsts[at] = p->dst, srcs[at] = p->src;
    switch (operation) {
    case BROADCAST:
        if (list) {
            if (nb)
                h = gasnet_coll_broadcastM_nb(p->team, dsts, p->root, p->src, p->bytes, flags);
            else
                gasnet_coll_broadcastM(p->team, dsts, p->root, p->src, p->bytes, flags);
        } else if (nb)
            h = gasnet_coll_broadcast_nb(p->team, p->dst, p->root, p->src, p->bytes, flags);
        else
            gasnet_coll_broadcast(p->team, p->dst, p->root, p->src, p->bytes, flags);
        break;
    case SCATTER:
        if (list) {
            if (nb)
                h = gasnet_coll_scatterM_nb(p->team, dsts, p->root, p->src, p->bytes, flags);
            else
                gasnet_coll_scatterM(p->team, dsts, p->root, p->src, p->bytes, flags);
        } else if (nb)
            h = gasnet_coll_scatter_nb(p->team, p->dst, p->root, p->src, p->bytes, flags);
        else
            gasnet_coll_scatter(p->team, p->dst, p->root, p->src, p->bytes, flags);
        break;
    case GATHER:
        if (list) {
            if (nb)
                h = gasnet_coll_gatherM_nb(p->team, p->root, p->dst, srcs, p->bytes, flags);
            else
                gasnet_coll_gatherM(p->team, p->root, p->dst, srcs, p->bytes, flags);
        } else if (nb)
            h = gasnet_coll_gather_nb(p->team, p->root, p->dst, p->src, p->bytes, flags);
        else
            gasnet_coll_gather(p->team, p->root, p->dst, p->src, p->bytes, flags);
        break;
    case GATHER_ALL:
        if (list) {
            if (nb)
                h = gasnet_coll_gather_allM_nb(p->team, dsts, srcs, p->bytes, flags);
            else
                gasnet_coll_gather_allM(p->team, dsts, srcs, p->bytes, flags);
        } else if (nb)
            h = gasnet_coll_gather_all_nb(p->team, p->dst, p->src, p->bytes, flags);
        else
            gasnet_coll_gather_all(p->team, p->dst, p->src, p->bytes, flags);
        break;
    case EXCHANGE:
        if (list) {
            if (nb)
                h = gasnet_coll_exchangeM_nb(p->team, dsts, srcs, p->bytes, flags);
            else
                gasnet_coll_exchangeM(p->team, dsts, srcs, p->bytes, flags);
        } else if (nb)
            h = gasnet_coll_exchange_nb(p->team, p->dst, p->src, p->bytes, flags);
        else
            gasnet_coll_exchange(p->team, p->dst, p->src, p->bytes, flags);
        break;
    default:
        if (list) {
            if (nb)
                h = gasnet_coll_reduceM_nb(p->team, p->root, p->dst, srcs, 0, 0, 8, p->bytes / 8, 1, 5,
                                           flags);
            else
                gasnet_coll_reduceM(p->team, p->root, p->dst, srcs, 0, 0, 8, p->bytes / 8, 1, 5, flags);
        } else if (nb)
            h = gasnet_coll_reduce_nb(p->team, p->root, p->dst, p->src, 0, 0, 8, p->bytes / 8, 1, 5, flags);
        else
            gasnet_coll_reduce(p->team, p->root, p->dst, p->src, 0, 0, 8, p->bytes / 8, 1, 5, flags);
    }
    return h;
}
#endif
