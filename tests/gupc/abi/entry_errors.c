/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entry_errors CASE: the last UPC thread makes the mistake that entry_errors.sh expects a message of, while
 * any others wait in a barrier.
 */
#include "tests/gupc/abi/entry.h"

EMIT_PROGRAM_INFO;

SHARED(int, cell, 1);
static unsigned char block[64];

/* Offsets that no segment reaches, though the address field holds them. */
static const long far_away = 0x3fffff000;

static upc_shared_ptr_t mine(void) { return emit_at(cell, MYTHREAD); }
static upc_shared_ptr_t null(void) { return gupc_null(); }
static upc_shared_ptr_t no_thread(void) { return emit_at(cell, THREADS); }
static upc_shared_ptr_t beyond(void) { return emit_at((const char *)cell + far_away, MYTHREAD); }
/* Before the section: far above it, where offsets are counted without sign. */
static upc_shared_ptr_t below(void) { return emit_at((const char *)cell - 0x100000, MYTHREAD); }
static upc_shared_ptr_t elsewhere(void) { return emit_at(cell, 0); }

static void null_get(void) { __getsi2(null()); }
static void null_gets(void) { __getsdi2(null()); }
static void null_put(void) { __putqi2(null(), 1); }
static void null_puts(void) { __putsxf2(null(), 1); }
static void null_getblk(void) { __getblk3(block, null(), 8); }
static void null_putsblk(void) { __putsblk3(null(), block, 8); }
static void null_copy_from(void) { __copyblk3(mine(), null(), 4); }
static void null_copy_to(void) { __copysblk3(null(), mine(), 4); }
static void null_split(void) { __getsi3(0, 0); }
static void null_llvm(void) { upcr_llvm_put_i64(0, 0, 1); }
static void null_get_g(void) { __getgsi3(null(), "null.upc", 17); }
static void null_put_g(void) { __putsgdf4(null(), 1, "null.upc", 18); }
static void null_copy_g(void) { __copygblk5(null(), mine(), 4, "null.upc", 19); }

static void thread_get(void) { __getsi2(no_thread()); }
static void thread_puts(void) { __putsti2(no_thread(), 1); }
static void thread_getsblk(void) { __getsblk3(block, no_thread(), 8); }
static void thread_putblk_g(void) { __putgblk5(no_thread(), block, 8, "thread.upc", 21); }
static void thread_split(void) { __putsi3(THREADS, entry_offset(cell), 1); }
static void thread_split_negative(void) { __getssi3(-1, entry_offset(cell)); }
static void thread_llvm(void) { upcr_llvm_getns(THREADS + 7, entry_offset(cell), block, 4); }
static void thread_cast(void) { __cvtaddr(no_thread()); }

static void address_get(void) { __getsi2(beyond()); }
static void address_put_below(void) { __puthi2(below(), 1); }
static void address_getblk(void) { __getblk3(block, mine(), (size_t)far_away); }
static void address_getblk_huge(void) { __getblk3(block, mine(), (size_t)-1); }
static void address_copy_g(void) { __copysgblk5(mine(), beyond(), 8, "address.upc", 31); }
static void address_split(void) { __getdf3(MYTHREAD, -8); }
static void address_llvm(void) { upcr_llvm_put_doubles(MYTHREAD, far_away, 1); }
static void address_cast(void) { __getaddr(beyond()); }

static void affinity(void) { __getaddr(elsewhere()); }
static void affinity_g(void) { __getaddrg(elsewhere(), "affinity.upc", 41); }

/* No mistake. */
static void leave(void) { __upc_barrier(1), __upc_exit(7); }
static void leave_g(void) { __upc_barrier(1), __upc_exitg(8, "exit.upc", 61); }

static void notify_twice(void) { __upc_notify(1), __upc_notify(1); }
static void wait_first(void) { __upc_wait(1); }
static void barrier_inside(void) { __upc_notify(1), __upc_barrierg(1, "barrier.upc", 51); }
static void wait_for_another(void) { __upc_notify(1), __upc_wait(2); }
static void barrier_of_another(void) { __upc_barrier(2); }

/* clang-format off */
#define CASES(X)                                                                                           \
    X(null_get) X(null_gets) X(null_put) X(null_puts) X(null_getblk) X(null_putsblk) X(null_copy_from)     \
    X(null_copy_to) X(null_split) X(null_llvm) X(null_get_g) X(null_put_g) X(null_copy_g) X(thread_get)    \
    X(thread_puts) X(thread_getsblk) X(thread_putblk_g) X(thread_split) X(thread_split_negative)           \
    X(thread_llvm) X(thread_cast) X(address_get) X(address_put_below) X(address_getblk)                    \
    X(address_getblk_huge) X(address_copy_g) X(address_split) X(address_llvm) X(address_cast) X(affinity)  \
    X(affinity_g) X(notify_twice) X(wait_first) X(barrier_inside) X(wait_for_another) X(barrier_of_another)
/* clang-format on */

/* Calls before main(), selected by ENTRY_EARLY. */
__attribute__((constructor)) static void early(void) {
    const char *const which = getenv("ENTRY_EARLY");
    if (which == NULL) return;
    if (strcmp(which, "get") == 0) __getsi2(emit_at(cell, 0));
    if (strcmp(which, "null") == 0) __getsi2(gupc_null());
    if (strcmp(which, "llvm") == 0) upcr_llvm_get_i32(0, entry_offset(cell));
    if (strcmp(which, "cast") == 0) __getaddr(emit_at(cell, 0));
    if (strcmp(which, "barrier") == 0) __upc_barrier(1);
    if (strcmp(which, "fence") == 0) __upc_fence();
    if (strcmp(which, "exit") == 0) __upc_exit(0);
}

int main(int argc, char **argv) {
    const char *const which = argc > 1 ? argv[1] : "";
    if (MYTHREAD == THREADS - 1) {
#define RUN(name) \
    if (strcmp(which, #name) == 0) return name(), fprintf(stderr, "no error in " #name "\n"), 3;
        CASES(RUN)
        if (strcmp(which, "exit") == 0) leave();
        if (strcmp(which, "exit_g") == 0) leave_g();
        fprintf(stderr, "no such case: %s\n", which);
        return 4;
    }
    __upc_barrier(1);
    return 0;
}
