/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions and macros for the C that upc2c writes, beyond the UPC Runtime interface: reads and writes whose
 * value is used, bit-fields, the control of upc_forall, and, in upc2c_loops.h, loops that its optimiser has
 * transformed. Translated C includes this header; nothing here is for users.
 *
 * Languages: gnu99 and later (statement expressions). All but the macros is C++ too. Both layouts of
 * pointers-to-shared. UPC threads, not in an AM handler.
 *
 *   T       a type without qualifiers that can be spelled before a name, and is no array
 *   KIND    _shared or _pshared, the kind of pointer, followed by _strict for a strict access
 *   p, off  the pointer, and the byte offset that is added to it
 *
 * Macros evaluate each argument once. Completion, order, atomicity and errors are those of access.h, which
 * does the accesses: objects of 1, 2, 4 and 8 bytes are read and written at once.
 */
#pragma once
/* Of the system, only <stddef.h> and <stdint.h>: other names belong to the program. */
#ifndef UPCR_SLIM
#define UPCR_SLIM 1
#endif
#ifndef UPCRI_STARTED
#define UPCRI_STARTED 1
#endif
#include "upcr.h"

/* ---- Structures of <upc_io.h> ---- */

/* Translated text names them and does not define them; the runtime takes any structure of these members. */
struct upc_hint {
    const char *key;
    const char *value;
};
struct upc_local_memvec {
    void *baseaddr;
    size_t len;
};
struct upc_shared_memvec {
    upcr_shared_ptr_t baseaddr;
    size_t blocksize;
    size_t len;
};
struct upc_filevec {
    upc_off_t offset;
    size_t len;
};

/* ---- Values of any type ---- */

/* The value of an object of type T. */
#define UPC2C_GET(T, KIND, p, off)                            \
    __extension__({                                           \
        T upc2c_got;                                          \
        upcr_get##KIND(&upc2c_got, p, off, sizeof upc2c_got); \
        upc2c_got;                                            \
    })
/* Stores `value`, converted to T as by an assignment. Yields what was stored. */
#define UPC2C_PUT(T, KIND, p, off, value)                           \
    __extension__({                                                 \
        T upc2c_stored = (value);                                   \
        upcr_put##KIND(p, off, &upc2c_stored, sizeof upc2c_stored); \
        upc2c_stored;                                               \
    })
/* An object that is read once: its value, which `value` holds if `is_read` is not 0. `read` reads it. */
#define UPC2C_ONCE(value, is_read, read) \
    __extension__({                      \
        if (!(is_read)) {                \
            value = (read);              \
            is_read = 1;                 \
        }                                \
        value;                           \
    })

UPCRI_BEGIN_C

/*
 * `n` bytes from `off` on, at any alignment, of which no others are touched: a bit-field that is no aligned
 * word, a member of a packed structure. dest, src: private memory of n bytes. Not atomic. The compiler must
 * not know n: sizes of a word that it knows are accesses of an aligned one.
 */
UPCRI_STATIC void upc2c_get_bytes(void *dest, upcr_pshared_ptr_t p, ptrdiff_t off, size_t n) {
    __asm__("" : "+r"(n));
    upcr_get_pshared(dest, p, off, n);
}
UPCRI_STATIC void upc2c_put_bytes(upcr_pshared_ptr_t p, ptrdiff_t off, const void *src, size_t n) {
    __asm__("" : "+r"(n));
    upcr_put_pshared(p, off, src, n);
}
/* The same, strict. */
UPCRI_STATIC void upc2c_get_bytes_strict(void *dest, upcr_pshared_ptr_t p, ptrdiff_t off, size_t n) {
    __asm__("" : "+r"(n));
    upcr_get_pshared_strict(dest, p, off, n);
}
UPCRI_STATIC void upc2c_put_bytes_strict(upcr_pshared_ptr_t p, ptrdiff_t off, const void *src, size_t n) {
    __asm__("" : "+r"(n));
    upcr_put_pshared_strict(p, off, src, n);
}

/*
 * ---- Reads that are done together ----
 *
 * `n` bytes of one object: where they are if it is mapped in this process, else in `buffer` (n bytes), which one get
 * fills before this returns. They are read there by UPC2C_LOAD() and UPC2C_COPY().
 */
UPCRI_STATIC const char *upc2c_object(void *buffer, upcr_pshared_ptr_t p, ptrdiff_t off, size_t n) {
    uintptr_t address;
    UPCRI_CHECK_ACCESS("upcr_get_pshared", upcri_with_phase(p, 0), off, n, 0);
    if (upcri_find(upcri_with_phase(p, 0), off, 0, &address)) return (const char *)address;
    upcri_get_any(buffer, p, off, n);
    return (const char *)buffer;
}
/*
 * The same for several objects:
 *
 *   const char *a, *b;
 *   if (upc2c_is_far(&a, p, ...) | upc2c_is_far(&b, q, ...)) {
 *       upcr_handle_t gets[2];
 *       size_t started = 0;
 *       a = upc2c_start_get(buffer_a, p, ..., gets, &started);
 *       b = upc2c_start_get(buffer_b, q, ..., gets, &started);
 *       upc2c_finish_gets(gets, started);
 *   }
 *
 * One branch where all are mapped. The gets of those that are not are all started before the wait for them.
 */
