/* SPDX-License-Identifier: BSD-3-Clause */
/* 7.4: a file written by all threads and read again through a shared pointer of the file. */
#include <upc.h>
#include <upc_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define N 4
shared [N] int data[N * THREADS], again[N * THREADS];
shared [] char name[64];

int main(void) {
    char path[64];
    upc_file_t *file;
    int i;
    if (MYTHREAD == 0) {
        snprintf(path, sizeof path, "/tmp/upc-io-%d-%ld", (int)getpid(), random());
        for (i = 0; i < 64; i++) name[i] = path[i];
    }
    upc_barrier;
    for (i = 0; i < 64; i++) path[i] = name[i];
    for (i = 0; i < N; i++) data[N * MYTHREAD + i] = 7 * MYTHREAD + i;
    upc_barrier;
    file = upc_all_fopen(path, UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE | UPC_TRUNC, 0, NULL);
    if (file == NULL) return 1;
    upc_all_fseek(file, (upc_off_t)(MYTHREAD * N * sizeof(int)), UPC_SEEK_SET);
    if (upc_all_fwrite_shared(file, &data[N * MYTHREAD], N, sizeof(int), N, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC) !=
        (upc_off_t)(N * sizeof(int)))
        return 2;
    upc_all_fseek(file, (upc_off_t)(MYTHREAD * N * sizeof(int)), UPC_SEEK_SET);
    upc_all_fread_shared(file, &again[N * MYTHREAD], N, sizeof(int), N, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    for (i = 0; i < N; i++)
        if (again[N * MYTHREAD + i] != 7 * MYTHREAD + i) return 3;
    if (upc_all_fclose(file) != 0) return 4;
    upc_barrier;
    if (MYTHREAD == 0) {
        unlink(path);
        puts("done");
    }
    return 0;
}
