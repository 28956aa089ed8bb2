# SPDX-License-Identifier: BSD-3-Clause
# Over a network that says by a descriptor when something arrives (tests/module/belled.cpp). Threads sleep until
# they are rung, for 10 minutes if need be, so a lost wake-up is a test that hangs.
#
# upcr_belled_test(NAME PROGRAM "THREADS..." "OPTIONS..." ENVIRONMENT...)
function(upcr_belled_test name program counts options)
  separate_arguments(options)
  add_test(NAME spmd.${name}.belled COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/run_matrix.sh
    $<TARGET_FILE:upcrun> $<TARGET_FILE:spmd_${program}> ${counts} ${options})
  set_tests_properties(spmd.${name}.belled PROPERTIES LABELS spmd TIMEOUT 300 PROCESSORS 2
    ENVIRONMENT "${upcr_belled_environment};SPMD_EFFORT=10;${ARGN}")
endfunction()

foreach(program access nb semaphores locks coll_sync)
  upcr_belled_test(${program} ${program} "2 4" "" UPCR_PSHM=no)
  upcr_belled_test(${program}.pthreads ${program} "4" "--pthreads 2" UPCR_PSHM=no)
  # Neighbours ring, the others do not.
  upcr_belled_test(${program}.hosts ${program} "4" "" UPCR_NODE_SIZE=2)
endforeach()
upcr_belled_test(access.fault access_debug "3" "" UPCR_PSHM=no UPCR_FAULT=delay=5,reorder=1,refuse=5)
upcr_belled_test(progress_thread progress_thread "2 3" "" UPCR_PSHM=no UPCR_PROGRESS_THREAD=yes)

add_executable(spmd_idle wait/idle.c)
target_include_directories(spmd_idle PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(spmd_idle PRIVATE upcr)
upcr_belled_test(idle idle "3" "" UPCR_PSHM=no)
upcr_belled_test(idle.pthreads idle "4" "--pthreads 2" UPCR_PSHM=no)
upcr_belled_test(idle.progress_thread idle "2" "" UPCR_PSHM=no UPCR_PROGRESS_THREAD=yes)
