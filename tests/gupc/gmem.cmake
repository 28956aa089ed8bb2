# SPDX-License-Identifier: BSD-3-Clause
# The upcr_gmem layer, in programs that use the library directly: without the archives, without upcc.
#   gmem   every transfer, counts, bounce buffer, handles
#   order  random accesses of one thread to the same bytes, against a model; a message under a strict flag
#   table  table 5.3, cell by cell
#   gmem_misuse   mistakes with the first
foreach(program gmem order gmem_misuse)
  foreach(variant "" _debug)
    set(target gupc_${program}${variant})
    add_executable(${target} memory/${program}.c)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_options(${target} PRIVATE -Wall -Wextra)
    target_link_libraries(${target} PRIVATE upcr${variant})
  endforeach()
endforeach()
add_executable(gupc_table_debug memory/table.c)
target_include_directories(gupc_table_debug PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(gupc_table_debug PRIVATE -Wall -Wextra)
target_link_libraries(gupc_table_debug PRIVATE upcr_debug)

# upcr_gmem_test(PROGRAM WAY VARIANT "THREADS..." PTHREADS [NAME=VALUE...])
function(upcr_gmem_test program way variant counts pthreads)
  set(test gupc.${program}.${way})
  add_test(NAME ${test} COMMAND ${PROJECT_SOURCE_DIR}/tests/spmd/run_matrix.sh
    $<TARGET_FILE:upcrun> $<TARGET_FILE:gupc_${program}${variant}> ${counts} --pthreads ${pthreads})
  set_tests_properties(${test} PROPERTIES LABELS "gupc;layout" TIMEOUT 600 PROCESSORS 2 ENVIRONMENT "${ARGN}")
endfunction()
upcr_gmem_test(gmem smp "" "1 3" 1)
upcr_gmem_test(gmem messages "" "1 2 3" 1 UPCR_PSHM=no)
upcr_gmem_test(gmem groups _debug "4" 1 UPCR_NODE_SIZE=2 SPMD_EFFORT=4)
upcr_gmem_test(gmem pthreads _debug "4" 2 UPCR_PSHM=no SPMD_EFFORT=4)
upcr_gmem_test(gmem fault _debug "3" 1 UPCR_PSHM=no UPCR_FAULT=delay=5,reorder=1,refuse=5 SPMD_EFFORT=20)
# Sources that are read late show whether they were copied.
upcr_gmem_test(gmem late _debug "2" 1 UPCR_PSHM=no UPCR_FAULT=lateputs)
upcr_mpi_test(gupc.gmem.mpi.openmpi openmpi gupc_gmem 3 1 UPCR_PSHM=no SPMD_EFFORT=8)
upcr_mpi_test(gupc.gmem.mpi.mpich mpich gupc_gmem_debug 4 2 UPCR_PSHM=no UPCR_MPI_RMA=yes SPMD_EFFORT=8)
upcr_ibv_test(gupc.gmem.ibv.rxe rxe gupc_gmem 2 1 UPCR_PSHM=no SPMD_EFFORT=64)

upcr_gmem_test(order smp _debug "2" 1)
upcr_gmem_test(order messages "" "1 2 3" 1 UPCR_PSHM=no)
upcr_gmem_test(order pthreads _debug "4" 2 UPCR_PSHM=no SPMD_EFFORT=4)
upcr_gmem_test(order fault _debug "2 3" 1 UPCR_PSHM=no UPCR_FAULT=delay=20,reorder=1,refuse=5 SPMD_EFFORT=20)
upcr_mpi_test(gupc.order.mpi.openmpi openmpi gupc_order 2 1 UPCR_PSHM=no UPCR_MPI_RMA=yes SPMD_EFFORT=8)
upcr_mpi_test(gupc.order.mpi.mpich mpich gupc_order_debug 3 1 UPCR_PSHM=no SPMD_EFFORT=8)
upcr_ibv_test(gupc.order.ibv.rxe rxe gupc_order 2 1 UPCR_PSHM=no SPMD_EFFORT=64)

upcr_gmem_test(table messages _debug "2" 1 UPCR_PSHM=no UPCR_FAULT=amonly)
upcr_gmem_test(table reordered _debug "2" 1 UPCR_PSHM=no UPCR_FAULT=amonly,reorder=5)
upcr_mpi_test(gupc.table.mpi.mpich mpich gupc_table_debug 2 1 UPCR_PSHM=no UPCR_FAULT=amonly)

# The same as compiled code sees it.
upcr_gupc_test(table_names memory/table_names.c WAYS debug THREADS 2 ENVIRONMENT UPCR_FAULT=amonly)

# The report of each mistake, by the library that must detect it.
set(number 0)
foreach(mistake
    ";upcr_gmem_get: UPC thread 2 of 2 does not exist"
    ";upcr_gmem_put: 9 bytes at offset [0-9]+ reach beyond the [0-9]+ bytes of UPC thread 0's shared memory"
    ";upcr_gmem_copy: 9 bytes at offset"
    ";upcr_gmem_set: 18446744073709551615 bytes at offset"
    ";upcr_gmem_get_nh: UPC thread 2 of 2 does not exist"
    ";upcr_gmem_put_nh: 9 bytes at offset"
    ";text of the program"
    "_debug;upcr_gmem_wait_all_nh: the operation upcr_gmem_put_nh at .* was synchronised already")
  list(GET mistake 0 variant)
  list(GET mistake 1 message)
  add_test(NAME gupc.gmem_misuse.${number}
    COMMAND upcrun -n 2 $<TARGET_FILE:gupc_gmem_misuse${variant}> ${number})
  set_tests_properties(gupc.gmem_misuse.${number} PROPERTIES LABELS gupc TIMEOUT 60
    ENVIRONMENT UPCR_BACKTRACE=no PASS_REGULAR_EXPRESSION "UPC Runtime error: ${message}")
  math(EXPR number "${number} + 1")
endforeach()
