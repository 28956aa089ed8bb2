/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every event of gasp_upc.h, as a tool receives it: this program is instrumented and is its own tool, which keeps
 * the last two events of a thread with their first arguments. Compiled as translated C is.
 */
#define __BERKELEY_UPC_SECOND_PREPROCESS__ 1
#define UPCR_GASP 1
#define UPCR_GASP_LOCAL 1
#define UPCR_GASP_FUNCTIONS 1
#include "tests/spmd/spmd.h"

struct seen {
    unsigned tag;
    gasp_evttype_t type;
    int line;
    uintptr_t args[8];
};
struct _gasp_context_S {
    unsigned thread;
    int count, on;
    struct seen last, before;
};
static __thread struct _gasp_context_S mine;

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) {
    if (model != GASP_MODEL_UPC || *argc < 1 || (*argv)[0] == NULL || mine.on) abort();
    mine.thread = upcr_mythread();
    mine.on = 1;
    return &mine;
}
int gasp_control(gasp_context_t c, int on) {
    c->on = on;
    return !on;
}
/* Takes more arguments than some events have: what follows them on the stack is read, and not looked at. */
__attribute__((no_sanitize("address"))) void gasp_event_notify(gasp_context_t c, unsigned int tag,
                                                               gasp_evttype_t type, const char *file,
                                                               int line, int col, ...) {
    (void)col;
    if (c != &mine || (file != NULL && strstr(file, "gasp.c") == NULL && strstr(file, "spmd.h") == NULL))
        abort();
    va_list args;
    va_start(args, col);
    c->before = c->last;
    c->last.tag = tag, c->last.type = type, c->last.line = line;
    for (int i = 0; i < 8; ++i) c->last.args[i] = va_arg(args, uintptr_t);
    va_end(args);
    ++c->count;
}

/* The statement is one span of this tag, on this line. */
#define SPAN(TAG, statement)                   \
    do {                                       \
        const int count = mine.count;          \
        statement;                             \
        SPMD_EQ(mine.count - count, 2);        \
        SPMD_EQ(mine.before.tag, TAG);         \
        SPMD_EQ(mine.last.tag, TAG);           \
        SPMD_EQ(mine.before.type, GASP_START); \
        SPMD_EQ(mine.last.type, GASP_END);     \
        SPMD_EQ(mine.before.line, __LINE__);   \
        SPMD_EQ(mine.last.line, __LINE__);     \
    } while (0)

static void a_function(void) {
    UPCR_BEGIN_FUNCTION();
    SPMD_EQ(mine.last.tag, GASP_UPC_C_FUNC);
    SPMD_EQ(mine.last.type, GASP_START);
    SPMD_EQ(strcmp((const char *)mine.last.args[0], "a_function"), 0);
    UPCR_EXIT_FUNCTION();
    SPMD_EQ(mine.last.tag, GASP_UPC_C_FUNC);
    SPMD_EQ(mine.last.type, GASP_END);
}

static void values(upcr_shared_ptr_t there) {
    upcr_handle_t h;
    upcr_valget_handle_t get;
    upcr_register_value_t value;
    SPAN(GASP_UPC_NB_PUT_INIT, h = upcr_put_nb_shared_val(there, 0, 9, 4));
    SPMD_EQ((int)mine.last.args[0], 1);
    SPMD_EQ(mine.last.args[3], 4);
    SPMD_EQ(mine.last.args[4], h);
    SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnb(h));
    SPAN(GASP_UPC_NB_GET_INIT, get = upcr_get_nb_pshared_val(upcr_shared_to_pshared(there), 0, 4));
    SPMD_EQ(mine.last.args[1], 0);
    SPMD_EQ(mine.last.args[4], get);
    SPAN(GASP_UPC_NB_SYNC, value = upcr_wait_syncnb_valget(get));
    SPMD_EQ(mine.last.args[0], get);
    SPMD_EQ(value, 9);
    SPAN(GASP_UPC_NB_PUT_INIT, h = upcr_put_nb_pshared_val_strict(upcr_shared_to_pshared(there), 0, 10, 4));
    SPMD_EQ((int)mine.last.args[0], 0);
    SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnb_strict(h));
    SPAN(GASP_UPC_NB_GET_INIT, get = upcr_get_nb_shared_val_strict(there, 0, 4));
    SPMD_EQ((int)mine.last.args[0], 0);
    SPAN(GASP_UPC_NB_SYNC, value = upcr_wait_syncnb_valget(get));
    SPMD_EQ(value, 10);
    SPAN(GASP_UPC_NB_PUT_INIT, upcr_put_nbi_shared_val(there, 0, 11, 4));
    SPMD_EQ(mine.last.args[4], 0);
    SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnbi_puts());
    SPMD_EQ(upcr_get_shared_val(there, 0, 4), 11);
}

