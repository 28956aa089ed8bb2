/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every symbol of libupc that objects of GCC-UPC and Clang-UPC refer to, with its prototype, as these compilers and
 * their headers have it. Written from the description of their object code, and not from upcr: nothing of upcr is
 * included, here or in the programs. names.sh counts the symbols and sees that the programs refer to each.
 *
 * STRUCT_FORM: pointers-to-shared are structs, address first; otherwise one word of 34, 10 and 20 bits.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef STRUCT_FORM
typedef struct {
    uint64_t vaddr; /* counts from __upc_shared_start's address on */
    uint32_t thread, phase;
} P;
#else
typedef uint64_t P; /* vaddr from __upc_shared_start on << 30 | thread << 20 | phase */
#endif

/* ---- variables ---- */
extern char __upc_shared_start[], __upc_shared_end[];
extern void (*__upc_init_array_start[])(void);
extern void (*__upc_init_array_end[])(void);
extern char __upc_pgm_info_start[], __upc_pgm_info_end[];
extern const int THREADS, MYTHREAD;
extern int __upc_forall_depth;
extern int __upc_fence_var;
extern unsigned long __upc_page1_ref, __upc_page2_ref;
extern void *__upc_page1_base, *__upc_page2_base;

/* ---- accesses, by mode ---- */
typedef unsigned int TI __attribute__((mode(TI)));
/* clang-format off */
#define MODES(X)                                                                                         \
    X(qi, uint8_t) X(hi, uint16_t) X(si, uint32_t) X(di, uint64_t) X(ti, TI) X(sf, float) X(df, double)  \
    X(tf, long double) X(xf, long double)
/* clang-format on */
#define DECLARE_MODE(M, T)                                \
    T __get##M##2(P);                                     \
    T __gets##M##2(P);                                    \
    T __getg##M##3(P, const char *file, int line);        \
    T __getsg##M##3(P, const char *file, int line);       \
    void __put##M##2(P, T);                               \
    void __puts##M##2(P, T);                              \
    void __putg##M##4(P, T, const char *file, int line);  \
    void __putsg##M##4(P, T, const char *file, int line); \
    T __get##M##3(long thread, long addr);                \
    T __gets##M##3(long thread, long addr);               \
    void __put##M##3(long thread, long addr, T);          \
    void __puts##M##3(long thread, long addr, T);
MODES(DECLARE_MODE)
void __getblk3(void *dst, P, size_t);
void __getsblk3(void *dst, P, size_t);
void __getgblk5(void *dst, P, size_t, const char *file, int line);
void __getsgblk5(void *dst, P, size_t, const char *file, int line);
void __putblk3(P, void *src, size_t);
void __putsblk3(P, void *src, size_t);
void __putgblk5(P, void *src, size_t, const char *file, int line);
void __putsgblk5(P, void *src, size_t, const char *file, int line);
void __copyblk3(P dst, P src, size_t);
void __copysblk3(P dst, P src, size_t);
void __copygblk5(P dst, P src, size_t, const char *file, int line);
void __copysgblk5(P dst, P src, size_t, const char *file, int line);
void __getblk4(long thread, long addr, void *dst, size_t n);
void __getsblk4(long thread, long addr, void *dst, size_t n);
void __putblk4(const void *src, long thread, long addr, size_t n);
void __putsblk4(const void *src, long thread, long addr, size_t n);

/* ---- accesses of the LLVM pass ---- */
#define LLVM_TYPES(X) \
    X(i8, uint8_t)    \
    X(i16, uint16_t) X(i32, uint32_t) X(i64, uint64_t) X(i128, TI) X(float, float) X(double, double)
#define DECLARE_LLVM(N, T)                          \
    T upcr_llvm_get_##N(long thread, long addr);    \
    T upcr_llvm_get_##N##s(long thread, long addr); \
    void upcr_llvm_put_##N(long, long, T);          \
    void upcr_llvm_put_##N##s(long, long, T);
