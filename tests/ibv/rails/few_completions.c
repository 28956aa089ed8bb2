/* SPDX-License-Identifier: BSD-3-Clause */
/* For LD_PRELOAD: a device that has two completion queues for a process, and lets none of them grow. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { kQueues = 2 };
static atomic_int queues;

static void *of_libibverbs(const char *name) {
    /* The library of the conduit, which is not in the program's own scope. */
    void *const library = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_LOCAL);
    void *const function = library != NULL ? dlsym(library, name) : NULL;
    if (function == NULL) abort();
    return function;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int entries, void *cq_context,
                             struct ibv_comp_channel *channel, int vector) {
    struct ibv_cq *(*create)(struct ibv_context *, int, void *, struct ibv_comp_channel *, int) =
        (struct ibv_cq * (*)(struct ibv_context *, int, void *, struct ibv_comp_channel *, int))
            of_libibverbs("ibv_create_cq");
    if (++queues > kQueues) {
        --queues;
        errno = ENOMEM;
        return NULL;
    }
    struct ibv_cq *const made = create(context, entries, cq_context, channel, vector);
    if (made == NULL) --queues;
    return made;
}

int ibv_destroy_cq(struct ibv_cq *queue) {
    int (*destroy)(struct ibv_cq *) = (int (*)(struct ibv_cq *))of_libibverbs("ibv_destroy_cq");
    const int error = destroy(queue);
    if (error == 0) --queues;
    return error;
}

int ibv_resize_cq(struct ibv_cq *queue, int entries) {
    (void)queue;
    (void)entries;
    return ENOSYS;
}