UPCRI_STATIC int upc2c_is_far(const char **where, upcr_pshared_ptr_t p, ptrdiff_t off, size_t n) {
    uintptr_t address = 0;
    int mapped;
    UPCRI_CHECK_ACCESS("upcr_get_pshared", upcri_with_phase(p, 0), off, n, 0);
    (void)n;
    mapped = upcri_find(upcri_with_phase(p, 0), off, 0, &address);
    *where = (const char *)address;
    return !mapped;
}
UPCRI_STATIC const char *upc2c_start_get(void *buffer, upcr_pshared_ptr_t p, ptrdiff_t off, size_t n,
                                         upcr_handle_t *gets, size_t *started) {
    const char *where;
    if (!upc2c_is_far(&where, p, off, n)) return where;
    gets[(*started)++] =
        upcri_get_nb(UPCRI_NAME("upcr_get_nb_pshared"), buffer, upcri_with_phase(p, 0), off, n, UPCRI_NB_GET);
    return (const char *)buffer;
}
UPCRI_STATIC void upc2c_finish_gets(upcr_handle_t *gets, size_t started) {
    upcri_wait_nb_all(UPCRI_NAME("upcr_wait_syncnb_all"), gets, started);
}

/*
 * ---- upc_forall ----
 *
 *   { upc2c_forall_t f = upc2c_forall_enter();
 *     for (init; condition; step) if (f.all || affinity is mine) body }
 *
 * A loop with affinity in the dynamic extent of another one runs all of its iterations: `all`.
 * upcr_forall_control (forall.h), one for each UPC thread, records that; files of other translators use it
 * too. Leaving the block in any way, also by return and goto, restores it. A loop whose body calls nothing
 * that may contain a loop only asks upc2c_in_forall().
 */
int32_t UPCR_TLD_DEFINE_TENTATIVE(upcrt_forall_control, 4, 4);

typedef struct upc2c_forall {
    int32_t all; /* non-zero: every iteration is run */
} upc2c_forall_state_t;

/* Non-zero: in the dynamic extent of a upc_forall with affinity. */
UPCRI_STATIC int upc2c_in_forall(void) { return *(const int32_t *)UPCR_TLD_ADDR(upcr_forall_control) != 0; }
UPCRI_STATIC upc2c_forall_state_t upc2c_forall_enter(void) {
    int32_t *const control = (int32_t *)UPCR_TLD_ADDR(upcr_forall_control);
    upc2c_forall_state_t before;
    before.all = *control;
    *control = 1;
    return before;
}
UPCRI_STATIC void upc2c_forall_leave(upc2c_forall_state_t *before) {
    *(int32_t *)UPCR_TLD_ADDR(upcr_forall_control) = before->all;
}
#define upc2c_forall_t upc2c_forall_state_t __attribute__((cleanup(upc2c_forall_leave)))

/* Non-zero iff the calling thread is the integer affinity modulo THREADS, which is never negative. */
UPCRI_STATIC int upc2c_has_affinity(int64_t affinity) {
    int64_t rounds;
    if (upcri_rounds(0, affinity, &rounds))
        return affinity - rounds * (int64_t)UPCRI_THREADS == (int64_t)upcri_mythread_;
    affinity %= (int64_t)UPCRI_THREADS;
    return affinity + (affinity < 0 ? (int64_t)UPCRI_THREADS : 0) == (int64_t)upcri_mythread_;
}
/* The same for an unsigned 64-bit integer. */
UPCRI_STATIC int upc2c_has_affinity_unsigned(uint64_t affinity) {
    return affinity <= INT32_MAX ? upc2c_has_affinity((int64_t)affinity)
                                 : affinity % UPCRI_THREADS == (uint64_t)upcri_mythread_;
}

UPCRI_END_C

#include "upcr/upc2c_loops.h"

/* ---- Functions ---- */

/* Behind UPCR_BEGIN_FUNCTION() with --inst-functions: the exit is reported wherever the function returns. */
#if defined(UPCR_GASP_FUNCTIONS) && UPCR_GASP_FUNCTIONS
UPCRI_BEGIN_C
typedef struct upc2c_function {
    struct upcri_inst at;
    const char *name;
} upc2c_function_t;
UPCRI_STATIC void upc2c_exit_function(upc2c_function_t *function) {
    upcri_inst_function(function->at, GASP_END, function->name);
}
UPCRI_END_C
#define UPC2C_REPORT_EXIT()         \
    upc2c_function_t upc2c_function \
        __attribute__((cleanup(upc2c_exit_function), unused)) = {UPCRI_INST_HERE, __func__}
#else
#define UPC2C_REPORT_EXIT() ((void)0)
#endif
