/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The collectives under UPC's names and the files under those of translated code: each is called once on little
 * data and must do its work. Their functions are tested in general under the other names.
 */
#include "tests/spmd/io/io_files.h"

enum { kEach = 64 };
static __thread upcr_shared_ptr_t dst, src; /* kEach * THREADS bytes of every thread */
static __thread upcr_thread_t me, threads;

/* Longs of a thread's part. */
static upcr_shared_ptr_t part(upcr_shared_ptr_t p, upcr_thread_t thread, size_t i) {
    return spmd_part(p, thread, 8 * i);
}
static long at(upcr_shared_ptr_t p, upcr_thread_t thread, size_t i) {
    return (long)upcr_get_shared_val(part(p, thread, i), 0, 8);
}
static void store(upcr_shared_ptr_t p, size_t i, long value) {
    upcr_put_shared_val(part(p, me, i), 0, (upcr_register_value_t)value, 8);
}

static void movement(void) {
    const int flags = UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
    const upcr_shared_ptr_t perm_memory = upcr_all_alloc(threads, sizeof(int));
    const upcr_pshared_ptr_t perm = upcr_shared_to_pshared(perm_memory);
    upcr_put_shared_val(spmd_part(perm_memory, me, 0), 0, (me + 1) % threads, sizeof(int));
    for (upcr_thread_t t = 0; t < threads; ++t) store(src, t, 100 * (long)me + t);
    upc_all_broadcast(dst, src, 8, flags);
    SPMD_EQ(at(dst, me, 0), 0);
    upc_all_scatter(dst, src, 8, flags);
    SPMD_EQ(at(dst, me, 0), me);
    upc_all_gather(dst, src, 8, flags);
    if (me == 0)
        for (upcr_thread_t t = 0; t < threads; ++t) SPMD_EQ(at(dst, 0, t), 100 * t);
    upc_all_gather_all(dst, src, 8, flags);
    for (upcr_thread_t t = 0; t < threads; ++t) SPMD_EQ(at(dst, me, t), 100 * t);
    upc_all_exchange(dst, src, 8, flags);
    for (upcr_thread_t t = 0; t < threads; ++t) SPMD_EQ(at(dst, me, t), 100 * t + me);
    upc_all_permute(dst, src, perm, 8, flags);
    SPMD_EQ(at(dst, me, 0), 100 * ((me + threads - 1) % threads));
    upcr_all_free(perm_memory);
}

