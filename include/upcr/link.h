/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The link-time variables: settings of a program's generated start-up file (upcc) for bupc_init() and
 * bupc_init_reentrant() (UPC Runtime specification 3.5, "Framework for external bootstrapping"). The
 * library holds a weak default of each, so a program may define all, some or none. Read once, at start.
 */
#pragma once
#include "upcr/init.h"

UPCRI_BEGIN_C

/* THREADS that the program was compiled for; 0: any. Default 0. */
extern UPCRI_API upcr_thread_t UPCRL_static_thread_count;
/* UPC threads per process if neither the launcher nor UPCR_PTHREADS sets it; 0: one. Default 0. */
extern UPCRI_API upcr_thread_t UPCRL_default_pthreads_per_node;
/* The name of the user's main function, for debuggers. Default NULL. */
extern UPCRI_API const char *UPCRL_main_name;

/* Arguments of upcr_startup_attach(): bytes of shared memory of each UPC thread (default 0: 64 MiB),
 * bytes of heap offset (accepted, unused; default 0), flags (default UPCR_ATTACH_ENV_OVERRIDE). */
extern UPCRI_API uintptr_t UPCRL_default_shared_size;
extern UPCRI_API uintptr_t UPCRL_default_shared_offset;
extern UPCRI_API int UPCRL_attach_flags;
/* The most shared memory that a process requests, bytes; 0: no limit. Two spellings of one variable: a
 * program defines at most one. Default 0. */
extern UPCRI_API uint64_t gasnet_max_segsize;
extern UPCRI_API uint64_t UPCRL_gasnet_max_segsize;

/* Accepted for other runtimes' start-up files: bytes of cache, and an option of symmetric pointers. */
extern UPCRI_API uintptr_t UPCRL_default_cache_size;
extern UPCRI_API int UPCRL_segsym_pow2_opt;
/* Non-zero: a progress thread serves peers while the program computes (UPCR_PROGRESS_THREAD, if set,
 * overrides it). Default 0. */
extern UPCRI_API int UPCRL_progress_thread;

/* The hooks of upcr_startup_spawn(), see struct upcr_startup_spawnfuncs. Default NULL. */
extern UPCRI_API void (*UPCRL_pre_spawn_init)(void);
extern UPCRI_API void (*UPCRL_per_pthread_init)(void);
extern UPCRI_API void (*UPCRL_cache_init)(void *start, uintptr_t len);
extern UPCRI_API void (*UPCRL_heap_init)(void *start, uintptr_t len);
extern UPCRI_API void (*UPCRL_static_init)(void *start, uintptr_t len);

/* Non-zero when objects of the program have static shared data, which UPCRL_static_init allocates. */
extern UPCRI_API int upcri_static_objects;

/* For programs that use MPI too: called before UPC starts and after it ended, with main()'s arguments.
 * UPCRL_profile_finalize: before the exit of each process. Default NULL. */
extern UPCRI_API void (*UPCRL_mpi_init)(int *pargc, char ***pargv);
extern UPCRI_API void (*UPCRL_mpi_finalize)(void);
extern UPCRI_API void (*UPCRL_profile_finalize)(void);

/* Hooks of a translator, called by generated start-up code around the static data: by the first UPC
 * thread of each process before, by every UPC thread after. Default NULL. */
extern UPCRI_API void (*UPCRL_trans_extra_procinit)(void);
extern UPCRI_API void (*UPCRL_trans_extra_threadinit)(void);

/* Compilers that place static shared data in a linker section: its bounds. Absent (address 0) otherwise. */
extern char UPCRL_shared_begin[] __attribute__((weak));
extern char UPCRL_shared_end[] __attribute__((weak));

UPCRI_END_C
