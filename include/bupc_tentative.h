/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC for C and C++ libraries that may be linked without UPC (Berkeley UPC extension, version 1.3 of the
 * interface): variables that are 0 unless the program contains the UPC runtime, which then fills them in
 * before main(). Test one for 0, then call the functions:
 *
 *     if (bupc_tentative_version_major == BUPC_TENTATIVE_VERSION_MAJOR && bupc_tentative_mythread != NULL)
 *         rank = bupc_tentative_mythread();
 *
 * Each function is the bupc_extern_ (bupc_extern.h) or bupc_ (upcr/init.h) function of the same name.
 * May be included in any number of files, in C (with -fcommon or without) and C++.
 */
#ifndef UPCRI_BUPC_TENTATIVE_H
#define UPCRI_BUPC_TENTATIVE_H
#include <stddef.h>

#define BUPC_TENTATIVE_VERSION_MAJOR 1
#define BUPC_TENTATIVE_VERSION_MINOR 3

/* Tentative definitions: the linker merges all of them, and the runtime's definition wins. C++ has no such
 * thing, so there the assembler makes them (below). */
#ifdef __cplusplus
#define UPCRI_TENTATIVE extern
extern "C" {
#else
#define UPCRI_TENTATIVE __attribute__((common))
#endif

UPCRI_TENTATIVE int bupc_tentative_version_major;
UPCRI_TENTATIVE int bupc_tentative_version_minor; /* counts up when functions are added at the end */

UPCRI_TENTATIVE void (*bupc_tentative_init)(int *pargc, char ***pargv);
UPCRI_TENTATIVE void (*bupc_tentative_init_reentrant)(int *pargc, char ***pargv,
                                                      int (*pmain_func)(int, char **));
UPCRI_TENTATIVE void (*bupc_tentative_exit)(int exitcode);
UPCRI_TENTATIVE int (*bupc_tentative_mythread)(void);
UPCRI_TENTATIVE int (*bupc_tentative_threads)(void);
UPCRI_TENTATIVE char *(*bupc_tentative_getenv)(const char *env_name);
UPCRI_TENTATIVE void (*bupc_tentative_notify)(int barrier_id);
UPCRI_TENTATIVE void (*bupc_tentative_wait)(int barrier_id);
UPCRI_TENTATIVE void (*bupc_tentative_barrier)(int barrier_id);
UPCRI_TENTATIVE void *(*bupc_tentative_alloc)(size_t bytes);
UPCRI_TENTATIVE void *(*bupc_tentative_all_alloc)(size_t nblocks, size_t blocksz);
UPCRI_TENTATIVE void (*bupc_tentative_free)(void *ptr, int thread);
UPCRI_TENTATIVE void (*bupc_tentative_all_free)(void *ptr, int thread);
UPCRI_TENTATIVE int (*bupc_tentative_threadof)(void *ptr);
UPCRI_TENTATIVE void (*bupc_tentative_process_thread_layout)(int *upcthreads_in_process,
                                                             int *first_upcthread_in_process);
UPCRI_TENTATIVE void (*bupc_tentative_config_info)(const char **upcr_config_str,
                                                   const char **gasnet_config_str,
                                                   const char **upcr_version_str,
                                                   int *upcr_runtime_spec_major, int *upcr_runtime_spec_minor,
                                                   int *upcr_debug, int *upcr_pthreads,
                                                   size_t *upcr_pagesize);

#ifdef __cplusplus
}
__asm__(
    ".comm bupc_tentative_version_major,4,4\n.comm bupc_tentative_version_minor,4,4\n"
    ".comm bupc_tentative_init,8,8\n"
    ".comm bupc_tentative_init_reentrant,8,8\n"
    ".comm bupc_tentative_exit,8,8\n"
    ".comm bupc_tentative_mythread,8,8\n"
    ".comm bupc_tentative_threads,8,8\n"
    ".comm bupc_tentative_getenv,8,8\n"
    ".comm bupc_tentative_notify,8,8\n"
    ".comm bupc_tentative_wait,8,8\n"
    ".comm bupc_tentative_barrier,8,8\n"
    ".comm bupc_tentative_alloc,8,8\n"
    ".comm bupc_tentative_all_alloc,8,8\n"
    ".comm bupc_tentative_free,8,8\n"
    ".comm bupc_tentative_all_free,8,8\n"
    ".comm bupc_tentative_threadof,8,8\n"
    ".comm bupc_tentative_process_thread_layout,8,8\n"
    ".comm bupc_tentative_config_info,8,8\n");
#endif
#endif
