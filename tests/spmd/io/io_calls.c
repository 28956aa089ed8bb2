/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls of UPC-IO apart from the data that they move (io.c tests that): flags, errors on every thread, hints,
 * positions beyond 4 GiB, synchronisation, atomicity, asynchrony, names. Each case removes its files.
 */
#include "tests/spmd/io/io_files.h"

#define FAILS(call, error)              \
    do {                                \
        errno = 0;                      \
        SPMD_EQ((long long)(call), -1); \
        SPMD_EQ(errno, error);          \
    } while (0)

static upcr_pshared_ptr_t open_good(const char *name, int flags) {
    const upcr_pshared_ptr_t fd = upc_all_fopen(name, flags, 0, NULL);
    if (upcr_isnull_pshared(fd)) SPMD_FAIL("cannot open %s: %s", name, strerror(errno));
    return fd;
}
static void open_fails(const char *name, int flags, int error) {
    errno = 0;
    if (!upcr_isnull_pshared(upc_all_fopen(name, flags, 0, NULL)))
        SPMD_FAIL("flags %#x open %s", flags, name);
    SPMD_EQ(errno, error);
}

static void flags_and_errors(void) {
    char name[2 * kIoTestName], buf[8] = "";
    int flag = 1;
    io_test_name(name, "flags");
    const int rw = UPC_RDWR | UPC_INDIVIDUAL_FP;
    open_fails(name, rw, ENOENT);
    open_fails(name, UPC_RDONLY | UPC_COMMON_FP, ENOENT);
    open_fails(name, 0, EINVAL);
    open_fails(name, UPC_RDWR, EINVAL);
    open_fails(name, UPC_INDIVIDUAL_FP, EINVAL);
    open_fails(name, rw | UPC_RDONLY, EINVAL);
    open_fails(name, rw | UPC_COMMON_FP, EINVAL);
    open_fails(name, rw | UPC_EXCL, EINVAL);
    open_fails(name, UPC_RDONLY | UPC_INDIVIDUAL_FP | UPC_TRUNC, EINVAL);
    open_fails(name, rw | 2048, EINVAL);
    open_fails(NULL, rw, EINVAL);
    open_fails("/", UPC_RDONLY | UPC_INDIVIDUAL_FP, EISDIR);
    open_fails("/nowhere/at/all", rw | UPC_CREATE, ENOENT);

    upcr_pshared_ptr_t fd = open_good(name, rw | UPC_CREATE | UPC_EXCL);
    SPMD_EQ(upcr_threadof_pshared(fd), 0);
    open_fails(name, rw | UPC_CREATE | UPC_EXCL, EEXIST);
    if (upcr_mythread() == 0) buf[0] = 'x';
    SPMD_EQ(upc_all_fwrite_local(fd, buf, 1, upcr_mythread() == 0, 0), upcr_mythread() == 0);
    FAILS(upc_all_fseek(fd, -1, UPC_SEEK_SET), EINVAL);
    FAILS(upc_all_fseek(fd, 1, 3), EINVAL);
    FAILS(upc_all_fset_size(fd, -1), EINVAL);
    FAILS(upc_all_fpreallocate(fd, -1), EINVAL);
    FAILS(upc_all_fcntl(fd, 4096, NULL), EINVAL);
    FAILS(upc_all_fwait_async(fd), EINVAL);
    FAILS(upc_all_ftest_async(fd, &flag), EINVAL);
    SPMD_EQ(flag, 0);
    FAILS(upc_all_fread_local(fd, buf, SIZE_MAX / 2, 3, 0), EINVAL);
    FAILS(upc_all_fread_local(fd, buf, 1, 1, UPC_IN_ALLSYNC | UPC_IN_NOSYNC), EINVAL);
    FAILS(upc_all_fread_local(fd, NULL, 1, 1, 0), EFAULT);
    SPMD_EQ(upc_all_fclose(fd), 0);
    FAILS(upc_all_fclose(fd), EBADF);
    FAILS(upc_all_fread_local(fd, buf, 1, 1, 0), EBADF);
    FAILS(upc_all_fget_size(upcr_null_pshared), EBADF);

    fd = open_good(name, UPC_RDONLY | UPC_INDIVIDUAL_FP);
    FAILS(upc_all_fwrite_local(fd, buf, 1, 1, 0), EBADF);
    FAILS(upc_all_fset_size(fd, 0), EBADF);
    SPMD_EQ(upc_all_fsync(fd), 0);
    SPMD_EQ(upc_all_fget_size(fd), 1);
    SPMD_EQ(upc_all_fclose(fd), 0);
    fd = open_good(name, UPC_WRONLY | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE);
    FAILS(upc_all_fread_shared(fd, upcr_null_shared, 0, 1, 1, 0), EBADF);
    FAILS(upc_all_fwrite_local(fd, buf, 1, 1, 0), EINVAL);
    SPMD_EQ(upc_all_fwrite_shared(fd, upcr_null_shared, 0, 0, 1, 0), 0);
    SPMD_EQ(upc_all_fclose(fd), 0);
    open_fails(name, rw, ENOENT);
    io_test_remove("flags");
}

