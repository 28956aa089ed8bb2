/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A measurement tool that is linked with a compiled program is called for the g forms of accesses, barriers,
 * library calls and functions: two events a call, with position and arguments, and upcr's pointers-to-shared. Of plain forms
 * it is not called.
 */
#include <stdarg.h>

#include "gasp_upc.h"
#include "tests/gupc/abi/entry.h"
#include "upcr/sptr.h"

EMIT_PROGRAM_INFO;

SHARED(emit_di, cells, 2);
SHARED(emit_tf, wide, 1);

upc_shared_ptr_t upc_allocg(size_t, const char *, int);
upc_shared_ptr_t upc_global_allocg(size_t, size_t, const char *, int);
upc_shared_ptr_t upc_all_allocg(size_t, size_t, const char *, int);
void upc_freeg(upc_shared_ptr_t, const char *, int);
void upc_all_freeg(upc_shared_ptr_t, const char *, int);
upc_shared_ptr_t upc_global_lock_allocg(const char *, int);
upc_shared_ptr_t upc_all_lock_allocg(const char *, int);
void upc_lockg(upc_shared_ptr_t, const char *, int);
int upc_lock_attemptg(upc_shared_ptr_t, const char *, int);
void upc_unlockg(upc_shared_ptr_t, const char *, int);
void upc_lock_freeg(upc_shared_ptr_t, const char *, int);
void upc_all_lock_freeg(upc_shared_ptr_t, const char *, int);
void upc_memgetg(void *, upc_shared_ptr_t, size_t, const char *, int);
void upc_memputg(upc_shared_ptr_t, const void *, size_t, const char *, int);
void upc_memcpyg(upc_shared_ptr_t, upc_shared_ptr_t, size_t, const char *, int);
void upc_memsetg(upc_shared_ptr_t, int, size_t, const char *, int);

/* ---- The tool: of each thread the last event's pair, and how many ---- */

struct event {
    unsigned tag;
    const char *file;
    int line, first; /* first: relaxed, or named */
    long value;      /* size, or a barrier's name */
    upcr_thread_t thread;
    uint64_t offset;
    const char *name;
};
static EMIT_PER_THREAD struct event last[2]; /* start, end */
static EMIT_PER_THREAD unsigned events[2];
static EMIT_PER_THREAD upcr_shared_ptr_t made; /* of the last allocation */
static EMIT_PER_THREAD int got;                /* of the last attempt */

gasp_context_t gasp_init(gasp_model_t model, int *argc, char ***argv) {
    (void)argc, (void)argv;
    CHECK(model == GASP_MODEL_UPC);
    return (gasp_context_t)1;
}

static void note(struct event *e, const upcr_shared_ptr_t *p, size_t n) {
    e->thread = upcr_threadof_shared(*p);
    e->offset = upcr_addrfield_shared(*p) - upcri_gupc_statics;
    e->value = (long)n;
}

