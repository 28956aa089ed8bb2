/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start-up of programs whose compilers keep static shared data in a linker section (GCC-UPC, Clang-UPC): the
 * hooks that their start-up code passes to bupc_init_reentrant() (link.h), either that of the archives of
 * upcr (upcc --abi=gupc) or a link file written for another runtime:
 *
 *     UPCRL_pre_spawn_init = gccupc_pre_spawn_init;      UPCRL_per_pthread_init = gccupc_per_pthread_init;
 *     UPCRL_cache_init = gccupc_cache_init;              UPCRL_heap_init = gccupc_heap_init;
 *     UPCRL_static_init = gccupc_static_data_init;       UPCRL_main_name = "upc_main";
 *
 * The sections are found by symbols, which the program's first and last object define. Either spelling:
 *
 *     section          first                                          last
 *     upc_shared       __upc_shared_start or UPCRL_shared_begin       __upc_shared_end, UPCRL_shared_end
 *     upc_init_array   __upc_init_array_start, UPCRL_init_array_begin __upc_init_array_end,
 *                      UPCRL_init_array_end
 *     upc_pgm_info     __upc_pgm_info_start                           __upc_pgm_info_end
 *
 * upcr_startup_spawn() gives each UPC thread a copy of the first in its segment, whether these hooks are used
 * or not; linkaddr.h translates addresses.
 */
#pragma once
#include "upcr/types.h"

UPCRI_BEGIN_C

/* Once per process: checks that the files of the program agree about threads (upc_pgm_info) and that the
 * sections are whole. Fatal otherwise. */
UPCRI_API void gccupc_pre_spawn_init(void);
/* On each UPC thread: sets THREADS and MYTHREAD. */
UPCRI_API void gccupc_per_pthread_init(void);
/* There is no cache: does nothing. */
UPCRI_API void gccupc_cache_init(void *start, uintptr_t len);
/* The shared heap begins behind the static data. */
UPCRI_API void gccupc_heap_init(void *start, uintptr_t len);
/* On each UPC thread, when all have their copies of upc_shared: calls the functions of upc_init_array in
 * order. Null entries are skipped. */
UPCRI_API void gccupc_static_data_init(void *start, uintptr_t len);

/* The numbers of threads in the strings of upc_pgm_info; 0: none is given. Before start-up too. */
struct upcri_gupc_program {
    upcr_thread_t threads;  /* THREADS that the program was compiled for */
    upcr_thread_t pthreads; /* UPC threads per process that it was compiled for */
};
UPCRI_API struct upcri_gupc_program upcri_gupc_program_info(void);
/* upcri_gupc_fatal() (gupc.h) for an error that every process finds: only the first process prints it. After
 * the job is joined. */
UPCRI_API void upcri_gupc_fatal_everywhere(const char *text) UPCRI_NORETURN;
/* Bytes of the section upc_shared, 0 without one. Before start-up too. */
UPCRI_API size_t upcri_gupc_static_bytes(void);

/* Defined by the program (upcr's archives), beside its THREADS and MYTHREAD, whichever kind of variables they
 * are (a thread's own where several UPC threads run in a process). Called on each UPC thread; `pthreads`: UPC
 * threads of its process, `mypthread`: its index among these. */
void upcri_gupc_enter(int threads, int mythread, int pthreads, int mypthread);

UPCRI_END_C
