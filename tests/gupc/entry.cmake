# SPDX-License-Identifier: BSD-3-Clause
# The functions that compiled code calls to reach shared memory: all names exist, and every mode and
# block works in every form.
foreach(form packed struct)
  add_test(NAME gupc.entry_names.${form} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/abi/entry_names.sh ${CMAKE_NM}
    $<TARGET_FILE:upcr_gupc_${form}> ${CMAKE_CURRENT_SOURCE_DIR}/abi/entry_names.txt)
  set_tests_properties(gupc.entry_names.${form} PROPERTIES LABELS gupc TIMEOUT 60)
endforeach()

upcr_gupc_test(entry_values abi/entry_values.c WAYS smp messages pthreads debug)
upcr_gupc_test(entry_blocks abi/entry_blocks.c WAYS smp messages pthreads debug)
# Two threads: more would only wait for processors.
upcr_gupc_test(entry_litmus abi/entry_litmus.c WAYS smp messages pthreads THREADS 2)
upcr_gupc_test(entry_helpers abi/entry_helpers.c WAYS smp messages pthreads)

# Objects that are no C: registers and sections as the compilers fill them.
foreach(form packed struct)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    upcr_gupc_test(entry_asm_${form} abi/entry_asm.c abi/entry_asm_${form}.s FORMS ${form} WAYS smp messages)
  else()
    upcr_skipped_test(gupc.entry_asm_${form}.${form}.smp "the assembly is for x86-64")
  endif()
endforeach()

# Over networks: one form of each with one library or device.
function(upcr_gupc_entry_mpi program form library)
  set(test gupc.${program}.${form}.mpi.${library})
  if(NOT TARGET conduit_mpi_${library})
    upcr_skipped_test(${test} "there is no ${library} here")
    return()
  endif()
  add_test(NAME ${test} COMMAND ${PROJECT_SOURCE_DIR}/tests/spmd/run_matrix.sh $<TARGET_FILE:upcrun>
    ${CMAKE_CURRENT_BINARY_DIR}/gupc_${program}_${form} 3 --conduit mpi)
  set_tests_properties(${test} PROPERTIES LABELS "gupc;mpi" TIMEOUT 600 PROCESSORS 2
    ENVIRONMENT "UPCR_MPI_LIBRARY=${library};UPCR_PSHM=no;SPMD_EFFORT=5")
endfunction()
upcr_gupc_entry_mpi(entry_values packed openmpi)
upcr_gupc_entry_mpi(entry_blocks struct mpich)

function(upcr_gupc_entry_guest program form guest)
  set(test gupc.${program}.${form}.ibv.${guest})
  upcr_guest_test(${test} ${guest} ${PROJECT_SOURCE_DIR}/tests/spmd/run_matrix.sh $<TARGET_FILE:upcrun>
    ${CMAKE_CURRENT_BINARY_DIR}/gupc_${program}_${form} 2 --conduit ibv)
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "UPCR_PSHM=no;SPMD_EFFORT=7")
endfunction()
upcr_gupc_entry_guest(entry_values struct rxe)
if(UPCR_TEST_ALL)
  upcr_gupc_entry_guest(entry_blocks packed siw)
endif()