/* An error of one thread in a call that is not collective is reported to that thread only. */
static void errors_of_one(void) {
    char name[2 * kIoTestName], buf[16] = "0123456789abcde";
    io_test_name(name, "one");
    const upcr_pshared_ptr_t fd = open_good(name, UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE);
    const int last = upcr_mythread() + 1 == upcr_threads();
    struct bupc_local_memvec_S_trans mem = {buf, 16};
    struct bupc_filevec_S_trans file = {(upc_off_t)upcr_mythread() * 16, last ? 15 : 16};
    SPMD_EQ(upc_all_fwrite_list_local(fd, 1, &mem, 1, &file, 0), last ? -1 : 16);
    if (last) SPMD_EQ(errno, EINVAL); /* a call that succeeds may change errno, as in C */
    SPMD_EQ(upc_all_fget_size(fd), (upcr_threads() - 1) * 16);
    file.offset = -1;
    FAILS(upc_all_fwrite_list_local(fd, 1, &mem, 1, &file, 0), EINVAL);
    SPMD_EQ(upc_all_fwrite_list_local(fd, 0, NULL, 0, NULL, 0), 0);
    SPMD_EQ(upc_all_fclose(fd), 0);
    io_test_remove("one");
}

static void names_and_hints(void) {
    char name[2 * kIoTestName];
    io_test_name(name, "hints");
    char value[] = "0600";
    struct bupc_hint_S_trans hints[] = {{"file_perm", value}, {"striping_unit", "4"}},
                             more = {"color", "red"};
    const upcr_pshared_ptr_t fd = upc_all_fopen(name, UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 2, hints);
    SPMD_CHECK(!upcr_isnull_pshared(fd));
    struct stat about;
    SPMD_EQ(stat(name, &about), 0);
    SPMD_EQ(about.st_mode & 0777, 0600);
    value[0] = 'x'; /* kept as they were */
    const struct bupc_hint_S_trans *list = NULL;
    SPMD_EQ(upc_all_fcntl(fd, UPC_GET_HINTS, &list), 2);
    SPMD_EQ(strcmp(list[0].value, "0600"), 0);
    SPMD_EQ(upc_all_fcntl(fd, UPC_SET_HINT, &more), 0);
    more = (struct bupc_hint_S_trans){"striping_unit", "16"};
    SPMD_EQ(upc_all_fcntl(fd, UPC_SET_HINT, &more), 0);
    SPMD_EQ(upc_all_fcntl(fd, UPC_GET_HINTS, &list), 3);
    SPMD_EQ(strcmp(list[1].value, "16") | strcmp(list[2].key, "color"), 0);
    const char *got = NULL;
    SPMD_EQ(upc_all_fcntl(fd, UPC_GET_FN, &got), 0);
    SPMD_EQ(strcmp(got, name), 0);
    SPMD_EQ(upc_all_fclose(fd), 0);
    FAILS(upcr_isnull_pshared(upc_all_fopen(name, UPC_RDWR | UPC_COMMON_FP, 1, NULL)) ? -1 : 0, EINVAL);
    io_test_remove("hints");
}

