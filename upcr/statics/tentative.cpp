// SPDX-License-Identifier: BSD-3-Clause
// The variables bupc_tentative_* of include/bupc_tentative.h. A program's own copy of a variable (its
// tentative definition) comes before a shared library's, with value 0: so the constructor, which sees
// whichever copy the program uses, stores the values once more.
#include "include/bupc_extern.h"
#include "include/upcr/base.h"

extern "C" {

UPCRI_API int bupc_tentative_version_major = 1;
UPCRI_API int bupc_tentative_version_minor = 3;
UPCRI_API decltype(&bupc_init) bupc_tentative_init = bupc_init;
UPCRI_API decltype(&bupc_init_reentrant) bupc_tentative_init_reentrant = bupc_init_reentrant;
UPCRI_API decltype(&bupc_exit) bupc_tentative_exit = bupc_exit;
UPCRI_API decltype(&bupc_extern_mythread) bupc_tentative_mythread = bupc_extern_mythread;
UPCRI_API decltype(&bupc_extern_threads) bupc_tentative_threads = bupc_extern_threads;
UPCRI_API decltype(&bupc_extern_getenv) bupc_tentative_getenv = bupc_extern_getenv;
UPCRI_API decltype(&bupc_extern_notify) bupc_tentative_notify = bupc_extern_notify;
UPCRI_API decltype(&bupc_extern_wait) bupc_tentative_wait = bupc_extern_wait;
UPCRI_API decltype(&bupc_extern_barrier) bupc_tentative_barrier = bupc_extern_barrier;
UPCRI_API decltype(&bupc_extern_alloc) bupc_tentative_alloc = bupc_extern_alloc;
UPCRI_API decltype(&bupc_extern_all_alloc) bupc_tentative_all_alloc = bupc_extern_all_alloc;
UPCRI_API decltype(&bupc_extern_free) bupc_tentative_free = bupc_extern_free;
UPCRI_API decltype(&bupc_extern_all_free) bupc_tentative_all_free = bupc_extern_all_free;
UPCRI_API decltype(&bupc_extern_threadof) bupc_tentative_threadof = bupc_extern_threadof;
UPCRI_API decltype(&bupc_extern_process_thread_layout) bupc_tentative_process_thread_layout =
    bupc_extern_process_thread_layout;
UPCRI_API decltype(&bupc_extern_config_info) bupc_tentative_config_info = bupc_extern_config_info;

}  // extern "C"

namespace {

__attribute__((constructor)) void store_tentative_values() {
  bupc_tentative_version_major = 1;
  bupc_tentative_version_minor = 3;
  bupc_tentative_init = bupc_init;
  bupc_tentative_init_reentrant = bupc_init_reentrant;
  bupc_tentative_exit = bupc_exit;
  bupc_tentative_mythread = bupc_extern_mythread;
  bupc_tentative_threads = bupc_extern_threads;
  bupc_tentative_getenv = bupc_extern_getenv;
  bupc_tentative_notify = bupc_extern_notify;
  bupc_tentative_wait = bupc_extern_wait;
  bupc_tentative_barrier = bupc_extern_barrier;
  bupc_tentative_alloc = bupc_extern_alloc;
  bupc_tentative_all_alloc = bupc_extern_all_alloc;
  bupc_tentative_free = bupc_extern_free;
  bupc_tentative_all_free = bupc_extern_all_free;
  bupc_tentative_threadof = bupc_extern_threadof;
  bupc_tentative_process_thread_layout = bupc_extern_process_thread_layout;
  bupc_tentative_config_info = bupc_extern_config_info;
}

}  // namespace
