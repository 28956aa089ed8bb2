# SPDX-License-Identifier: BSD-3-Clause
# Active messages to a node that computes (am.c).
add_executable(mupc_am am.c)
target_include_directories(mupc_am PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(mupc_am PRIVATE GASNET_PAR)
target_link_libraries(mupc_am PRIVATE gasnet)

add_test(NAME mupc.am.smp COMMAND upcrun -n 3 --conduit smp --timeout 280 $<TARGET_FILE:mupc_am>)
set_tests_properties(mupc.am.smp PROPERTIES LABELS mupc TIMEOUT 300 PROCESSORS 2
  ENVIRONMENT "UPCR_PSHM=no;UPCR_PROGRESS_THREAD=yes")
foreach(library openmpi mpich)
  if(TARGET conduit_mpi_${library})
    add_test(NAME mupc.am.mpi.${library} COMMAND upcrun -n 2 --conduit mpi --timeout 280 $<TARGET_FILE:mupc_am>)
  else()
    upcr_skipped_test(mupc.am.mpi.${library} "there is no ${library} here")
  endif()
  set_tests_properties(mupc.am.mpi.${library} PROPERTIES LABELS "mupc;mpi" TIMEOUT 300 PROCESSORS 2
    ENVIRONMENT "UPCR_PSHM=no;UPCR_PROGRESS_THREAD=yes;UPCR_MPI_LIBRARY=${library}")
endforeach()