/* Positions that do not fit in 32 bits, and a hole. */
static void far_away(void) {
    char name[2 * kIoTestName], buf[100];
    io_test_name(name, "far");
    const upcr_pshared_ptr_t fd = open_good(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP);
    const upc_off_t at = ((upc_off_t)5 << 32) + 100 * upcr_mythread();
    memset(buf, 'a' + (int)upcr_mythread(), sizeof buf);
    SPMD_EQ(upc_all_fseek(fd, at, UPC_SEEK_SET), at);
    SPMD_EQ(upc_all_fwrite_local(fd, buf, 10, 10, 0), 100);
    SPMD_EQ(upc_all_fget_size(fd), ((upc_off_t)5 << 32) + 100 * upcr_threads());
    SPMD_EQ(upc_all_fseek(fd, -100 * (upc_off_t)(upcr_mythread() + 1), UPC_SEEK_END),
            ((upc_off_t)5 << 32) + 100 * (upcr_threads() - 1 - upcr_mythread()));
    SPMD_EQ(upc_all_fread_local(fd, buf, 1, 100, 0), 100);
    for (int i = 0; i < 100; ++i) SPMD_EQ(buf[i], 'a' + (int)(upcr_threads() - 1 - upcr_mythread()));
    SPMD_EQ(upc_all_fseek(fd, (upc_off_t)1 << 32, UPC_SEEK_SET), (upc_off_t)1 << 32);
    SPMD_EQ(upc_all_fread_local(fd, buf, 1, 100, 0), 100);
    for (int i = 0; i < 100; ++i) SPMD_EQ(buf[i], 0);
    SPMD_EQ(upc_all_fseek(fd, INT64_MAX - 10, UPC_SEEK_SET), INT64_MAX - 10);
    FAILS(upc_all_fread_local(fd, buf, 1, 100, 0), EFBIG);
    FAILS(upc_all_fseek(fd, 100, UPC_SEEK_CUR), EOVERFLOW);
    SPMD_EQ(upc_all_fset_size(fd, 0), 0);
    SPMD_EQ(upc_all_fclose(fd), 0);
    io_test_remove("far");
}

/* ALLSYNC at entry: other threads' stores before their calls are written; at exit: all data has arrived. */
static void synchronises(void) {
    char name[2 * kIoTestName];
    io_test_name(name, "sync");
    enum { kBytes = 256 };
    const upcr_shared_ptr_t p = spmd_alloc(kBytes), q = spmd_alloc(kBytes);
    const upcr_pshared_ptr_t fd = open_good(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP);
    const upcr_thread_t me = upcr_mythread(), next = (me + 1) % upcr_threads();
    unsigned char *const mine = (unsigned char *)upcr_shared_to_local(spmd_part(p, me, 0));
    unsigned char *const back = (unsigned char *)upcr_shared_to_local(spmd_part(q, me, 0));
    for (int round = 0; round < (int)spmd_effort(30); ++round) {
        static const int both[] = {0, UPC_IN_MYSYNC | UPC_OUT_MYSYNC};
        if ((me + (unsigned)round) % 3 == 0) usleep(300);
        memset(mine, round * 7 + (int)me, kBytes);
        /* Each thread writes its neighbour's part, and reads into its neighbour's. */
        SPMD_EQ(upc_all_fseek(fd, (upc_off_t)next * kBytes, UPC_SEEK_SET), next * kBytes);
        SPMD_EQ(upc_all_fwrite_shared(fd, spmd_part(p, next, 0), 0, kBytes, 1, both[round % 2]), kBytes);
        memset(mine, 0xee, kBytes); /* all threads have read it */
        SPMD_EQ(upc_all_fseek(fd, (upc_off_t)next * kBytes, UPC_SEEK_SET), next * kBytes);
        SPMD_EQ(upc_all_fread_shared(fd, spmd_part(q, next, 0), 0, 1, kBytes, both[round % 2]), kBytes);
        for (int i = 0; i < kBytes; ++i) SPMD_EQ(back[i], (unsigned char)(round * 7 + (int)me));
        spmd_barrier();
    }
    SPMD_EQ(upc_all_fclose(fd), 0);
    io_test_remove("sync");
}

/* Strong semantics: all write the same bytes of the file from both ends of a list; the result is one thread's alone. */
static void atomic_lists(void) {
    char name[2 * kIoTestName];
    io_test_name(name, "atomic");
    enum { kPieces = 40, kBytes = 64, kGap = 5000 };
    const upcr_pshared_ptr_t fd = open_good(name, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP | UPC_STRONG_CA);
    char out[kPieces * kBytes], in[kPieces * kBytes];
    struct bupc_local_memvec_S_trans from = {out, sizeof out}, to = {in, sizeof in};
    struct bupc_filevec_S_trans file[kPieces];
    for (int i = 0; i < kPieces; ++i) {
        const int place = upcr_mythread() % 2 ? i : kPieces - 1 - i;
        file[i] = (struct bupc_filevec_S_trans){place * kGap, kBytes};
    }
    for (int round = 0; round < (int)spmd_effort(40); ++round) {
        memset(out, round + (int)upcr_mythread(), sizeof out);
        SPMD_EQ(upc_all_fwrite_list_local(fd, 1, &from, kPieces, file, UPC_IN_NOSYNC | UPC_OUT_NOSYNC),
                sizeof out);
        SPMD_EQ(upc_all_fread_list_local(fd, 1, &to, kPieces, file, UPC_IN_NOSYNC | UPC_OUT_NOSYNC),
                sizeof in);
        for (size_t i = 1; i < sizeof in; ++i) SPMD_EQ(in[i], in[0]);
    }
    SPMD_EQ(upc_all_fclose(fd), 0);
    io_test_remove("atomic");
}

