// SPDX-License-Identifier: BSD-3-Clause
// Weak defaults of the variables that a program's start-up file defines (link.h, tld.h), so that a program
// links without one. A file of their own, because the compiler must not assume these values: a definition in
// the program overrides them.
#include "include/upcr/forall.h"
#include "include/upcr/link.h"
#include "include/upcr/tld.h"

#define UPCRI_WEAK __attribute__((weak))

UPCRI_WEAK upcr_thread_t UPCRL_static_thread_count = 0;
UPCRI_WEAK upcr_thread_t UPCRL_default_pthreads_per_node = 0;
UPCRI_WEAK const char* UPCRL_main_name = nullptr;
UPCRI_WEAK uintptr_t UPCRL_default_shared_size = 0;
UPCRI_WEAK uintptr_t UPCRL_default_shared_offset = 0;
UPCRI_WEAK int UPCRL_attach_flags = UPCR_ATTACH_ENV_OVERRIDE;
UPCRI_WEAK uint64_t gasnet_max_segsize = 0;
UPCRI_WEAK uint64_t UPCRL_gasnet_max_segsize = 0;
UPCRI_WEAK uintptr_t UPCRL_default_cache_size = 0;
UPCRI_WEAK int UPCRL_segsym_pow2_opt = 0;
UPCRI_WEAK int UPCRL_progress_thread = 0;
UPCRI_WEAK void (*UPCRL_pre_spawn_init)() = nullptr;
UPCRI_WEAK void (*UPCRL_per_pthread_init)() = nullptr;
UPCRI_WEAK void (*UPCRL_cache_init)(void*, uintptr_t) = nullptr;
UPCRI_WEAK void (*UPCRL_heap_init)(void*, uintptr_t) = nullptr;
UPCRI_WEAK void (*UPCRL_static_init)(void*, uintptr_t) = nullptr;
UPCRI_WEAK int upcri_static_objects = 0;
UPCRI_WEAK void (*UPCRL_mpi_init)(int*, char***) = nullptr;
UPCRI_WEAK void (*UPCRL_mpi_finalize)() = nullptr;
UPCRI_WEAK void (*UPCRL_profile_finalize)() = nullptr;
UPCRI_WEAK void (*UPCRL_trans_extra_procinit)() = nullptr;
UPCRI_WEAK void (*UPCRL_trans_extra_threadinit)() = nullptr;

UPCRI_WEAK struct upcri_tld_image upcri_tld_image = {};
UPCRI_WEAK struct upcri_tld_zeros upcri_tld_zeros = {};
UPCRI_WEAK int upcri_tld_objects = 0;
UPCRI_WEAK int32_t upcrt_forall_control = 0;
