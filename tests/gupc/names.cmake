# SPDX-License-Identifier: BSD-3-Clause
# The library under its UPC names: everything but heap and locks, in both forms and both encodings.
foreach(form packed struct)
  add_test(NAME gupc.names_list.${form} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/abi/entry_names.sh ${CMAKE_NM}
    $<TARGET_FILE:upcr_gupc_${form}> ${CMAKE_CURRENT_SOURCE_DIR}/names/names_list.txt)
  set_tests_properties(gupc.names_list.${form} PROPERTIES LABELS gupc TIMEOUT 60)
endforeach()

upcr_gupc_test(names_library names/names_library.c WAYS smp messages pthreads debug)
upcr_gupc_test(names_library_last names/names_library.c OPTIONS --pts-vaddr-order last -DNAMES_LAST WAYS messages)
upcr_gupc_test(names_collectives names/names_collectives.c THREADS 4 WAYS smp messages pthreads debug)
upcr_gupc_test(names_collectives_2012 names/names_collectives.c OPTIONS --encoding gupc-2012 -DNAMES_2012
  WAYS smp messages)
# Messages that are late and overtake each other: what a call does not wait for is not there.
foreach(theme library collectives)
  upcr_gupc_test(names_${theme}_fault names/names_${theme}.c FORMS packed WAYS debug
    ENVIRONMENT UPCR_FAULT=delay=5,reorder=1)
endforeach()
upcr_gupc_test(names_order names/names_order.c FORMS packed WAYS debug THREADS 2 ENVIRONMENT UPCR_FAULT=amonly)
upcr_gupc_test(names_atomic names/names_atomic.c WAYS smp messages pthreads debug)
upcr_gupc_test(names_atomic_last names/names_atomic.c OPTIONS --pts-vaddr-order last WAYS smp messages)
upcr_gupc_test(names_tool names/names_tool.c WAYS smp pthreads)

upcr_gupc_program(names_exit names/names_exit.c TLS)
upcr_gupc_program(names_misuse names/names_misuse.c)
upcr_gupc_program(names_misuse_2012 names/names_misuse.c OPTIONS --encoding gupc-2012 -DNAMES_2012)
foreach(form packed struct)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/gupc_names)
  set(ways no)
  if(form STREQUAL packed OR UPCR_TEST_ALL) # how a job ends has nothing to do with the form
    set(ways yes no)
  endif()
  foreach(bypass ${ways})
    add_test(NAME gupc.names_exit.${form}.pshm_${bypass} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/names/names_exit.sh
      $<TARGET_FILE:upcrun> ${program}_exit_${form} ${program}_exit_${form}_tls)
    set_tests_properties(gupc.names_exit.${form}.pshm_${bypass} PROPERTIES LABELS gupc TIMEOUT 600
      ENVIRONMENT "UPCR_PSHM=${bypass}")
  endforeach()
  add_test(NAME gupc.names_misuse.${form} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/names/names_misuse.sh $<TARGET_FILE:upcrun>
    ${program}_misuse_${form} ${program}_misuse_2012_${form})
  set_tests_properties(gupc.names_misuse.${form} PROPERTIES LABELS gupc TIMEOUT 600)
endforeach()

# Over MPI, whose launcher ends processes differently, and collectives of messages only.
foreach(library openmpi mpich)
  foreach(theme exit collectives)
    set(test gupc.names_${theme}.mpi.${library})
    if(NOT TARGET conduit_mpi_${library})
      upcr_skipped_test(${test} "there is no ${library} here")
    elseif(theme STREQUAL exit)
      add_test(NAME ${test} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/names/names_exit.sh $<TARGET_FILE:upcrun>
        ${program}_exit_packed ${program}_exit_packed_tls --conduit mpi)
    else()
      add_test(NAME ${test} COMMAND upcrun -n 3 --conduit mpi ${program}_collectives_packed)
    endif()
    set_tests_properties(${test} PROPERTIES LABELS "gupc;mpi" TIMEOUT 600 PROCESSORS 2
      ENVIRONMENT "UPCR_MPI_LIBRARY=${library};UPCR_PSHM=no")
  endforeach()
endforeach()

if(UPCR_TEST_ALL)
  upcr_guest_test(gupc.names_collectives.struct.ibv.siw siw $<TARGET_FILE:upcrun> -n 2 --conduit ibv
    ${program}_collectives_struct)
  set_tests_properties(gupc.names_collectives.struct.ibv.siw PROPERTIES ENVIRONMENT "UPCR_PSHM=no")
  upcr_guest_test(gupc.names_library.packed.ibv.rxe rxe $<TARGET_FILE:upcrun> -n 3 --conduit ibv
    ${program}_library_packed)
  set_tests_properties(gupc.names_library.packed.ibv.rxe PROPERTIES ENVIRONMENT "UPCR_PSHM=no")
endif()
