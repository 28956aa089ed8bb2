/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pointers-to-shared put together by hand, in the order and with the widths that the program was linked for
 * (-DPHASE_BITS, -DTHREAD_BITS, -DADDRESS_BITS in the packed form): accesses find the object, and what the
 * library returns reads the same way.
 */
#include "tests/gupc/abi/entry.h"

EMIT_PROGRAM_INFO;

SHARED(long, cells, 4);

upc_shared_ptr_t upc_global_alloc(size_t blocks, size_t bytes);

#ifdef __UPC_PTS_STRUCT_REP__
#if __UPC_VADDR_FIRST__
struct fields {
    uint64_t address;
    uint32_t thread, phase;
};
#else
struct fields {
    uint32_t phase, thread;
    uint64_t address;
};
#endif
static upc_shared_ptr_t by_hand(const void *placeholder, unsigned thread, unsigned phase) {
    const struct fields f = {.address = (uintptr_t)placeholder, .thread = thread, .phase = phase};
    upc_shared_ptr_t p;
    memcpy(&p, &f, sizeof p);
    return p;
}
static unsigned thread_by_hand(upc_shared_ptr_t p) {
    struct fields f;
    memcpy(&f, &p, sizeof p);
    return f.thread;
}
_Static_assert(sizeof(struct fields) == sizeof(upc_shared_ptr_t), "two words");
#else
static upc_shared_ptr_t by_hand(const void *placeholder, unsigned thread, unsigned phase) {
    const uint64_t offset = (uint64_t)((const char *)placeholder - __upc_shared_start), t = thread, f = phase;
#if __UPC_VADDR_FIRST__
    return offset << (THREAD_BITS + PHASE_BITS) | t << PHASE_BITS | f;
#else
    return f << (THREAD_BITS + ADDRESS_BITS) | t << ADDRESS_BITS | offset;
#endif
}
static unsigned thread_by_hand(upc_shared_ptr_t p) {
    return (unsigned)(p >> (__UPC_VADDR_FIRST__ ? PHASE_BITS : ADDRESS_BITS) & ((1u << THREAD_BITS) - 1));
}
#endif

int main(int argc, char **argv) {
    const unsigned right = (unsigned)entry_thread(1), phase = 3;
    upc_shared_ptr_t heap;
    (void)argc, (void)argv;
    /* The phase is not part of the address. */
    __putdi2(by_hand(&cells[1], right, phase), 1000 + right);
    __putssi2(by_hand(&cells[2], right, 0), 7);
    __upc_barrier(1);
    CHECK(*(long *)__getaddr(by_hand(&cells[1], (unsigned)MYTHREAD, 0)) == 1000 + MYTHREAD);
    CHECK(__getdi2(by_hand(&cells[1], right, phase)) == 1000 + right);
    CHECK(__getssi2(by_hand(&cells[2], (unsigned)MYTHREAD, phase)) == 7);
    CHECK(emit_equal(by_hand(&cells[3], right, phase),
                     gupc_make((uint64_t)entry_offset(&cells[3]), right, phase)));
    heap = upc_global_alloc((size_t)THREADS, 64);
    CHECK(!gupc_is_null(heap) && thread_by_hand(heap) == 0 && gupc_phase(heap) == 0);
    __putdi2(heap, 99);
    CHECK(__getdi2(heap) == 99);
    __upc_barrier(2);
    return emit_failures;
}
