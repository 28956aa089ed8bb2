/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Thread 0 waits for variables of its own by relaxed reads only, or by loops that read through a local
 * pointer and do something of UPC besides, while everything between processes is messages: it must serve the one
 * that brings the value, or it waits for ever. Two threads.
 */
#include <sched.h>
#include <unistd.h>

#include "tests/gupc/abi/entry.h"

void upc_memget(void *, upc_shared_ptr_t, size_t);
void upc_memcpy(upc_shared_ptr_t, upc_shared_ptr_t, size_t);
upc_shared_ptr_t upc_global_lock_alloc(void);
void upc_lock(upc_shared_ptr_t);
int upc_lock_attempt(upc_shared_ptr_t);
void upc_unlock(upc_shared_ptr_t);
upc_shared_ptr_t upc_alloc(size_t);
void upc_free(upc_shared_ptr_t);

EMIT_PROGRAM_INFO;

/* clang-format off */
#define METHODS(X) \
    X(value) X(wide) X(instrumented) X(split) X(block) X(memget) X(copied) X(memcopied) X(fences) X(locks) X(attempts) \
    X(objects)
/* clang-format on */
enum method {
#define ENUM(method) k_##method,
    METHODS(ENUM) kMethods
};
SHARED(emit_ti, flags, kMethods);
SHARED(emit_di, copies, 1);

static upc_shared_ptr_t flag(enum method w) { return emit_at(&flags[w], 0); }

static emit_di value(void) { return __getdi2(flag(k_value)); }
static emit_di wide(void) { return (emit_di)__getti2(flag(k_wide)); }
static emit_di instrumented(void) { return __getgdi3(flag(k_instrumented), __FILE__, __LINE__); }
static emit_di split(void) { return __getdi3(0, entry_offset(&flags[k_split])); }
static emit_di block(void) {
    emit_di got;
    __getblk3(&got, flag(k_block), sizeof got);
    return got;
}
static emit_di memget(void) {
    emit_di got;
    upc_memget(&got, flag(k_memget), sizeof got);
    return got;
}
static emit_di copied(void) {
    __copyblk3(emit_at(copies, 0), flag(k_copied), sizeof *copies);
    return *(volatile emit_di *)__getaddr(emit_at(copies, 0));
}
static emit_di memcopied(void) {
    upc_memcpy(emit_at(copies, 0), flag(k_memcopied), sizeof *copies);
    return *(volatile emit_di *)__getaddr(emit_at(copies, 0));
}
static emit_di read_flag(enum method w) { return *(volatile emit_di *)__getaddr(flag(w)); }
static emit_di fences(void) { return __upc_fence(), read_flag(k_fences); }
static upc_shared_ptr_t lock; /* thread 0's */
static emit_di locks(void) {
    upc_lock(lock);
    const emit_di got = read_flag(k_locks);
    upc_unlock(lock);
    return got;
}
static emit_di attempts(void) {
    if (upc_lock_attempt(lock)) upc_unlock(lock);
    return read_flag(k_attempts);
}
static emit_di objects(void) { return upc_free(upc_alloc(8)), read_flag(k_objects); }

int main(int argc, char **argv) {
    (void)argc, (void)argv;
    static emit_di (*const get[kMethods])(void) = {
#define GET(method) method,
        METHODS(GET)};
    if (MYTHREAD == 0) lock = upc_global_lock_alloc();
    for (int w = 0; w < kMethods; ++w) {
        __upc_barrier(EMIT_ANONYMOUS);
        if (MYTHREAD == 0) {
            while (get[w]() == 0) {
            }
        } else if (MYTHREAD == 1) {
            usleep(20000); /* thread 0 is in its loop by then, or serves the message elsewhere */
            __putsdi2(flag((enum method)w), 1);
        }
    }
    __upc_barrier(EMIT_ANONYMOUS);
    return emit_failures;
}
