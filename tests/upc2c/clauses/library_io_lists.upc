/* SPDX-License-Identifier: BSD-3-Clause */
/* 7.4: hints, and lists of private memory, of shared memory and of places in a file. */
#include "check.h"
#include <string.h>
#include <unistd.h>
#include <upc_io.h>
#define N 6
shared [N] int again[N * THREADS];
shared [] char name[64];
static struct upc_filevec halves[2];

int main(void) {
    struct upc_hint hint = {"striping_unit", "65536"};
    struct upc_shared_memvec block;
    int mine[N], got[N];
    struct upc_local_memvec parts[2] = {{mine, 2 * sizeof(int)}, {.len = (N - 2) * sizeof(int), .baseaddr = mine + 2}};
    struct upc_local_memvec whole = {got, sizeof got};
    const size_t half = N / 2 * sizeof(int);
    char path[64];
    if (MYTHREAD == 0) {
        snprintf(path, sizeof path, "/tmp/upc-io-lists-%d-%ld", (int)getpid(), random());
        upc_memput(name, path, sizeof path);
    }
    upc_barrier;
    upc_memget(path, name, sizeof path);
    for (int i = 0; i < N; i++) mine[i] = 10 * MYTHREAD + i;

    upc_file_t *file = upc_all_fopen(path, UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE | UPC_TRUNC, 1, &hint);
    CHECK(file != NULL);
    /* The second half of the thread's block stands behind the first halves of all. */
    halves[0] = (struct upc_filevec){.offset = (upc_off_t)(MYTHREAD * half), .len = half};
    halves[1] = (struct upc_filevec){(upc_off_t)((THREADS + MYTHREAD) * half), half};
    CHECK(upc_all_fwrite_list_local(file, 2, parts, 2, halves, 0) == (upc_off_t)sizeof mine);
    CHECK(upc_all_fread_list_local(file, 1, &whole, 2, halves, 0) == (upc_off_t)sizeof got);
    CHECK(memcmp(mine, got, sizeof got) == 0);

    block.baseaddr = &again[N * MYTHREAD];
    block.blocksize = N * sizeof(int);
    block.len = half;
    CHECK(upc_all_fread_list_shared(file, 1, &block, 1, halves, 0) == (upc_off_t)half);
    CHECK(upc_all_fclose(file) == 0);
    upc_barrier;
    for (int i = 0; i < N / 2; i++) CHECK(again[N * MYTHREAD + i] == 10 * MYTHREAD + i);
    for (int i = N / 2; i < N; i++) CHECK(again[N * MYTHREAD + i] == 0);
    if (MYTHREAD == 0) unlink(path);
    return finish();
}
