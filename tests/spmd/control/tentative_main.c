/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that works with UPC and without: three files that include bupc_tentative.h, in C with and without
 * -fcommon and in C++. Linked twice, with the runtime and without. test_extern.py runs it.
 */
#include <stdio.h>

#include "bupc_tentative.h"

int c_file_sees_upc(void);
int cxx_file_sees_upc(void);

static int program(int argc, char **argv) {
    int threads = 0, first = -1;
    size_t page = 0;
    char *memory = bupc_tentative_alloc(8), *all = bupc_tentative_all_alloc(8, 8);
    (void)argc, (void)argv;
    if (memory == NULL || bupc_tentative_threadof(memory) != bupc_tentative_mythread() || all == NULL)
        return 2;
    bupc_tentative_free(memory, bupc_tentative_mythread());
    bupc_tentative_all_free(all, -1);
    bupc_tentative_process_thread_layout(&threads, &first);
    bupc_tentative_config_info(NULL, NULL, NULL, NULL, NULL, NULL, NULL, &page);
    if (threads < 1 || first > bupc_tentative_mythread() || page == 0 ||
        bupc_tentative_getenv("PATH") == NULL)
        return 3;
    bupc_tentative_notify(1);
    bupc_tentative_wait(1);
    bupc_tentative_barrier(2);
    if (bupc_tentative_mythread() == 0) printf("with %d threads\n", bupc_tentative_threads());
    bupc_tentative_exit(0);
    return 4;
}

int main(int argc, char **argv) {
    const int sees = bupc_tentative_version_major == BUPC_TENTATIVE_VERSION_MAJOR &&
                     bupc_tentative_version_minor == BUPC_TENTATIVE_VERSION_MINOR;
    if (c_file_sees_upc() != sees || cxx_file_sees_upc() != sees) return 5;
    if (!sees) {
        const int none = bupc_tentative_version_major == 0 && bupc_tentative_init == NULL &&
                         bupc_tentative_exit == NULL && bupc_tentative_config_info == NULL;
        printf("without\n");
        return none ? 0 : 6;
    }
    if (bupc_tentative_init == NULL) return 7;
    bupc_tentative_init_reentrant(&argc, &argv, program);
    return 8;
}