/* The calls that are legal while an operation is outstanding, several files at once, and a close that fails. */
static void outstanding(void) {
    char name[2][2 * kIoTestName];
    enum { kBytes = 1 << 18 };
    char *const buf = (char *)malloc(2 * kBytes);
    upcr_pshared_ptr_t fd[2];
    for (int k = 0; k < 2; ++k) {
        io_test_name(name[k], k ? "second" : "first");
        fd[k] = open_good(name[k], UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP);
        SPMD_EQ(upc_all_fseek(fd[k], (upc_off_t)upcr_mythread() * kBytes, UPC_SEEK_SET),
                upcr_mythread() * kBytes);
        memset(buf + k * kBytes, '0' + k, kBytes);
        upc_all_fwrite_local_async(fd[k], buf + k * kBytes, 1, kBytes, 0);
    }
    SPMD_EQ(upc_all_fcntl(fd[0], UPC_ASYNC_OUTSTANDING, NULL), 1);
    SPMD_EQ(upc_all_fcntl(fd[0], UPC_GET_FP, NULL), UPC_INDIVIDUAL_FP);
    FAILS(upc_all_fwrite_local(fd[0], buf, 1, 1, 0), EBUSY);
    FAILS(upc_all_fwrite_local(fd[0], buf, 1, 1, UPC_ASYNC), EBUSY);
    FAILS(upc_all_fseek(fd[0], 0, UPC_SEEK_SET), EBUSY);
    FAILS(upc_all_fsync(fd[0]), EBUSY);
    FAILS(upc_all_fget_size(fd[0]), EBUSY);
    FAILS(upc_all_fset_size(fd[0], 1), EBUSY);
    FAILS(upc_all_fcntl(fd[0], UPC_SET_COMMON_FP, NULL), EBUSY);
    FAILS(upc_all_fclose(fd[1]), EBUSY);
    SPMD_EQ(upc_all_fwait_async(fd[1]), kBytes);
    SPMD_EQ(upc_all_fclose(fd[1]), 0);
    SPMD_EQ(upc_all_fwait_async(fd[0]), kBytes);
    SPMD_EQ(upc_all_fseek(fd[0], 0, UPC_SEEK_CUR), (upcr_mythread() + 1) * (upc_off_t)kBytes);
#if !UPCR_DEBUG /* which requires that all threads start and complete it */
    /* Outstanding on one thread alone: the others cannot close the file either. */
    if (upcr_mythread() == 0) upc_all_fread_local_async(fd[0], buf, 1, 1, UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
    FAILS(upc_all_fclose(fd[0]), EBUSY);
    if (upcr_mythread() == 0) SPMD_EQ(upc_all_fwait_async(fd[0]), upcr_threads() > 1); /* or the file's end */
#endif
    /* An error appears when the operation is completed, not before. */
    upc_all_fread_local_async(fd[0], buf, SIZE_MAX, 2, 0);
    FAILS(upc_all_fwait_async(fd[0]), EINVAL);
    FAILS(upc_all_fwait_async(fd[0]), EINVAL);
    SPMD_EQ(upc_all_fread_local(fd[0], buf, SIZE_MAX, 2, UPC_ASYNC), 0);
    FAILS(upc_all_fwait_async(fd[0]), EINVAL);
    SPMD_EQ(upc_all_fclose(fd[0]), 0);
    for (int k = 0; k < 2; ++k) {
        fd[k] = open_good(name[k], UPC_RDONLY | UPC_INDIVIDUAL_FP | UPC_DELETE_ON_CLOSE);
        SPMD_EQ(upc_all_fget_size(fd[k]), upcr_threads() * (upc_off_t)kBytes);
        SPMD_EQ(upc_all_fread_local(fd[k], buf, kBytes, 1, 0), kBytes);
        SPMD_EQ(buf[0] + buf[kBytes - 1], 2 * ('0' + k));
        SPMD_EQ(upc_all_fclose(fd[k]), 0);
    }
    free(buf);
    io_test_remove("first");
}

static void run(void) {
    flags_and_errors();
    errors_of_one();
    names_and_hints();
    far_away();
    synchronises();
    atomic_lists();
    outstanding();
}
SPMD_MAIN(run)
