/* SPDX-License-Identifier: BSD-3-Clause */
/* One mistake each, or an end, selected by the argument. See errors.py. */
#include "tests/mupc/programs/check.h"

MUPC_SHARED(data, 2 * THREADS, 8);

int main(int argc, char **argv) {
    const char *const what = argc > 1 ? argv[1] : "";
    const mupc_shared_ptr_t null = {0, 0, 0};
    mupc_shared_ptr_t p = null;
    uint64_t value = 0;
    if (strcmp(what, "early") == 0) upc_notify(1);
    _UPCRTS_init();
    const mupc_shared_ptr_t lock = upc_all_lock_alloc(), space = upc_all_alloc((size_t)THREADS, 64);
    if (strcmp(what, "notify-values") == 0) upc_notify(10 + MYTHREAD), upc_wait(10 + MYTHREAD);
    if (strcmp(what, "wait-value") == 0) upc_notify(3), upc_wait(3 + MYTHREAD);
    if (strcmp(what, "barrier-values") == 0) UPC_barrier(20 + MYTHREAD);
    if (strcmp(what, "notify-twice") == 0) upc_notify(1), upc_notify(1);
    if (strcmp(what, "end-between") == 0) {
        upc_notify(5);
        if (MYTHREAD == 1) _UPCRTS_fini();
        upc_wait(5);
    }
    if (strcmp(what, "wait-alone") == 0) upc_wait(1);
    if (MYTHREAD == THREADS - 1) {
        if (strcmp(what, "lock-uninitialised") == 0) upc_lock(lock);
        if (strcmp(what, "attempt-uninitialised") == 0) upc_lock_attempt(lock);
        if (strcmp(what, "unlock-uninitialised") == 0) upc_unlock(lock);
        if (strcmp(what, "free-new-lock") == 0) upc_free(lock);
        upc_lock_init(lock);
        if (strcmp(what, "unlock-not-held") == 0) upc_unlock(lock);
        if (strcmp(what, "lock-twice") == 0) upc_lock(lock), upc_lock(lock);
        if (strcmp(what, "lock-null") == 0) upc_lock(null);
        if (strcmp(what, "lock-of-data") == 0) upc_lock_init(space);
        if (strcmp(what, "get-null") == 0) mupc_get(&value, null, 8);
        p = space, p.th = 77;
        if (strcmp(what, "thread") == 0) mupc_put(p, &value, 8);
        p = space, p.va = UINT64_C(1) << 40;
        if (strcmp(what, "beyond") == 0) mupc_get(&value, p, 8);
        if (strcmp(what, "local") == 0) mupc_local(space);
        if (strcmp(what, "free-twice") == 0) upc_free(space), upc_free(space);
        if (strcmp(what, "free-lock") == 0) upc_free(lock);
        if (strcmp(what, "free-static") == 0) upc_free(data);
        if (strcmp(what, "free-static-part") == 0) upc_free(mupc_add(data, 1, 8, 1));
        if (strcmp(what, "exhausted") == 0) upc_local_alloc(1 << 20, 1 << 10);
        if (strcmp(what, "global-exit") == 0) printf("the last line"), upc_global_exit(7);
    }
    if (strcmp(what, "global-exit") == 0)
        for (volatile int computing = 1; computing;) continue;
    if (strcmp(what, "status") == 0 && MYTHREAD == THREADS - 1) exit(5);
    UPC_barrier(0);
    _UPCRTS_fini();
    if (strcmp(what, "late") == 0) mupc_put(space, &value, 8);
    return 0;
}