void gasp_event_notify(gasp_context_t context, unsigned tag, gasp_evttype_t type, const char *file, int line,
                       int column, ...) {
    struct event e = {.tag = tag, .file = file, .line = line};
    const upcr_shared_ptr_t *p;
    va_list rest;
    va_start(rest, column);
    if (tag == GASP_UPC_GET || tag == GASP_UPC_PUT) {
        e.first = va_arg(rest, int);
        if (tag == GASP_UPC_GET) CHECK(va_arg(rest, void *) != NULL);
        p = va_arg(rest, const upcr_shared_ptr_t *);
        if (tag == GASP_UPC_PUT) CHECK(va_arg(rest, const void *) != NULL);
        note(&e, p, va_arg(rest, size_t));
    } else if (tag == GASP_UPC_MEMCPY) {
        p = va_arg(rest, const upcr_shared_ptr_t *);
        CHECK(upcr_threadof_shared(*va_arg(rest, const upcr_shared_ptr_t *)) == (upcr_thread_t)MYTHREAD);
        note(&e, p, va_arg(rest, size_t));
    } else if (tag == GASP_UPC_MEMGET) {
        CHECK(va_arg(rest, void *) != NULL);
        p = va_arg(rest, const upcr_shared_ptr_t *);
        note(&e, p, va_arg(rest, size_t));
    } else if (tag == GASP_UPC_MEMPUT || tag == GASP_UPC_MEMSET) {
        p = va_arg(rest, const upcr_shared_ptr_t *);
        if (tag == GASP_UPC_MEMPUT) CHECK(va_arg(rest, const void *) != NULL);
        if (tag == GASP_UPC_MEMSET) e.first = va_arg(rest, int);
        note(&e, p, va_arg(rest, size_t));
    } else if (tag >= GASP_UPC_ALLOC && tag <= GASP_UPC_ALL_ALLOC) {
        if (tag != GASP_UPC_ALLOC) e.first = (int)va_arg(rest, size_t);
        e.value = (long)va_arg(rest, size_t);
        if (type == GASP_END) made = *va_arg(rest, const upcr_shared_ptr_t *);
    } else if (tag == GASP_UPC_GLOBAL_LOCK_ALLOC || tag == GASP_UPC_ALL_LOCK_ALLOC) {
        if (type == GASP_END) made = *va_arg(rest, const upcr_shared_ptr_t *);
    } else if (tag == GASP_UPC_FREE || (tag >= GASP_UPC_LOCK_FREE && tag <= GASP_UPC_UNLOCK)) {
        note(&e, va_arg(rest, const upcr_shared_ptr_t *), 0);
        if (tag == GASP_UPC_LOCK_ATTEMPT && type == GASP_END) got = va_arg(rest, int);
    } else if (tag == GASP_UPC_NOTIFY || tag == GASP_UPC_WAIT) {
        e.first = va_arg(rest, int);
        e.value = va_arg(rest, int);
    } else if (tag == GASP_UPC_C_FUNC) {
        e.name = va_arg(rest, const char *);
    } else {
        return; /* the end of the program */
    }
    va_end(rest);
    CHECK(context == (gasp_context_t)1 && type != GASP_ATOMIC && column == 0);
    last[type == GASP_END] = e;
    ++events[type == GASP_END];
}

/* ---- The program ---- */

/* Since the last time there have been `calls` calls, the last one with this event at its ends. */
static int recorded(unsigned calls, unsigned tag, int line, int first, long value) {
    const int same = events[0] == calls && events[1] == calls &&
                     memcmp(&last[0], &last[1], sizeof last[0]) == 0 && last[1].tag == tag &&
                     last[1].line == line && strcmp(last[1].file, "p.upc") == 0 && last[1].first == first &&
                     last[1].value == value;
    events[0] = events[1] = 0;
    return same;
}
static int about(const void *placeholder, int thread) {
    return last[1].thread == (upcr_thread_t)thread && last[1].offset == (uint64_t)entry_offset(placeholder);
}

static void accesses(int right) {
    const upc_shared_ptr_t p = emit_at(&cells[1], right), q = emit_at(wide, right),
                           mine = emit_at(cells, MYTHREAD);
    emit_di block = 5;
    __putgdi4(p, 77, "p.upc", 1);
    CHECK(recorded(1, GASP_UPC_PUT, 1, 1, 8) && about(&cells[1], right));
    CHECK(__getsgdi3(p, "p.upc", 2) == 77);
    CHECK(recorded(1, GASP_UPC_GET, 2, 0, 8) && about(&cells[1], right));
    __putsgtf4(q, 1.5L, "p.upc", 3);
    CHECK(recorded(1, GASP_UPC_PUT, 3, 0, sizeof(emit_tf)) && about(wide, right));
    CHECK(__getgtf3(q, "p.upc", 4) == 1.5L);
    CHECK(recorded(1, GASP_UPC_GET, 4, 1, sizeof(emit_tf)));
    __putgblk5(p, &block, 7, "p.upc", 5);
    CHECK(recorded(1, GASP_UPC_PUT, 5, 1, 7) && about(&cells[1], right));
    __getsgblk5(&block, p, 3, "p.upc", 6);
    CHECK(recorded(1, GASP_UPC_GET, 6, 0, 3) && block == 5);
    __copygblk5(p, mine, 8, "p.upc", 7);
    CHECK(recorded(1, GASP_UPC_MEMCPY, 7, 0, 8) && about(&cells[1], right));
    __putdi2(p, 1);
    CHECK(__getsdi2(p) == 1 && events[0] == 0 && events[1] == 0);
}

static int is(upc_shared_ptr_t p, upcr_shared_ptr_t q) {
    return !gupc_is_null(p) && gupc_thread(p) == upcr_threadof_shared(q) &&
           gupc_offset(p) + upcri_gupc_statics == upcr_addrfield_shared(q);
}
/* The last event was about p. */
static int of(upc_shared_ptr_t p) {
    return last[1].thread == gupc_thread(p) && last[1].offset == gupc_offset(p);
}