/* Thread t has t + 2 in a type that holds it; the sum on thread 0, and running sums. */
#define REDUCTION(T, TYPE)                                                                               \
    static void reduction_##T(void) {                                                                    \
        TYPE value = (TYPE)(me + 2), got, sum = 0, running = 0;                                          \
        for (upcr_thread_t t = 0; t < threads; ++t) {                                                    \
            sum = (TYPE)(sum + t + 2);                                                                   \
            if (t <= me) running = sum;                                                                  \
        }                                                                                                \
        upcr_put_shared(spmd_part(src, me, 0), 0, &value, sizeof value);                                 \
        spmd_barrier();                                                                                  \
        upc_all_reduce##T(dst, src, UPC_ADD, threads, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);        \
        upcr_get_shared(&got, dst, 0, sizeof got);                                                       \
        if (got != sum) SPMD_FAIL("upc_all_reduce" #T ": %g, not %g", (double)got, (double)sum);         \
        spmd_barrier();                                                                                  \
        upc_all_prefix_reduce##T(dst, src, UPC_ADD, threads, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC); \
        upcr_get_shared(&got, spmd_part(dst, me, 0), 0, sizeof got);                                     \
        if (got != running)                                                                              \
            SPMD_FAIL("upc_all_prefix_reduce" #T ": %g, not %g", (double)got, (double)running);          \
        spmd_barrier();                                                                                  \
    }
REDUCTION(C, signed char)
REDUCTION(UC, unsigned char)
REDUCTION(S, short)
REDUCTION(US, unsigned short)
REDUCTION(I, int)
REDUCTION(UI, unsigned int)
REDUCTION(L, long)
REDUCTION(UL, unsigned long)
REDUCTION(F, float)
REDUCTION(D, double)
REDUCTION(LD, long double)

static void reductions(void) {
    reduction_C(), reduction_UC(), reduction_S(), reduction_US(), reduction_I(), reduction_UI();
    reduction_L(), reduction_UL(), reduction_F(), reduction_D(), reduction_LD();
}

/* A table of algorithms is written to a file and read back. */
static void tuning(void) {
    char name[2 * kIoTestName];
    struct stat file;
    io_test_name(name, "tuning");
    bupc_store_coll_tuning_file(BUPC_TEAM_ALL, name);
    spmd_barrier();
    SPMD_EQ(stat(name, &file), 0);
    SPMD_CHECK(file.st_size > 0);
    bupc_load_coll_tuning_file(BUPC_TEAM_ALL, name);
    io_test_remove("tuning");
}

/* ---- Files ---- */

static __thread upcr_pshared_ptr_t fd;
static __thread char mine[8], in[8];

static void rewind_all(void) { SPMD_EQ(bupc_all_fseek(fd, 8 * (upc_off_t)me, UPC_SEEK_SET), 8 * me); }
static void fill(char first) {
    for (int i = 0; i < 8; ++i) mine[i] = (char)(first + i + 3 * (int)me);
    memset(in, 0, sizeof in);
}
static void same(const char *what) {
    if (memcmp(mine, in, sizeof in) != 0) SPMD_FAIL("%s: %.8s, not %.8s", what, in, mine);
}
static void done(const char *what, int test) {
    int flag = 0;
    upc_off_t got = 0;
    if (!test) got = bupc_all_fwait_async(fd);
    while (test && !flag) got = bupc_all_ftest_async(fd, &flag);
    if (got != 8) SPMD_FAIL("%s: %lld bytes", what, (long long)got);
}

/* Each thread's eight bytes at its own offset, by every pair of calls. */
static void transfers(void) {
    const upcr_shared_ptr_t shared = spmd_part(src, me, 0), back = spmd_part(dst, me, 0);
    struct bupc_filevec_S_trans place = {8 * (upc_off_t)me, 8};
    struct bupc_local_memvec_S_trans out_local = {mine, 8}, in_local = {in, 8};
    struct bupc_shared_memvec_S_trans out_shared = {shared, 0, 8}, in_shared = {back, 0, 8};

    fill('a'), rewind_all();
    SPMD_EQ(bupc_all_fwrite_local(fd, mine, 1, 8, 0), 8);
    rewind_all();
    SPMD_EQ(bupc_all_fread_local(fd, in, 1, 8, 0), 8);
    same("local");
    fill('b'), rewind_all();
    upcr_memput(shared, mine, 8);
    SPMD_EQ(bupc_all_fwrite_shared(fd, shared, 0, 1, 8, 0), 8);
    rewind_all();
    SPMD_EQ(bupc_all_fread_shared(fd, back, 0, 1, 8, 0), 8);
    upcr_memget(in, back, 8);
    same("shared");
    fill('c');
    SPMD_EQ(bupc_all_fwrite_list_local(fd, 1, &out_local, 1, &place, 0), 8);
    SPMD_EQ(bupc_all_fread_list_local(fd, 1, &in_local, 1, &place, 0), 8);
    same("list_local");
    fill('d');
    upcr_memput(shared, mine, 8);
    SPMD_EQ(bupc_all_fwrite_list_shared(fd, 1, &out_shared, 1, &place, 0), 8);
    SPMD_EQ(bupc_all_fread_list_shared(fd, 1, &in_shared, 1, &place, 0), 8);
    upcr_memget(in, back, 8);
    same("list_shared");

    fill('e'), rewind_all();
    bupc_all_fwrite_local_async(fd, mine, 1, 8, 0);
    done("write", 0), rewind_all();
    bupc_all_fread_local_async(fd, in, 1, 8, 0);
    done("read", 1), same("local_async");
    fill('f'), rewind_all();
    upcr_memput(shared, mine, 8);
    bupc_all_fwrite_shared_async(fd, shared, 0, 1, 8, 0);
    done("write", 1), rewind_all();
    bupc_all_fread_shared_async(fd, back, 0, 1, 8, 0);
    done("read", 0);
    upcr_memget(in, back, 8);
    same("shared_async");
    fill('g');
    bupc_all_fwrite_list_local_async(fd, 1, &out_local, 1, &place, 0);
    done("write", 0);
    bupc_all_fread_list_local_async(fd, 1, &in_local, 1, &place, 0);
    done("read", 0), same("list_local_async");
    fill('h');
    upcr_memput(shared, mine, 8);
    bupc_all_fwrite_list_shared_async(fd, 1, &out_shared, 1, &place, 0);
    done("write", 0);
    bupc_all_fread_list_shared_async(fd, 1, &in_shared, 1, &place, 0);
    done("read", 1);
    upcr_memget(in, back, 8);
    same("list_shared_async");
}

static void files(void) {
    char name[2 * kIoTestName];
    io_test_name(name, "names");
    fd = bupc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    SPMD_CHECK(!upcr_isnull_pshared(fd));
    transfers();
    SPMD_EQ(bupc_all_fsync(fd), 0);
    SPMD_EQ(bupc_all_fget_size(fd), 8 * threads);
    SPMD_EQ(bupc_all_fset_size(fd, 5), 0);
    SPMD_EQ(bupc_all_fget_size(fd), 5);
    SPMD_EQ(bupc_all_fpreallocate(fd, 4096), 0);
    SPMD_EQ(bupc_all_fget_size(fd), 4096);
    SPMD_EQ(bupc_all_fcntl(fd, UPC_GET_FP, NULL), UPC_INDIVIDUAL_FP);
    SPMD_EQ(bupc_all_fclose(fd), 0);
    io_test_remove("names");
}

static void run(void) {
    me = upcr_mythread(), threads = upcr_threads();
    src = spmd_alloc(kEach * threads), dst = spmd_alloc(kEach * threads);
    movement();
    reductions();
    tuning();
    files();
}
SPMD_MAIN(run)
