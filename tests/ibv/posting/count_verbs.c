/* SPDX-License-Identifier: BSD-3-Clause */
/* For LD_PRELOAD: counts the work requests that are posted to devices, and completions. */
#define _GNU_SOURCE
#include "count_verbs.h"

#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_ulong calls, requests, signalled, completions;
static int (*post_send)(struct ibv_qp *, struct ibv_send_wr *, struct ibv_send_wr **);
static int (*poll_cq)(struct ibv_cq *, int, struct ibv_wc *);

static int counting_post_send(struct ibv_qp *qp, struct ibv_send_wr *first, struct ibv_send_wr **bad) {
    ++calls;
    for (const struct ibv_send_wr *r = first; r != NULL; r = r->next) {
        ++requests;
        if ((r->send_flags & IBV_SEND_SIGNALED) != 0) ++signalled;
    }
    return post_send(qp, first, bad);
}

static int counting_poll_cq(struct ibv_cq *cq, int most, struct ibv_wc *found) {
    const int n = poll_cq(cq, most, found);
    for (int i = 0; i < n; ++i)
        if ((found[i].opcode & IBV_WC_RECV) == 0) ++completions;
    return n;
}

/* All devices of a guest have one driver. */
struct ibv_context *ibv_open_device(struct ibv_device *device) {
    /* The library of the conduit, which is not in the program's own scope. */
    void *const library = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) abort();
    struct ibv_context *(*open)(struct ibv_device *) =
        (struct ibv_context * (*)(struct ibv_device *)) dlsym(library, "ibv_open_device");
    if (open == NULL) abort();
    struct ibv_context *const context = open(device);
    if (context == NULL) return NULL;
    if (post_send != NULL && post_send != context->ops.post_send) abort();
    post_send = context->ops.post_send;
    poll_cq = context->ops.poll_cq;
    context->ops.post_send = counting_post_send;
    context->ops.poll_cq = counting_poll_cq;
    return context;
}

struct verbs_counts verbs_counts(void) {
    const struct verbs_counts now = {calls, requests, signalled, completions};
    return now;
}