static void arrays(upcr_shared_ptr_t there) {
    int i;
    char buf[2][8];
    upcr_handle_t h[] = {bupc_memget_async(buf[0], there, 8), bupc_memget_async(buf[1], there, 8)};
    SPAN(GASP_BUPC_NB_TRYSYNC, i = bupc_trysync_some(h, 2));
    SPMD_EQ(mine.last.args[0], 0);
    SPMD_EQ((int)mine.last.args[1], i);
    SPAN(GASP_UPC_NB_SYNC, bupc_waitsync_some(h, 2));
    SPAN(GASP_BUPC_NB_TRYSYNC, i = bupc_trysync_all(h, 2));
    SPMD_EQ((int)mine.last.args[1], i);
    SPAN(GASP_UPC_NB_SYNC, bupc_waitsync_all(h, 2));
    SPAN(GASP_BUPC_NB_TRYSYNC, i = upcr_try_syncnb_all(h, 2));
    SPMD_EQ(i, 1);
    SPMD_EQ((int)mine.last.args[1], 1);
    SPAN(GASP_BUPC_NB_TRYSYNC, i = upcr_try_syncnb_some(h, 2));
    SPMD_EQ((int)mine.last.args[1], 1);
    SPAN(GASP_BUPC_NB_TRYSYNC, i = upcr_try_syncnbi_gets());
    SPMD_EQ(i, 1);
    SPMD_EQ((int)mine.last.args[1], 1);
    SPAN(GASP_BUPC_NB_TRYSYNC, i = bupc_trysynci());
    SPMD_EQ(i, 1);
}

