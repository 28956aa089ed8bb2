# SPDX-License-Identifier: BSD-3-Clause
# The upcr_gmem layer, in programs of the library's own users: no archive of the face, no upcc.
foreach(variant "" _debug)
  add_executable(gupc_gmem${variant} gmem.c)
  target_include_directories(gupc_gmem${variant} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(gupc_gmem${variant} PRIVATE -Wall -Wextra)
  target_link_libraries(gupc_gmem${variant} PRIVATE upcr${variant})
endforeach()

# upcr_gmem_test(WAY VARIANT "THREADS..." PTHREADS [NAME=VALUE...])
function(upcr_gmem_test way variant counts pthreads)
  add_test(NAME gupc.gmem.${way} COMMAND ${PROJECT_SOURCE_DIR}/tests/spmd/run_matrix.sh
    $<TARGET_FILE:upcrun> $<TARGET_FILE:gupc_gmem${variant}> ${counts} --pthreads ${pthreads})
  set_tests_properties(gupc.gmem.${way} PROPERTIES LABELS "gupc;layout" TIMEOUT 600 PROCESSORS 2
    ENVIRONMENT "${ARGN}")
endfunction()
upcr_gmem_test(smp "" "1 3" 1)
upcr_gmem_test(messages "" "1 2 3" 1 UPCR_PSHM=no)
upcr_gmem_test(groups _debug "4" 1 UPCR_NODE_SIZE=2 SPMD_EFFORT=4)
upcr_gmem_test(pthreads _debug "4" 2 UPCR_PSHM=no SPMD_EFFORT=4)
upcr_gmem_test(fault _debug "3" 1 UPCR_PSHM=no UPCR_FAULT=delay=5,reorder=1,refuse=5 SPMD_EFFORT=20)
upcr_mpi_test(gupc.gmem.mpi.openmpi openmpi gupc_gmem 3 1 UPCR_PSHM=no SPMD_EFFORT=8)
upcr_mpi_test(gupc.gmem.mpi.mpich mpich gupc_gmem_debug 4 2 UPCR_PSHM=no UPCR_MPI_RMA=yes SPMD_EFFORT=8)
foreach(guest ${upcr_guests})
  upcr_ibv_test(gupc.gmem.ibv.${guest} ${guest} gupc_gmem 3 1 UPCR_PSHM=no SPMD_EFFORT=16)
endforeach()