LLVM_TYPES(DECLARE_LLVM)
void upcr_llvm_getn(long thread, long addr, void *dst, size_t n);
void upcr_llvm_getns(long thread, long addr, void *dst, size_t n);
void upcr_llvm_putn(const void *src, long thread, long addr, size_t n);
void upcr_llvm_putns(const void *src, long thread, long addr, size_t n);

/* ---- casts, inlined accesses ---- */
void *__getaddr(P);
void *__cvtaddr(P);
void *__getaddrg(P, const char *file, int line);
void *__cvtaddrg(P, const char *file, int line);
void *__upc_vm_map_addr(P);
void __upc_fatal(const char *message) __attribute__((noreturn));

/* ---- synchronisation, helpers ---- */
void __upc_notify(int id);
void __upc_wait(int id);
void __upc_barrier(int id);
void __upc_fence(void);
void __upc_notifyg(int id, const char *file, int line);
void __upc_waitg(int id, const char *file, int line);
void __upc_barrierg(int id, const char *file, int line);
void __upc_fenceg(const char *file, int line);
int __upc_rand(void);
void __upc_srand(unsigned int seed);
void __upc_exit(int status) __attribute__((noreturn));
void __upc_exitg(int status, const char *file, int line) __attribute__((noreturn));
void __upc_funcg(int start, const char *function, const char *file, int line);
void __upc_forallg(int start, const char *file, int line);
int __upc_start(int argc, char **argv);

/* ---- upc.h ---- */
void upc_global_exit(int status) __attribute__((noreturn));
P upc_global_alloc(size_t nblocks, size_t nbytes);
P upc_all_alloc(size_t nblocks, size_t nbytes);
P upc_alloc(size_t nbytes);
void upc_free(P);
void upc_all_free(P);
size_t upc_threadof(P);
size_t upc_phaseof(P);
size_t upc_addrfield(P);
P upc_resetphase(P);
size_t upc_affinitysize(size_t total, size_t nbytes, size_t thread);
P upc_global_lock_alloc(void);
P upc_all_lock_alloc(void);
P upc_lock_alloc(void); /* the older name */
void upc_lock_free(P);
void upc_all_lock_free(P);
void upc_lock(P);
int upc_lock_attempt(P);
void upc_unlock(P);
void upc_memcpy(P dst, P src, size_t n);
void upc_memget(void *dst, P src, size_t n);
void upc_memput(P dst, const void *src, size_t n);
void upc_memset(P dst, int c, size_t n);

/* ---- the same, instrumented ---- */
void upc_global_exitg(int status, const char *file, int line) __attribute__((noreturn));
P upc_global_allocg(size_t nblocks, size_t nbytes, const char *file, int line);
P upc_all_allocg(size_t nblocks, size_t nbytes, const char *file, int line);
P upc_allocg(size_t nbytes, const char *file, int line);
void upc_freeg(P, const char *file, int line);
void upc_all_freeg(P, const char *file, int line);
size_t upc_threadofg(P, const char *file, int line);
size_t upc_phaseofg(P, const char *file, int line);
size_t upc_addrfieldg(P, const char *file, int line);
P upc_resetphaseg(P, const char *file, int line);
size_t upc_affinitysizeg(size_t total, size_t nbytes, size_t thread, const char *file, int line);
size_t upc_affinity(size_t total, size_t nbytes, size_t thread, const char *file,
                    int line); /* so in the header */
P upc_global_lock_allocg(const char *file, int line);
P upc_all_lock_allocg(const char *file, int line);
void upc_lock_freeg(P, const char *file, int line);
void upc_all_lock_freeg(P, const char *file, int line);
void upc_lockg(P, const char *file, int line);
int upc_lock_attemptg(P, const char *file, int line);
void upc_unlockg(P, const char *file, int line);
void upc_memcpyg(P dst, P src, size_t n, const char *file, int line);
void upc_memgetg(void *dst, P src, size_t n, const char *file, int line);
void upc_memputg(P dst, const void *src, size_t n, const char *file, int line);
void upc_memsetg(P dst, int c, size_t n, const char *file, int line);