static void reductions(upcr_shared_ptr_t dst, upcr_shared_ptr_t src) {
#define REDUCTIONS(T, TYPE)                                                                       \
    SPAN(GASP_UPC_ALL_REDUCE, upc_all_reduce##T(dst, src, UPC_ADD, 3, 0, NULL, 0));               \
    SPMD_EQ(mine.last.args[2], UPC_ADD);                                                          \
    SPMD_EQ(mine.last.args[3], 3);                                                                \
    SPMD_EQ(mine.last.args[4], 0);                                                                \
    SPMD_EQ((int)mine.last.args[7], GASP_UPC_REDUCTION_##T);                                      \
    SPAN(GASP_UPC_ALL_REDUCE, bupc_all_reduce_all##T(dst, src, UPC_ADD, 3, 0, NULL, 0));          \
    SPAN(GASP_UPC_ALL_PREFIX_REDUCE, upc_all_prefix_reduce##T(dst, src, UPC_MAX, 4, 0, NULL, 0)); \
    SPMD_EQ(mine.last.args[2], UPC_MAX);                                                          \
    SPMD_EQ((int)mine.last.args[7], GASP_UPC_REDUCTION_##T);
    UPCRI_REDUCE_TYPES(REDUCTIONS)
}

static void run(void) {
    int i = 0;
    char buf[64] = "";
    void *v;
    upcr_handle_t h;
    upcr_shared_ptr_t p, q, lock, lock2;
    SPAN(GASP_UPC_ALL_ALLOC, p = upcr_all_alloc(upcr_threads(), 4096));
    SPMD_EQ(mine.last.args[0], upcr_threads());
    SPMD_EQ(mine.last.args[1], 4096);
    SPAN(GASP_UPC_ALLOC, q = upcr_alloc(100));
    SPMD_EQ(mine.last.args[0], 100);
    SPAN(GASP_UPC_FREE, upcr_free(q));
    SPAN(GASP_UPC_GLOBAL_ALLOC, q = upc_global_alloc(2, 8));
    SPAN(GASP_UPC_ALL_LOCK_ALLOC, lock = upc_all_lock_alloc());
    SPAN(GASP_UPC_GLOBAL_LOCK_ALLOC, lock2 = upc_global_lock_alloc());
    SPAN(GASP_UPC_LOCK, upc_lock(lock));
    SPAN(GASP_UPC_UNLOCK, upc_unlock(lock));
    SPAN(GASP_UPC_LOCK_ATTEMPT, i = upc_lock_attempt(lock2));
    SPMD_EQ((int)mine.last.args[1], 1);
    SPMD_EQ(i, 1);
    SPAN(GASP_UPC_LOCK_FREE, upc_lock_free(lock2));
    SPAN(GASP_UPC_C_MALLOC, v = upcri_traced_malloc(77));
    SPMD_EQ(mine.before.args[0], 77);
    SPMD_EQ(mine.last.args[1], v);
    SPAN(GASP_UPC_C_REALLOC, v = upcri_traced_realloc(v, 99));
    SPMD_EQ(mine.last.args[1], 99);
    SPMD_EQ(mine.last.args[2], v);
    SPAN(GASP_UPC_C_FREE, upcri_traced_free(v));
    SPAN(GASP_UPC_C_MALLOC, v = upcri_traced_calloc(7, 11));
    SPMD_EQ(mine.before.args[0], 77);
    SPMD_EQ(mine.last.args[1], v);
    free(v);

    upcr_shared_ptr_t there =
        upcri_make_shared(upcr_addrfield_shared(p), (upcr_mythread() + 1) % upcr_threads(), 0);
    upcr_shared_ptr_t far =
        upcri_make_shared(upcr_addrfield_shared(there) + 2048, upcr_threadof_shared(there), 0);
    SPAN(GASP_UPC_PUT, upcr_put_shared(there, 8, buf, 16));
    SPMD_EQ((int)mine.last.args[0], 1);
    SPMD_EQ(mine.last.args[2], buf);
    SPAN(GASP_UPC_PUT, upcr_put_pshared_val_strict(upcr_shared_to_pshared(there), 0, 5, 4));
    SPMD_EQ((int)mine.last.args[0], 0);
    SPAN(GASP_UPC_GET, i = (int)upcr_get_shared_val(there, 0, 4));
    SPMD_EQ(i, 5);
    SPMD_EQ((int)mine.last.args[0], 1);
    SPAN(GASP_UPC_GET, (void)upcr_get_shared_doubleval(there, 0));
    SPAN(GASP_UPC_GET, upcr_get_pshared_strict(buf, upcr_shared_to_pshared(there), 0, 8));
    SPAN(GASP_UPC_NB_PUT_INIT, h = upcr_put_nb_shared(there, 0, buf, 8));
    SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnb(h));
    SPAN(GASP_UPC_NB_GET_INIT, h = upcr_get_nb_shared(buf, there, 0, 8));
    SPAN(GASP_BUPC_NB_TRYSYNC, i = upcr_try_syncnb(h));
    if (!i) upcr_wait_syncnb(h);
    SPAN(GASP_UPC_MEMPUT, upc_memput(there, buf, 10));
    SPMD_EQ(mine.last.args[1], buf);
    SPMD_EQ(mine.last.args[2], 10);
    SPAN(GASP_UPC_MEMGET, upc_memget(buf, there, 11));
    SPAN(GASP_UPC_MEMCPY, upc_memcpy(far, there, 12));
    SPAN(GASP_UPC_MEMSET, upc_memset(there, 3, 13));
    SPAN(GASP_BUPC_NB_MEMGET_INIT, h = bupc_memget_async(buf, there, 8));
    SPAN(GASP_UPC_NB_SYNC, bupc_waitsync(h));
    SPAN(GASP_BUPC_NB_MEMPUT_INIT, h = upc_memput_nb(there, buf, 8));
    SPAN(GASP_UPC_NB_SYNC, upc_sync(h));
    SPAN(GASP_BUPC_NB_MEMCPY_INIT, bupc_memcpy_asynci(far, there, 8));
    SPAN(GASP_UPC_NB_SYNC, bupc_waitsynci());

    SPAN(GASP_UPC_NB_SYNC, upcr_wait_syncnbi_gets());
    values(there);
    arrays(there);

    SPAN(GASP_UPC_NOTIFY, upcr_notify(7, 0));
    SPMD_EQ((int)mine.last.args[0], 1);
    SPMD_EQ((int)mine.last.args[1], 7);
    SPAN(GASP_UPC_WAIT, upcr_wait(7, 0));
    int count = mine.count;
    upcr_barrier(0, UPCR_BARRIERFLAG_ANONYMOUS);
    SPMD_EQ(mine.count - count, 4);
    SPMD_EQ(mine.last.tag, GASP_UPC_WAIT);
    SPMD_EQ((int)mine.last.args[0], 0);
    upcr_notify(0, UPCR_BARRIERFLAG_ANONYMOUS);
    count = mine.count;
    while (!upcr_try_wait(0, UPCR_BARRIERFLAG_ANONYMOUS)) SPMD_EQ(mine.count, count);
    SPMD_EQ(mine.count - count, 2);
    SPMD_EQ(mine.before.tag, GASP_UPC_WAIT);
    SPMD_EQ(mine.last.tag, GASP_UPC_WAIT);
    q = upcr_all_alloc(upcr_threads(), 4096);
    SPAN(GASP_UPC_ALL_BROADCAST, upc_all_broadcast(q, p, 8, 0));
    SPMD_EQ(mine.last.args[2], 8);
    SPAN(GASP_UPC_ALL_SCATTER, bupc_all_scatter(q, p, 8, 0));
    SPAN(GASP_UPC_ALL_GATHER, upc_all_gather(q, p, 8, 0));
    SPAN(GASP_UPC_ALL_GATHER_ALL, upc_all_gather_all(q, p, 8, 0));
    SPAN(GASP_UPC_ALL_EXCHANGE, upc_all_exchange(q, p, 8, 0));
    static upcr_pshared_ptr_t perm = UPCR_NULL_PSHARED; /* of the process, as translators have it */
    upcr_startup_pshalloc_t info[] = {{&perm, sizeof(int), 1, 1, sizeof(int), "perm", "i"}};
    count = mine.count;
    upcr_startup_pshalloc(info, 1);
    SPMD_EQ(mine.count - count, 1);
    SPMD_EQ(mine.last.tag, GASP_BUPC_STATIC_SHARED);
    SPMD_EQ(mine.last.type, GASP_ATOMIC);
    SPMD_EQ(mine.last.args[1], sizeof(int));
    upcr_put_pshared_val(upcr_add_pshared1(perm, sizeof(int), upcr_mythread()), 0, upcr_mythread(),
                         sizeof(int));
    SPAN(GASP_UPC_ALL_PERMUTE, upc_all_permute(q, p, perm, 8, 0));
    reductions(q, p);
    a_function();

    const unsigned mark = pupc_create_event("mark", NULL);
    SPMD_CHECK(mark >= GASP_UPC_USEREVT_START && mark <= GASP_UPC_USEREVT_END);
    pupc_event_start(mark, (uintptr_t)3, (uintptr_t)4, (uintptr_t)5);
    SPMD_EQ(mine.last.tag, mark);
    SPMD_EQ(mine.last.args[1], 4);
    SPMD_EQ(mine.last.line, __LINE__ - 3);
    pupc_event_end(mark, (uintptr_t)6);
    SPMD_EQ(mine.last.type, GASP_END);
    SPMD_EQ(mine.last.args[0], 6);
    pupc_event_endg(mark, "gasp.c", 1234, 1, (uintptr_t)3);
    SPMD_EQ(mine.last.type, GASP_END);
    SPMD_EQ(mine.last.line, 1234);
    SPMD_EQ(mine.last.args[0], 3);
    SPMD_EQ(pupc_control(0), 1);
    count = mine.count;
    upc_memget(buf, there, 11);
    int evaluated = 0; /* events are expressions, on or off */
    count == 0 ? (void)0 : pupc_event_atomic(mark, ++evaluated);
    SPMD_EQ(evaluated, 1);
    SPMD_EQ(mine.count, count);
    SPMD_EQ(mine.on, 0);
    SPMD_EQ(pupc_control(1), 0);
    SPMD_EQ(mine.on, 1);
#undef UPCR_PRAGMA_PUPC
#define UPCR_PRAGMA_PUPC 0
    upc_memget(buf, there, 11);
    SPMD_EQ(mine.count, count);
}
SPMD_MAIN(run)
