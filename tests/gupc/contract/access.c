/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every access by mode, by block and of the LLVM pass: each thread puts a value of its own into its right
 * neighbour's object, between two that must not change, and all read it. Then casts and inlined accesses.
 */
#include "contract.h"

/* A different value of each type for each thread and call, with bits in every byte of integers. */
static uint64_t bits(int thread, int call) {
    return UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(thread * 100 + call + 1);
}
#define INTEGER_VALUE(M, T) \
    static T M##_value(int thread, int call) { return (T)bits(thread, call); }
#define FLOAT_VALUE(M, T) \
    static T M##_value(int thread, int call) { return (T)(thread * 100 + call) + (T)0.25; }
INTEGER_VALUE(qi, uint8_t)
INTEGER_VALUE(hi, uint16_t)
INTEGER_VALUE(si, uint32_t)
INTEGER_VALUE(di, uint64_t)
static TI ti_value(int thread, int call) { return (TI)bits(thread, call) << 64 | bits(thread, call + 50); }
FLOAT_VALUE(sf, float)
FLOAT_VALUE(df, double)
FLOAT_VALUE(tf, long double)
FLOAT_VALUE(xf, long double)

/* The right neighbour's object has `value`, by this form of get; then its owner checks it and the objects around it. */
#define PUT_GET(M, T, CELLS, NUMBER, PUT, GET)                           \
    do {                                                                 \
        const int to = neighbour(1), thread = to;                        \
        const P p = at(&CELLS[1], to, 0);                                \
        const long addr = offset_of(&CELLS[1]);                          \
        const T value = M##_value(MYTHREAD, NUMBER);                     \
        (void)p, (void)addr, (void)thread;                               \
        PUT;                                                             \
        CHECK((GET) == value);                                           \
        barrier_all();                                                   \
        CHECK(((T *)own(CELLS))[1] == M##_value(neighbour(-1), NUMBER)); \
        CHECK(((T *)own(CELLS))[0] == M##_value(MYTHREAD, 90));          \
        CHECK(((T *)own(CELLS))[2] == M##_value(MYTHREAD, 91));          \
        barrier_all();                                                   \
    } while (0)
#define GUARD(M, CELLS)                                                \
    (CELLS##_of = own(CELLS), CELLS##_of[0] = M##_value(MYTHREAD, 90), \
     CELLS##_of[2] = M##_value(MYTHREAD, 91))

#define MODE_TEST(M, T)                                                                             \
    static T M##_cells[3] SHARED;                                                                   \
    static void M##_test(void) {                                                                    \
        T *M##_cells_of;                                                                            \
        GUARD(M, M##_cells);                                                                        \
        PUT_GET(M, T, M##_cells, 1, __put##M##2(p, value), __get##M##2(p));                         \
        PUT_GET(M, T, M##_cells, 2, __puts##M##2(p, value), __gets##M##2(p));                       \
        PUT_GET(M, T, M##_cells, 3, __putg##M##4(p, value, HERE), __getg##M##3(p, HERE));           \
        PUT_GET(M, T, M##_cells, 4, __putsg##M##4(p, value, HERE), __getsg##M##3(p, HERE));         \
        PUT_GET(M, T, M##_cells, 5, __put##M##3(thread, addr, value), __get##M##3(thread, addr));   \
        PUT_GET(M, T, M##_cells, 6, __puts##M##3(thread, addr, value), __gets##M##3(thread, addr)); \
    }
MODES(MODE_TEST)

/* Objects of the LLVM pass's types, which the modes have too. */
#define LLVM_TEST(N, M, T)                                                     \
    static void N##_test(void) {                                               \
        PUT_GET(M, T, M##_cells, 7, upcr_llvm_put_##N(thread, addr, value),    \
                upcr_llvm_get_##N(thread, addr));                              \
        PUT_GET(M, T, M##_cells, 8, upcr_llvm_put_##N##s(thread, addr, value), \
                upcr_llvm_get_##N##s(thread, addr));                           \
    }
LLVM_TEST(i8, qi, uint8_t)
LLVM_TEST(i16, hi, uint16_t)
LLVM_TEST(i32, si, uint32_t)
LLVM_TEST(i64, di, uint64_t)
LLVM_TEST(i128, ti, TI)
LLVM_TEST(float, sf, float)
LLVM_TEST(double, df, double)

/* ---- blocks ---- */

enum { BYTES = 21, ROOM = 32 };
static unsigned char block[ROOM] SHARED, second[ROOM] SHARED;

static void fill(unsigned char *bytes, int thread, int call) {
    for (int i = 0; i < BYTES; ++i) bytes[i] = (unsigned char)(thread * 50 + call * 3 + i + 1);
}
/* `bytes` are a block of `thread`, and nothing follows. */
static int is(const unsigned char *bytes, int thread, int call) {
    unsigned char expected[ROOM] = {0};
    fill(expected, thread, call);
    return memcmp(bytes, expected, ROOM) == 0;
}

#define BLOCK(NUMBER, PUT, GET)                       \
    do {                                              \
        const int to = neighbour(1), thread = to;     \
        const P p = at(block, to, 0);                 \
        const long addr = offset_of(block);           \
        unsigned char src[ROOM], dst[ROOM] = {0};     \
        (void)p, (void)addr, (void)thread;            \
        memset(src, 0xff, sizeof src);                \
        fill(src, MYTHREAD, NUMBER);                  \
        PUT;                                          \
        GET;                                          \
        CHECK(is(dst, MYTHREAD, NUMBER));             \
        barrier_all();                                \
        CHECK(is(own(block), neighbour(-1), NUMBER)); \
        barrier_all();                                \
    } while (0)
/* From the left neighbour's block to the right one's. */
#define COPY(NUMBER, CALL)                                                            \
    do {                                                                              \
        const P dst = at(second, neighbour(1), 0), src = at(block, neighbour(-1), 0); \
        fill(own(block), MYTHREAD, NUMBER);                                           \
        barrier_all();                                                                \
        CALL;                                                                         \
        barrier_all();                                                                \
        CHECK(is(own(second), neighbour(-2), NUMBER));                                \
        barrier_all();                                                                \
    } while (0)

static void blocks(void) {
    BLOCK(1, __putblk3(p, src, BYTES), __getblk3(dst, p, BYTES));
    BLOCK(2, __putsblk3(p, src, BYTES), __getsblk3(dst, p, BYTES));
    BLOCK(3, __putgblk5(p, src, BYTES, HERE), __getgblk5(dst, p, BYTES, HERE));
    BLOCK(4, __putsgblk5(p, src, BYTES, HERE), __getsgblk5(dst, p, BYTES, HERE));
    BLOCK(5, __putblk4(src, thread, addr, BYTES), __getblk4(thread, addr, dst, BYTES));
    BLOCK(6, __putsblk4(src, thread, addr, BYTES), __getsblk4(thread, addr, dst, BYTES));
    BLOCK(7, upcr_llvm_putn(src, thread, addr, BYTES), upcr_llvm_getn(thread, addr, dst, BYTES));
    BLOCK(8, upcr_llvm_putns(src, thread, addr, BYTES), upcr_llvm_getns(thread, addr, dst, BYTES));
    COPY(9, __copyblk3(dst, src, BYTES));
    COPY(10, __copysblk3(dst, src, BYTES));
    COPY(11, __copygblk5(dst, src, BYTES, HERE));
    COPY(12, __copysgblk5(dst, src, BYTES, HERE));
}

/* ---- local addresses ---- */

static void casts(void) {
    const P p = at(&di_cells[2], MYTHREAD, 0);
    uint64_t *const address = __getaddr(p);
    *address = bits(MYTHREAD, 80);
    CHECK(__getdi2(p) == bits(MYTHREAD, 80));
    CHECK(__getaddr(null_pointer()) == NULL && __cvtaddr(null_pointer()) == NULL);
    CHECK(__cvtaddr(p) == address && __getaddrg(p, HERE) == address && __cvtaddrg(p, HERE) == address);
    /* The parts of inlined accesses. */
    CHECK(__upc_page1_ref == ~0UL && __upc_page2_ref == ~0UL && __upc_vm_map_addr(p) == address);
    CHECK(__upc_page1_base == NULL && __upc_page2_base == NULL);
}

int upc_main(int argc, char **argv) {
    (void)argc, (void)argv;
#define RUN(M, T) M##_test();
    MODES(RUN)
    LLVM_TYPES(RUN)
    memset(own(block), 0, sizeof block);
    memset(own(second), 0, sizeof second);
    barrier_all();
    blocks();
    casts();
    return failures;
}
