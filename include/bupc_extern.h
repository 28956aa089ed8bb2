/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC from C and C++ code that is linked with UPC code and does not include upcr.h (Berkeley UPC
 * extensions). Plain C types only. UPC threads, after bupc_init*, unless stated otherwise; a call before
 * is fatal: "bupc_extern_mythread called before UPC runtime initialized".
 */
#ifndef UPCRI_BUPC_EXTERN_H
#define UPCRI_BUPC_EXTERN_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start and end: see upcr/init.h. */
void bupc_init(int *pargc, char ***pargv);
void bupc_init_reentrant(int *pargc, char ***pargv, int (*pmain_func)(int, char **));
void bupc_exit(int exitcode) __attribute__((__noreturn__));

int bupc_extern_mythread(void); /* MYTHREAD */
int bupc_extern_threads(void);  /* THREADS; any thread */
/* As upcr_getenv(). The string must not be changed. Any thread. */
char *bupc_extern_getenv(const char *env_name);

/* Named barriers: see upcr/barrier.h. */
void bupc_extern_notify(int barrier_id);
void bupc_extern_wait(int barrier_id);
void bupc_extern_barrier(int barrier_id);

/* Shared memory of the calling thread, as a plain address: upc_alloc(bytes). NULL only for 0 bytes. */
void *bupc_extern_alloc(size_t bytes);
/* Collective: upc_all_alloc(nblocks, blocksz). Returns the address of the calling thread's part, NULL if
 * it has none. */
void *bupc_extern_all_alloc(size_t nblocks, size_t blocksz);
/* Frees an object that bupc_extern_alloc() returned to `thread`; -1: to the owner of the address. NULL is
 * ignored. */
void bupc_extern_free(void *ptr, int thread);
/* Collective: frees an object of bupc_extern_all_alloc(). `ptr` is the part of thread `thread` (-1: of the
 * owner of the address); all threads must pass the same object. */
void bupc_extern_all_free(void *ptr, int thread);
/* The UPC thread whose shared memory contains this local address; -1 for NULL and any other address. */
int bupc_extern_threadof(void *ptr);

/* UPC threads of this process, and the first one's number. Either may be NULL. Any pthread. */
void bupc_extern_process_thread_layout(int *upcthreads_in_process, int *first_upcthread_in_process);
/* How the runtime was built. Any argument may be NULL. Any time, also before bupc_init*. */
void bupc_extern_config_info(const char **upcr_config_str, const char **gasnet_config_str,
                             const char **upcr_version_str, int *upcr_runtime_spec_major,
                             int *upcr_runtime_spec_minor, int *upcr_debug, int *upcr_pthreads,
                             size_t *upcr_pagesize);

#ifdef __cplusplus
}
#endif
#endif
