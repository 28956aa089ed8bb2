// SPDX-License-Identifier: BSD-3-Clause
// bupc_init and bupc_init_reentrant: start-up as the program's link-time variables (link.h) configure it, and
// the hooks of those variables at the end.
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "include/upcr/init.h"
#include "include/upcr/link.h"
#include "upcr/state/runtime.hpp"

namespace upcr {
namespace {

// The start-up file that upcc links in allocates the static data of UPC files.
void check_link() {
  if (upcri_static_objects == 0 || UPCRL_static_init != nullptr) return;
  defer_to_first_process();
  fatal_setting(
      "the program has UPC files with static shared data, but was not linked by upcc, so nothing allocates it; "
      "link it with upcc, which takes C and C++ objects and the compiler's options");
}

// Everything but the spawn. Later calls do nothing.
void start_by_link_variables(int* argc, char*** argv) {
  Runtime& r = runtime();
  if (r.stage.load() != Stage::kNone) return;
  if (UPCRL_mpi_init != nullptr) UPCRL_mpi_init(argc, argv);
  r.started_by_bupc = true;
  upcr_startup_init(argc, argv, UPCRL_static_thread_count, UPCRL_default_pthreads_per_node, UPCRL_main_name);
  check_link();
  upcr_startup_attach(UPCRL_default_shared_size, UPCRL_default_shared_offset, UPCRL_attach_flags);
}

void spawn_by_link_variables(int* argc, char*** argv, int (*main_function)(int, char**)) {
  upcr_startup_spawnfuncs functions = {UPCRL_pre_spawn_init, UPCRL_per_pthread_init, UPCRL_cache_init,
                                       UPCRL_heap_init,      UPCRL_static_init,      main_function};
  upcr_startup_spawn(argc, argv, 0, UPCRL_default_cache_size, &functions);
}

}  // namespace

void run_hooks_before_end() {
  if (UPCRL_profile_finalize != nullptr) UPCRL_profile_finalize();
}

void run_hooks_after_end() {
  if (runtime().started_by_bupc && UPCRL_mpi_finalize != nullptr) UPCRL_mpi_finalize();
}

extern "C" {

UPCRI_API void bupc_init(int* argc, char*** argv) {
  start_by_link_variables(argc, argv);
  spawn_by_link_variables(argc, argv, nullptr);
}

UPCRI_API void bupc_init_reentrant(int* argc, char*** argv, int (*pmain_func)(int, char**)) {
  if (pmain_func == nullptr)
    fatal(
        "bupc_init_reentrant: the function to run on each UPC thread is NULL; pass the program's main "
        "function");
  start_by_link_variables(argc, argv);
  spawn_by_link_variables(argc, argv, pmain_func);
}

}  // extern "C"
}  // namespace upcr
