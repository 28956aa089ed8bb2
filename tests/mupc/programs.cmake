# SPDX-License-Identifier: BSD-3-Clause
# Programs for libmupc.a, compiled by mupcc and run by mupcrun.
set(mupcc ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/mupcc)
set(mupcrun ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/mupcrun)
file(GLOB_RECURSE upcr_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h)

# mupc_program(TARGET SOURCE COMPILER [OPTION...])
function(mupc_program target source compiler)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target})
  add_custom_command(OUTPUT ${output}
    COMMAND ${compiler} -I ${PROJECT_SOURCE_DIR} -Wall -Wextra ${ARGN} -o ${output}
      ${CMAKE_CURRENT_SOURCE_DIR}/programs/${source} $<TARGET_FILE:mupc>
    DEPENDS mupc upcc ${mupcc} programs/${source} programs/check.h files.h ${upcr_headers})
  add_custom_target(mupc_${target} ALL DEPENDS ${output})
  add_dependencies(mupc_${target} upcr upcr_debug)
endfunction()
mupc_program(library library.c ${mupcc})
mupc_program(library_debug library.c ${mupcc} -g)
mupc_program(final final.c ${mupcc})
mupc_program(relaxed relaxed.c ${mupcc})
mupc_program(complete complete.c ${mupcc})
mupc_program(lock_init lock_init.c ${mupcc} -Wl,--wrap=upcr_global_lock_alloc)
# Programs that start and end the runtime themselves.
mupc_program(final_own final.c $<TARGET_FILE:upcc> -DOWN=1)
mupc_program(errors errors.c $<TARGET_FILE:upcc>)

# Once mapped, once by messages; with a communication thread, and without.
function(mupc_test name threads target)
  add_test(NAME mupc.${name} COMMAND ${mupcrun} -n ${threads} --timeout 280 ${CMAKE_CURRENT_BINARY_DIR}/${target} ${ARGN})
  set_tests_properties(mupc.${name} PROPERTIES LABELS mupc TIMEOUT 300 PROCESSORS 2)
endfunction()
mupc_test(library.mapped 3 library argument)
mupc_test(library.debug 2 library_debug argument)
mupc_test(library.messages 3 library argument)
mupc_test(library.messages_alone 2 library argument)
if(TARGET conduit_mpi_openmpi OR TARGET conduit_mpi_mpich)
  mupc_test(library.mpi 2 library argument)
  set_tests_properties(mupc.library.mpi PROPERTIES LABELS "mupc;mpi"
    ENVIRONMENT "UPCR_PSHM=no;UPCR_CONDUIT=mpi")
else()
  upcr_skipped_test(mupc.library.mpi "there is no MPI library here")
endif()
mupc_test(final.return 3 final return)
mupc_test(final.exit 4 final exit)
mupc_test(final.own 3 final_own)
mupc_test(relaxed 3 relaxed)
mupc_test(complete 3 complete)
mupc_test(lock_init 4 lock_init)
set_tests_properties(mupc.library.messages mupc.final.exit PROPERTIES ENVIRONMENT "UPCR_PSHM=no")
set_tests_properties(mupc.library.messages_alone mupc.relaxed mupc.complete mupc.lock_init PROPERTIES
  ENVIRONMENT "UPCR_PSHM=no;UPCR_PROGRESS_THREAD=no")
if(UPCR_TEST_ALL)
  upcr_guest_test(mupc.library.ibv rxe
    ${mupcrun} -n 3 --conduit ibv --timeout 280 ${CMAKE_CURRENT_BINARY_DIR}/library argument)
  set_tests_properties(mupc.library.ibv PROPERTIES ENVIRONMENT "UPCR_PSHM=no")
endif()

find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_test(NAME mupc.errors COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/errors.py
  ${mupcrun} ${CMAKE_CURRENT_BINARY_DIR}/errors)
add_test(NAME mupc.commands COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/commands.sh
  ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${CMAKE_CURRENT_SOURCE_DIR}/programs)
set_tests_properties(mupc.errors mupc.commands PROPERTIES LABELS mupc TIMEOUT 300)
