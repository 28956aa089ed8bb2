/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One function for each form of a relaxed access with a size known to the compiler. count.sh compiles this
 * file as a program is and counts instructions: at most 8 with the return in a function named p_ (phaseless
 * pointer), 10 in one named s_ (phased pointer), and no call; further down the names have numbers. Never run.
 */
#include <upcr.h>

typedef upcr_pshared_ptr_t P;
typedef upcr_shared_ptr_t S;
typedef upcr_register_value_t V;

/* Registers. */
void p_put_val(P p, ptrdiff_t o, V v) { upcr_put_pshared_val(p, o, v, 8); }
V p_get_val(P p, ptrdiff_t o) { return upcr_get_pshared_val(p, o, 8); }
void s_put_val(S p, ptrdiff_t o, V v) { upcr_put_shared_val(p, o, v, 8); }
V s_get_val(S p, ptrdiff_t o) { return upcr_get_shared_val(p, o, 8); }
void p_put_val0(P p, V v) { upcr_put_pshared_val(p, 0, v, 8); }
V p_get_val0(P p) { return upcr_get_pshared_val(p, 0, 8); }
void s_put_val0(S p, V v) { upcr_put_shared_val(p, 0, v, 8); }
V s_get_val0(S p) { return upcr_get_shared_val(p, 0, 8); }
void p_put_double(P p, ptrdiff_t o, double v) { upcr_put_pshared_doubleval(p, o, v); }
double p_get_double(P p, ptrdiff_t o) { return upcr_get_pshared_doubleval(p, o); }
void s_put_double(S p, ptrdiff_t o, double v) { upcr_put_shared_doubleval(p, o, v); }
double s_get_double(S p, ptrdiff_t o) { return upcr_get_shared_doubleval(p, o); }

/* A variable, as in translated C: passing its address must not make it live in memory. */
void p_put_variable(P p, ptrdiff_t o, long v) { upcr_put_pshared(p, o, &v, sizeof v); }
long p_get_variable(P p, ptrdiff_t o) {
    long v;
    upcr_get_pshared(&v, p, o, sizeof v);
    return v;
}
void s_put_variable(S p, ptrdiff_t o, long v) { upcr_put_shared(p, o, &v, sizeof v); }
long s_get_variable(S p, ptrdiff_t o) {
    long v;
    upcr_get_shared(&v, p, o, sizeof v);
    return v;
}
void p_put_typed(P p, ptrdiff_t o, long v) { upcr_put_pshared_type(p, o, v, long); }
long p_get_typed(P p, ptrdiff_t o) {
    long v;
    upcr_get_pshared_type(v, p, o, long);
    return v;
}
void s_put_typed(S p, ptrdiff_t o, long v) { upcr_put_shared_type(p, o, v, long); }
long s_get_typed(S p, ptrdiff_t o) {
    long v;
    upcr_get_shared_type(v, p, o, long);
    return v;
}

/* Any private memory. */
void p_put_memory(P p, ptrdiff_t o, const long *v) { upcr_put_pshared(p, o, v, sizeof *v); }
void p_get_memory(long *v, P p, ptrdiff_t o) { upcr_get_pshared(v, p, o, sizeof *v); }
void s_put_memory(S p, ptrdiff_t o, const long *v) { upcr_put_shared(p, o, v, sizeof *v); }
void s_get_memory(long *v, S p, ptrdiff_t o) { upcr_get_shared(v, p, o, sizeof *v); }
void s_memput(S p, const long *v) { upcr_memput(p, v, sizeof *v); }
void s_memget(long *v, S p) { upcr_memget(v, p, sizeof *v); }

/* The other sizes that are atomic. */
void p_put_val4(P p, ptrdiff_t o, V v) { upcr_put_pshared_val(p, o, v, 4); }
V p_get_val4(P p, ptrdiff_t o) { return upcr_get_pshared_val(p, o, 4); }
void s_put_val2(S p, ptrdiff_t o, V v) { upcr_put_shared_val(p, o, v, 2); }
V s_get_val2(S p, ptrdiff_t o) { return upcr_get_shared_val(p, o, 2); }
void p_put_val1(P p, ptrdiff_t o, V v) { upcr_put_pshared_val(p, o, v, 1); }
V p_get_val1(P p, ptrdiff_t o) { return upcr_get_pshared_val(p, o, 1); }

/*
 * Loops of accesses: l with the number of instructions that one iteration may have. The variables that decide
 * whether memory is mapped here is in registers, so a turn reads no upcri_reach.
 */
#define EACH for (size_t i = 0; i < n; ++i)
#define AT(i) ((ptrdiff_t)((i)*8))
void l8_put(P p, size_t n) { EACH upcr_put_pshared_val(p, AT(i), i, 8); }
void l8_put_nbi(P p, size_t n) { EACH upcr_put_nbi_pshared_val(p, AT(i), i, 8); }
V l9_get(P p, size_t n) {
    V sum = 0;
    EACH sum += upcr_get_pshared_val(p, AT(i), 8);
    return sum;
}
void l14_copy(P p, P q, size_t n) {
    EACH upcr_put_pshared_val(p, AT(i), upcr_get_pshared_val(q, AT(i), 8), 8);
}
void l11_put_phased(S p, size_t n) { EACH upcr_put_shared_val(p, AT(i), i, 8); }
void l12_put_typed(S p, const double *x, size_t n) { EACH upcr_put_shared_type(p, AT(i), x[i], double); }

/* Sizes that are not known: b with the number of instructions; nothing is called but memcpy. */
void b20_memput(S p, const void *v, size_t n) { upcr_memput(p, v, n); }
void b20_memget(void *v, S p, size_t n) { upcr_memget(v, p, n); }
void b20_put_memory(P p, ptrdiff_t o, const void *v, size_t n) { upcr_put_pshared(p, o, v, n); }

/* Several members of one object: the limits are read once. */
V x13_members(P p) { return upcr_get_pshared_val(p, 0, 8) + upcr_get_pshared_val(p, 8, 8); }
void x17_set_members(S p, V v) {
    upcr_put_shared_val(p, 0, v, 8);
    upcr_put_shared_val(p, 8, v, 8);
    upcr_put_shared_val(p, 16, v, 4);
}

/* Pointers and atomics: x with the number of instructions, on all paths in .text. */
P x24_add1(P p, ptrdiff_t i) { return upcr_add_pshared1(p, 8, i); }
P x16_next1(P p) { return upcr_add_pshared1(p, 8, 1); }
S x31_next(S p) { return upcr_add_shared(p, 8, 1, 16); }
V x22_fetch_add(S p, V v) { return bupc_atomicU64_fetchadd_relaxed(p, v); }