static void bulk(int right) {
    const upc_shared_ptr_t p = emit_at(&cells[1], right), mine = emit_at(cells, MYTHREAD);
    char bytes[8] = {1, 2, 3};
    upc_memputg(p, bytes, 3, "p.upc", 20);
    CHECK(recorded(1, GASP_UPC_MEMPUT, 20, 0, 3) && of(p));
    upc_memgetg(bytes, p, 2, "p.upc", 21);
    CHECK(recorded(1, GASP_UPC_MEMGET, 21, 0, 2) && of(p));
    upc_memcpyg(p, mine, 8, "p.upc", 22);
    CHECK(recorded(1, GASP_UPC_MEMCPY, 22, 0, 8) && of(p));
    upc_memsetg(p, 65, 4, "p.upc", 23);
    CHECK(recorded(1, GASP_UPC_MEMSET, 23, 65, 4) && of(p));
}

static void heap(void) {
    upc_shared_ptr_t p = upc_allocg(100, "p.upc", 30);
    CHECK(recorded(1, GASP_UPC_ALLOC, 30, 0, 100) && is(p, made));
    upc_freeg(p, "p.upc", 31);
    CHECK(recorded(1, GASP_UPC_FREE, 31, 0, 0) && of(p));
    p = upc_global_allocg(3, 40, "p.upc", 32);
    CHECK(recorded(1, GASP_UPC_GLOBAL_ALLOC, 32, 3, 40) && is(p, made));
    upc_freeg(p, "p.upc", 33);
    events[0] = events[1] = 0;
    p = upc_all_allocg(2, 50, "p.upc", 34);
    CHECK(recorded(1, GASP_UPC_ALL_ALLOC, 34, 2, 50) && is(p, made));
    upc_all_freeg(p, "p.upc", 35);
    CHECK(recorded(1, GASP_UPC_FREE, 35, 0, 0) && of(p));
}

static void locks(void) {
    upc_shared_ptr_t p = upc_global_lock_allocg("p.upc", 40);
    CHECK(recorded(1, GASP_UPC_GLOBAL_LOCK_ALLOC, 40, 0, 0) && is(p, made));
    upc_lockg(p, "p.upc", 41);
    CHECK(recorded(1, GASP_UPC_LOCK, 41, 0, 0) && of(p));
    upc_unlockg(p, "p.upc", 42);
    CHECK(recorded(1, GASP_UPC_UNLOCK, 42, 0, 0) && of(p));
    CHECK(upc_lock_attemptg(p, "p.upc", 43) == 1 && got == 1);
    CHECK(recorded(1, GASP_UPC_LOCK_ATTEMPT, 43, 0, 0) && of(p));
    upc_unlockg(p, "p.upc", 44);
    events[0] = events[1] = 0;
    upc_lock_freeg(p, "p.upc", 45);
    CHECK(recorded(1, GASP_UPC_LOCK_FREE, 45, 0, 0) && of(p));
    p = upc_all_lock_allocg("p.upc", 46);
    CHECK(recorded(1, GASP_UPC_ALL_LOCK_ALLOC, 46, 0, 0) && is(p, made));
    upc_all_lock_freeg(p, "p.upc", 47);
    CHECK(recorded(1, GASP_UPC_LOCK_FREE, 47, 0, 0) && of(p));
}

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    __upc_funcg(1, "main", "p.upc", 10);
    CHECK(events[0] == 1 && events[1] == 0 && strcmp(last[0].name, "main") == 0 &&
          last[0].tag == GASP_UPC_C_FUNC);
    __upc_funcg(0, "main", "p.upc", 10);
    CHECK(recorded(1, GASP_UPC_C_FUNC, 10, 0, 0));
    accesses(entry_thread(1));
    bulk(entry_thread(1));
    heap();
    locks();
    __upc_notifyg(9, "p.upc", 11);
    CHECK(recorded(1, GASP_UPC_NOTIFY, 11, 1, 9));
    __upc_waitg(9, "p.upc", 12);
    CHECK(recorded(1, GASP_UPC_WAIT, 12, 1, 9));
    __upc_barrierg(EMIT_ANONYMOUS, "p.upc", 13);
    CHECK(recorded(2, GASP_UPC_WAIT, 13, 0, EMIT_ANONYMOUS));
    return emit_failures;
}
