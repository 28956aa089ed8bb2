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
 * May be included in any number of files, compiled with -fcommon or without.
 */
#ifndef UPCRI_BUPC_TENTATIVE_H
#define UPCRI_BUPC_TENTATIVE_H
#include <stddef.h>

#define BUPC_TENTATIVE_VERSION_MAJOR 1
#define BUPC_TENTATIVE_VERSION_MINOR 3

/* Tentative definitions: the linker merges all of them, and a real definition wins. */
#ifdef __cplusplus
#define UPCRI_TENTATIVE __attribute__((weak))
extern "C" {
#else
#define UPCRI_TENTATIVE __attribute__((common))
#endif

int bupc_tentative_version_major UPCRI_TENTATIVE;
int bupc_tentative_version_minor UPCRI_TENTATIVE; /* counts up when functions are added at the end */

void (*bupc_tentative_init)(int *pargc, char ***pargv) UPCRI_TENTATIVE;
void (*bupc_tentative_init_reentrant)(int *pargc, char ***pargv, int (*pmain_func)(int, char **)) UPCRI_TENTATIVE;
void (*bupc_tentative_exit)(int exitcode) UPCRI_TENTATIVE;
int (*bupc_tentative_mythread)(void) UPCRI_TENTATIVE;
int (*bupc_tentative_threads)(void) UPCRI_TENTATIVE;
char *(*bupc_tentative_getenv)(const char *env_name) UPCRI_TENTATIVE;
void (*bupc_tentative_notify)(int barrier_id) UPCRI_TENTATIVE;
void (*bupc_tentative_wait)(int barrier_id) UPCRI_TENTATIVE;
void (*bupc_tentative_barrier)(int barrier_id) UPCRI_TENTATIVE;
void *(*bupc_tentative_alloc)(size_t bytes) UPCRI_TENTATIVE;
void *(*bupc_tentative_all_alloc)(size_t nblocks, size_t blocksz) UPCRI_TENTATIVE;
void (*bupc_tentative_free)(void *ptr, int thread) UPCRI_TENTATIVE;
void (*bupc_tentative_all_free)(void *ptr, int thread) UPCRI_TENTATIVE;
int (*bupc_tentative_threadof)(void *ptr) UPCRI_TENTATIVE;
void (*bupc_tentative_process_thread_layout)(int *upcthreads_in_process,
                                             int *first_upcthread_in_process) UPCRI_TENTATIVE;
void (*bupc_tentative_config_info)(const char **upcr_config_str, const char **gasnet_config_str,
                                   const char **upcr_version_str, int *upcr_runtime_spec_major,
                                   int *upcr_runtime_spec_minor, int *upcr_debug, int *upcr_pthreads,
                                   size_t *upcr_pagesize) UPCRI_TENTATIVE;

#ifdef __cplusplus
}
#endif
#endif
