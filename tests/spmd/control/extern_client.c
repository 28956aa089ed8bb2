/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C that uses UPC by bupc_extern.h alone. With an argument: makes the call of that name, which must fail.
 * test_extern.py runs it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bupc_extern.h"

#define CHECK(cond) ((cond) ? (void)0 : (fprintf(stderr, "FAILED, line %d: %s\n", __LINE__, #cond), abort()))

static char *parts[256]; /* of a process's threads */

static void allocate(int me, int threads) {
    char *own = bupc_extern_alloc(100), *all, *one, *mine;
    int local, first, t;
    CHECK(own != NULL && bupc_extern_threadof(own) == me && bupc_extern_threadof(own + 99) == me);
    memset(own, me, 100);
    CHECK(bupc_extern_alloc(0) == NULL);
    CHECK(bupc_extern_threadof(NULL) == -1 && bupc_extern_threadof(&local) == -1);

    all = bupc_extern_all_alloc((size_t)threads * 2, 64);
    CHECK(all != NULL && bupc_extern_threadof(all) == me);
    memset(all, me + 1, 128);
    bupc_extern_barrier(11);
    for (t = 0; t < 128; ++t) CHECK(all[t] == (char)(me + 1));
    bupc_extern_process_thread_layout(&local, &first);
    CHECK(local >= 1 && me >= first && me < first + local);
    bupc_extern_process_thread_layout(NULL, NULL);
    parts[me - first] = all;
    bupc_extern_barrier(12);
    for (t = 0; t < local; ++t) /* threads of a process can access each other's memory */
        CHECK(parts[t][0] == (char)(first + t + 1) && bupc_extern_threadof(parts[t]) == first + t);
    bupc_extern_barrier(13);

    one = bupc_extern_all_alloc(1, 64); /* one block: thread 0 has it */
    CHECK((one != NULL) == (me == 0));
    bupc_extern_all_free(one, -1);
    bupc_extern_all_free(all, me);
    bupc_extern_free(own, -1);
    mine = bupc_extern_alloc(10);
    bupc_extern_free(mine, me);
    bupc_extern_free(NULL, 3);
    bupc_extern_all_free(NULL, -1);
}

static int fail(const char *how, int me) {
    static int here;
    void *own = bupc_extern_alloc(8);
    if (strcmp(how, "mismatch") == 0) bupc_extern_barrier(me);
    if (me != 0) /* the others wait for the end of the job, so that thread 0's is the only message */
        bupc_extern_barrier(0);
    if (strcmp(how, "free_unknown") == 0) bupc_extern_free(&here, -1);
    if (strcmp(how, "free_wrong_thread") == 0) bupc_extern_free(own, 1);
    return 1;
}

static int program(int argc, char **argv) {
    const int me = bupc_extern_mythread(), threads = bupc_extern_threads();
    if (argc > 1) return fail(argv[1], me);
    CHECK(me >= 0 && me < threads);
    CHECK(bupc_extern_getenv("PATH") != NULL && bupc_extern_getenv("NO_SUCH_VARIABLE") == NULL);
    bupc_extern_notify(10);
    bupc_extern_wait(10);
    allocate(me, threads);
    bupc_extern_barrier(14);
    if (me == 0) printf("extern works\n");
    return 0;
}

static void config_info(void) {
    const char *upcr = NULL, *gasnet = NULL, *version = NULL;
    int major = 0, minor = 0, debug = -1, pthreads = -1;
    size_t page = 0;
    bupc_extern_config_info(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    bupc_extern_config_info(&upcr, &gasnet, &version, &major, &minor, &debug, &pthreads, &page);
    CHECK(strstr(upcr, "SHAREDPTRREP=") != NULL && strstr(gasnet, "CONDUIT=") != NULL);
    CHECK(strlen(version) > 0 && major == 3 && minor >= 12);
    CHECK(debug == EXPECT_DEBUG && pthreads == 1 && page == 4096);
}

int main(int argc, char **argv) {
    config_info();
    if (argc > 1 && strcmp(argv[1], "too_early") == 0) return bupc_extern_mythread();
    if (argc > 1 && strcmp(argv[1], "too_early_threads") == 0) return bupc_extern_threads();
    bupc_init_reentrant(&argc, &argv, program);
    return 2;
}
