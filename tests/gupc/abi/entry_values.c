/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every mode of __get, __put, the split and the upcr_llvm_ forms: each thread stores in its right neighbour's
 * object, between two that must not change, and reads from all threads' objects.
 */
#include "tests/gupc/abi/entry.h"

EMIT_PROGRAM_INFO;

/* Three objects of each mode: the middle one is stored to. */
#define CELLS(m, T) SHARED(T, m##_cells, 3);
EMIT_MODES(CELLS)

/* A different value for each thread and form, with bits in every byte; exact as a number of any type. */
static uint64_t seed(int thread, int form) {
    return 0x9e3779b97f4a7c15u * (uint64_t)(thread * 64 + form + 1);
}
#define INTEGER(m, T)                                                        \
    static T m##_value(int thread, int form) {                               \
        return (T)(seed(thread, form) | (uint64_t)1 << (8 * sizeof(T) - 1)); \
    }
INTEGER(qi, emit_qi)
INTEGER(hi, emit_hi)
INTEGER(si, emit_si)
INTEGER(di, emit_di)
#define FLOATING(m, T) \
    static T m##_value(int thread, int form) { return -(T)(seed(thread, form) >> 41) / 8; }
FLOATING(sf, emit_sf)
FLOATING(df, emit_df)
FLOATING(tf, emit_tf)
FLOATING(xf, emit_xf)
static emit_ti ti_value(int thread, int form) {
    return (emit_ti)seed(thread, form) << 64 | seed(thread, form + 1000);
}

static EMIT_PER_THREAD unsigned turn;

enum { PLAIN, STRICT, PLAIN_G, STRICT_G, SPLIT, SPLIT_STRICT, FORMS };

#define MODE_PUT_GET(m, T)                                                         \
    static void m##_put(int form, int thread, T value) {                           \
        const upc_shared_ptr_t p = emit_at(&m##_cells[1], thread);                 \
        const long offset = entry_offset(&m##_cells[1]);                           \
        switch (form) {                                                            \
        case PLAIN: __put##m##2(p, value); break;                                  \
        case STRICT: __puts##m##2(p, value); break;                                \
        case PLAIN_G: __putg##m##4(p, value, __FILE__, __LINE__); break;           \
        case STRICT_G: __putsg##m##4(p, value, __FILE__, __LINE__); break;         \
        case SPLIT: __put##m##3(thread, offset, value); break;                     \
        default: __puts##m##3(thread, offset, value); break;                       \
        }                                                                          \
    }                                                                              \
    static T m##_get(int form, int thread, int index) {                            \
        const upc_shared_ptr_t p = emit_at(&m##_cells[index], thread);             \
        const long offset = entry_offset(&m##_cells[index]);                       \
        switch (form) {                                                            \
        case PLAIN: return __get##m##2(p);                                         \
        case STRICT: return __gets##m##2(p);                                       \
        case PLAIN_G: return __getg##m##3(p, __FILE__, __LINE__);                  \
        case STRICT_G: return __getsg##m##3(p, __FILE__, __LINE__);                \
        case SPLIT: return __get##m##3(thread, offset);                            \
        default: return __gets##m##3(thread, offset);                              \
        }                                                                          \
    }                                                                              \
    static void m##_test(void) {                                                   \
        T *const mine = __getaddr(emit_at(&m##_cells[0], MYTHREAD));               \
        mine[0] = mine[2] = m##_value(MYTHREAD, 60);                               \
        for (int form = 0; form < FORMS; ++form) {                                 \
            if (!entry_due(&turn)) continue;                                       \
            m##_put(form, entry_thread(1), m##_value(MYTHREAD, form));             \
            /* One's own store is seen at once, by relaxed accesses too. */        \
            CHECK(m##_get(form, entry_thread(1), 1) == m##_value(MYTHREAD, form)); \
            __upc_barrier(form);                                                   \
            CHECK(mine[1] == m##_value(entry_thread(-1), form));                   \
            for (int t = 0; t < THREADS; ++t) {                                    \
                const int left = (t - 1 + THREADS) % THREADS;                      \
                CHECK(m##_get(form, t, 1) == m##_value(left, form));               \
                CHECK(m##_get(form, t, 0) == m##_value(t, 60));                    \
                CHECK(m##_get(form, t, 2) == m##_value(t, 60));                    \
            }                                                                      \
            __upc_barrier(EMIT_ANONYMOUS);                                         \
        }                                                                          \
    }
EMIT_MODES(MODE_PUT_GET)

#define LLVM_TEST(name, m, T)                                                         \
    static void name##_llvm(void) {                                                   \
        const long offset = entry_offset(&m##_cells[1]);                              \
        const int to = entry_thread(1), from = entry_thread(-1);                      \
        T *const mine = __getaddr(emit_at(&m##_cells[1], MYTHREAD));                  \
        upcr_llvm_put_##name(to, offset, m##_value(MYTHREAD, 20));                    \
        CHECK(upcr_llvm_get_##name(to, offset) == m##_value(MYTHREAD, 20));           \
        __upc_barrierg(1, __FILE__, __LINE__);                                        \
        CHECK(*mine == m##_value(from, 20));                                          \
        __upc_barrier(2);                                                             \
        upcr_llvm_put_##name##s(to, offset, m##_value(MYTHREAD, 21));                 \
        CHECK(upcr_llvm_get_##name##s(to, offset) == m##_value(MYTHREAD, 21));        \
        __upc_notifyg(3, __FILE__, __LINE__);                                         \
        __upc_waitg(3, __FILE__, __LINE__);                                           \
        CHECK(*mine == m##_value(from, 21));                                          \
        CHECK(upcr_llvm_get_##name(from, offset) == m##_value(entry_thread(-2), 21)); \
        __upc_barrier(4);                                                             \
    }
ENTRY_LLVM(LLVM_TEST)

int main(int argc, char **argv) {
    (void)argc, (void)argv;
#define RUN(m, T) m##_test();
    EMIT_MODES(RUN)
#define RUN_LLVM(name, m, T) name##_llvm();
    ENTRY_LLVM(RUN_LLVM)
    return emit_failures;
}
