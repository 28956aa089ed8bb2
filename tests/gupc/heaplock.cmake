# SPDX-License-Identifier: BSD-3-Clause
# Allocation and locks of compiled programs. Six threads: five contend for the lock that one holds.
upcr_gupc_test(alloc library/alloc.c WAYS smp messages pthreads debug ARGS -heap 4M)
upcr_gupc_test(lock library/lock.c WAYS smp messages pthreads debug THREADS 6 ARGS 50)
foreach(form packed struct)
  set_property(TEST gupc.lock.${form}.debug APPEND PROPERTY ENVIRONMENT "UPCR_FAULT=delay=5,reorder=1,refuse=5")
endforeach()

upcr_gupc_program(heaplock_errors library/heaplock_errors.c)
foreach(form packed struct)
  add_test(NAME gupc.heaplock_errors.${form} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/library/heaplock_errors.sh $<TARGET_FILE:upcrun>
    ${CMAKE_CURRENT_BINARY_DIR}/gupc_heaplock_errors_${form})
  set_tests_properties(gupc.heaplock_errors.${form} PROPERTIES LABELS gupc TIMEOUT 300)
endforeach()

# Over networks: one form and one program with each.
function(upcr_gupc_heaplock_mpi program form library threads)
  set(test gupc.${program}.${form}.mpi.${library})
  if(TARGET conduit_mpi_${library})
    add_test(NAME ${test} COMMAND $<TARGET_FILE:upcrun> -n ${threads} --conduit mpi
      ${CMAKE_CURRENT_BINARY_DIR}/gupc_${program}_${form} ${ARGN})
    set_tests_properties(${test} PROPERTIES LABELS "gupc;mpi" TIMEOUT 300
      ENVIRONMENT "UPCR_MPI_LIBRARY=${library};UPCR_PSHM=no")
  else()
    upcr_skipped_test(${test} "there is no ${library} here")
  endif()
endfunction()
upcr_gupc_heaplock_mpi(alloc struct openmpi 3 -heap 4M)
upcr_gupc_heaplock_mpi(lock packed mpich 6 20)
upcr_guest_test(gupc.alloc.packed.ibv.rxe rxe $<TARGET_FILE:upcrun> -n 2 --conduit ibv
  ${CMAKE_CURRENT_BINARY_DIR}/gupc_alloc_packed -heap 4M)
set_tests_properties(gupc.alloc.packed.ibv.rxe PROPERTIES ENVIRONMENT UPCR_PSHM=no)
if(UPCR_TEST_ALL) # what is special about it is in spmd.gmem_lock.ibv.*
  upcr_guest_test(gupc.lock.struct.ibv.siw siw $<TARGET_FILE:upcrun> -n 6 --conduit ibv
    ${CMAKE_CURRENT_BINARY_DIR}/gupc_lock_struct 10)
  set_tests_properties(gupc.lock.struct.ibv.siw PROPERTIES ENVIRONMENT UPCR_PSHM=no)
endif()
