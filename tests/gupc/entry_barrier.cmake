# SPDX-License-Identifier: BSD-3-Clause
# No thread waits for one that computes between notify and wait.
upcr_gupc_program(entry_barrier abi/entry_barrier.c TLS)

# upcr_gupc_entry_barrier(WAY PROGRAM BYPASS "THREADS..." [UPCRUN-OPTION...])
function(upcr_gupc_entry_barrier way program bypass counts)
  add_test(NAME gupc.entry_barrier.${way} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/abi/entry_barrier.sh $<TARGET_FILE:upcrun>
    ${CMAKE_CURRENT_BINARY_DIR}/gupc_entry_barrier_${program} ${counts} ${ARGN})
  set_tests_properties(gupc.entry_barrier.${way} PROPERTIES LABELS gupc TIMEOUT 600 PROCESSORS 2
    ENVIRONMENT UPCR_PSHM=${bypass})
endfunction()
upcr_gupc_entry_barrier(packed.smp packed yes "3")
upcr_gupc_entry_barrier(packed.messages packed no "3 5")
upcr_gupc_entry_barrier(struct.messages struct no "4")
upcr_gupc_entry_barrier(packed.pthreads packed_tls no "5" --pthreads 2)

foreach(library openmpi mpich)
  set(test packed.mpi.${library})
  if(TARGET conduit_mpi_${library})
    upcr_gupc_entry_barrier(${test} packed no "3" --conduit mpi)
    set_property(TEST gupc.entry_barrier.${test} APPEND PROPERTY ENVIRONMENT UPCR_MPI_LIBRARY=${library})
    set_property(TEST gupc.entry_barrier.${test} APPEND PROPERTY LABELS mpi)
  else()
    upcr_skipped_test(gupc.entry_barrier.${test} "there is no ${library} here")
  endif()
endforeach()

if(UPCR_TEST_ALL)
  upcr_guest_test(gupc.entry_barrier.packed.ibv.siw siw ${CMAKE_CURRENT_SOURCE_DIR}/abi/entry_barrier.sh
    $<TARGET_FILE:upcrun> ${CMAKE_CURRENT_BINARY_DIR}/gupc_entry_barrier_packed 3 --conduit ibv)
  set_tests_properties(gupc.entry_barrier.packed.ibv.siw PROPERTIES ENVIRONMENT UPCR_PSHM=no)
endif()
