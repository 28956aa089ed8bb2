# SPDX-License-Identifier: BSD-3-Clause
# Collectives that compute. Once more with each algorithm, and with scratch memory for a few blocks only.
upcr_spmd_test(reduce reduce/reduce.cpp EFFORT 3)
upcr_spmd_test(reduce_examples reduce/reduce_examples.c THREADS 1 3 5)
upcr_spmd_test(sort reduce/sort.c EFFORT 3)
upcr_spmd_test(allv_c reduce/allv.c EFFORT 2)
upcr_spmd_test(allv_cxx reduce/allv.cpp THREADS 1 2 3 5)
target_compile_options(spmd_allv_c PRIVATE -std=gnu99 -fgnu89-inline)
# Once more with the macros as UPC source has them.
foreach(variant "" _debug)
  add_executable(spmd_allv_front_end${variant} reduce/allv_front_end.c)
  target_include_directories(spmd_allv_front_end${variant} PRIVATE ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/include/upcr_preinclude)
  target_compile_options(spmd_allv_front_end${variant} PRIVATE -std=gnu99 -fgnu89-inline -Wall -Wextra)
  # The header declares what upcr.h has as macros for callers in the debug library.
  target_compile_definitions(spmd_allv_front_end${variant} PRIVATE UPCR_NO_CALLSITES)
  target_link_libraries(spmd_allv_front_end${variant} PRIVATE upcr${variant})
  add_test(NAME spmd.allv_front_end${variant} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/run_matrix.sh
    $<TARGET_FILE:upcrun> $<TARGET_FILE:spmd_allv_front_end${variant}> "1 3 4" --pthreads 2)
  set_tests_properties(spmd.allv_front_end${variant} PROPERTIES LABELS spmd TIMEOUT 600 PROCESSORS 2
    ENVIRONMENT "SPMD_EFFORT=4")
endforeach()
function(upcr_reduce_algorithm name)
  add_test(NAME spmd.reduce.${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/run_matrix.sh
    $<TARGET_FILE:upcrun> $<TARGET_FILE:spmd_reduce> "3 4 5 16")
  set_tests_properties(spmd.reduce.${name} PROPERTIES LABELS spmd TIMEOUT 600 PROCESSORS 2
    ENVIRONMENT "SPMD_EFFORT=4;${ARGN}")
endfunction()
upcr_reduce_algorithm(flat UPCR_COLL_REDUCE=flat UPCR_COLL_REDUCE_ALL=doubling
  UPCR_COLL_PREFIX_REDUCE=transpose UPCR_COLL_REDUCE_CHUNK=1KB)
upcr_reduce_algorithm(binomial UPCR_COLL_REDUCE=binomial UPCR_COLL_REDUCE_ALL=reduce-broadcast
  UPCR_COLL_PREFIX_REDUCE=rows UPCR_COLL_REDUCE_CHUNK=64)
upcr_reduce_algorithm(knomial UPCR_COLL_REDUCE=knomial UPCR_COLL_REDUCE_ALL=reduce-broadcast
  UPCR_COLL_PREFIX_REDUCE=transpose UPCR_COLL_REDUCE_CHUNK=64 UPCR_PSHM=no)
upcr_spmd_misuse(reduce_misuse reduce/reduce_misuse.c release debug)