/* ---- upc_collective.h ---- */
typedef int upc_flag_t;
typedef unsigned long upc_op_t;
void upc_all_broadcast(P dst, P src, size_t n, upc_flag_t);
void upc_all_scatter(P dst, P src, size_t n, upc_flag_t);
void upc_all_gather(P dst, P src, size_t n, upc_flag_t);
void upc_all_gather_all(P dst, P src, size_t n, upc_flag_t);
void upc_all_exchange(P dst, P src, size_t n, upc_flag_t);
void upc_all_permute(P dst, P src, P perm, size_t n, upc_flag_t);
/* clang-format off */
#define REDUCED_TYPES(X)                                                                                        \
    X(C, signed char) X(UC, unsigned char) X(S, short) X(US, unsigned short) X(I, int) X(UI, unsigned int)      \
    X(L, long) X(UL, unsigned long) X(F, float) X(D, double) X(LD, long double)
/* clang-format on */
#define DECLARE_REDUCE(N, T)                                                                               \
    void upc_all_reduce##N(P dst, P src, upc_op_t, size_t nelems, size_t blk_size, T (*func)(T, T),        \
                           upc_flag_t);                                                                    \
    void upc_all_prefix_reduce##N(P dst, P src, upc_op_t, size_t nelems, size_t blk_size, T (*func)(T, T), \
                                  upc_flag_t);
REDUCED_TYPES(DECLARE_REDUCE)
void upc_all_sort(P array, size_t elem_size, size_t nelems, size_t blk_size, int (*func)(P, P), upc_flag_t);
void upc_coll_init(void);
void upc_coll_err(P dst, P src, P perm, size_t n, upc_flag_t, size_t blk_size, size_t nelems, upc_op_t,
                  upc_flag_t);

/* ---- upc_atomic.h, upc_castable.h, upc_tick.h, upc_nb.h ---- */
P upc_all_atomicdomain_alloc(int type, upc_op_t ops, int hints);
void upc_all_atomicdomain_free(P domain);
void upc_atomic_strict(P domain, void *fetch, upc_op_t, P target, const void *operand1, const void *operand2);
void upc_atomic_relaxed(P domain, void *fetch, upc_op_t, P target, const void *operand1,
                        const void *operand2);
int upc_atomic_isfast(int type, upc_op_t ops, P target);
typedef struct {
    int guaranteedCastable, probablyCastable;
} upc_thread_info_t;
void *upc_cast(P);
upc_thread_info_t upc_thread_info(size_t thread);
uint64_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(uint64_t ticks);
typedef unsigned long upc_handle_t;
upc_handle_t upc_memcpy_nb(P dst, P src, size_t n);
upc_handle_t upc_memget_nb(void *dst, P src, size_t n);
upc_handle_t upc_memput_nb(P dst, const void *src, size_t n);
upc_handle_t upc_memset_nb(P dst, int c, size_t n);
void upc_memcpy_nbi(P dst, P src, size_t n);
void upc_memget_nbi(void *dst, P src, size_t n);
void upc_memput_nbi(P dst, const void *src, size_t n);
void upc_memset_nbi(P dst, int c, size_t n);
void upc_sync(upc_handle_t);
int upc_sync_attempt(upc_handle_t);
void upc_synci(void);
int upc_synci_attempt(void);

/* ---- pupc.h ---- */
int pupc_control(int on);
unsigned int pupc_create_event(const char *name, const char *description);
void pupc_event_start(unsigned int event, ...);
void pupc_event_end(unsigned int event, ...);
void pupc_event_atomic(unsigned int event, ...);
void pupc_event_startg(unsigned int event, const char *file, int line, ...);
void pupc_event_endg(unsigned int event, const char *file, int line, ...);
void pupc_event_atomicg(unsigned int event, const char *file, int line, ...);
