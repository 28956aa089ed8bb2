/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The errors that UPC-IO reports with a message, and files that are open at the end: io_misuse.sh runs
 * each case by name, in a directory of its own.
 */
#include "tests/spmd/cases.h"
#include "tests/spmd/spmd.h"

static __thread upcr_pshared_ptr_t fd, other;
static __thread upcr_shared_ptr_t area;
static char abc[] = "abc";
static int me(void) { return (int)upcr_mythread(); }

static void fine(void) { upc_all_fclose(fd), upc_all_fclose(other); }
static void flags_differ(void) {
    upc_all_fopen("third", UPC_RDWR | UPC_COMMON_FP | (me() ? UPC_TRUNC : 0), 0, NULL);
}
static void files_differ(void) { upc_all_fsync(me() ? fd : other); }
static void calls_differ(void) {
    if (me())
        upc_all_fsync(fd);
    else
        upc_all_fget_size(fd);
}
static void nmemb_differs(void) { upc_all_fread_shared(other, area, 4, 8, 5 + (size_t)me(), 0); }
static void sync_differs(void) { upc_all_fread_local(fd, NULL, 1, 0, me() ? UPC_IN_NOSYNC : 0); }
static void size_differs(void) { upc_all_fset_size(fd, 5 + me()); }
static void seek_differs(void) { upc_all_fseek(other, 5 + me(), UPC_SEEK_SET); }
static void beyond(void) { upc_all_fwrite_shared(fd, area, 0, 1, (size_t)1 << 40, 0); }
static void null_buffer(void) { upc_all_fwrite_shared(fd, upcr_null_shared, 0, 1, 8, 0); }
static void phase(void) {
    upc_all_fwrite_shared(fd, upcri_make_shared(upcr_addrfield_shared(area) + 64, 0, 5), 4, 1, 8, 0);
}
static void second(void) {
    upc_all_fwrite_local_async(fd, abc, 1, 3, 0);
    upc_all_fread_local_async(fd, NULL, 1, 0, 0);
}
static void async_bad_handle(void) { upc_all_fwrite_local_async(upcr_null_pshared, abc, 1, 3, 0); }
static void in_barrier(void) {
    upcr_notify(1, 0);
    upc_all_fsync(fd);
}
static void left_open(void) {
    upc_all_fseek(fd, 3 * me(), UPC_SEEK_SET);
    upc_all_fwrite_local_async(fd, abc, 1, 3, UPC_IN_NOSYNC);
    upc_all_fopen("gone", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP | UPC_DELETE_ON_CLOSE, 0, NULL);
}

static const struct spmd_case cases[] = {
    CASE(fine),         CASE(flags_differ), CASE(files_differ),     CASE(calls_differ), CASE(nmemb_differs),
    CASE(sync_differs), CASE(size_differs), CASE(seek_differs),     CASE(beyond),       CASE(null_buffer),
    CASE(phase),        CASE(second),       CASE(async_bad_handle), CASE(in_barrier),   CASE(left_open),
};

static int run_chosen_case(int argc, char **argv) {
    area = upcr_all_alloc(upcr_threads(), 4096);
    fd = upc_all_fopen("one", UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);
    other = upc_all_fopen("two", UPC_RDWR | UPC_CREATE | UPC_COMMON_FP, 0, NULL);
    return spmd_run_case(CASES(cases), argc, argv);
}

int main(int argc, char **argv) { bupc_init_reentrant(&argc, &argv, &run_chosen_case); }
