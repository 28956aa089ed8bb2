# SPDX-License-Identifier: BSD-3-Clause
# upcr_gupc_program(NAME FILES... [FORMS F...] [OPTIONS WORD...] [TLS] [DEBUG]): links C and assembly files, as a
# compiler would have emitted them, by upcc --abi=gupc: gupc_NAME_FORM in tests/gupc of the build tree for each form of
# pointers-to-shared (packed struct), the variables of a file in its order, and a target gupc_NAME. OPTIONS: of upcc.
# TLS: also gupc_NAME_FORM_tls, compiled and linked for pthreads. DEBUG: also gupc_NAME_FORM_debug, with the debug
# library.
#
# upcr_gupc_test(NAME FILES... [FORMS F...] [OPTIONS WORD...] [WAYS W...] [THREADS N] [ARGS WORD...]
#                [PASS REGEX] [ENVIRONMENT VAR=VALUE...] [TIMEOUT S]): such a program, and tests gupc.NAME.FORM.WAY
# that run it on N UPC threads (default 3) with these arguments. PASS: what a run prints counts, not its status.
#   smp        memory of all threads mapped
#   messages   UPCR_PSHM=no: everything between processes goes through active messages
#   pthreads   two UPC threads a process, compiled for pthreads
#   debug      the debug library, messages
#   mpi.openmpi, mpi.mpich, ibv.rxe, ibv.siw   over a network's conduit, without shared memory; ibv: in a guest
# Default: smp messages pthreads. The build with the other layout (tests/matrix) leaves out the label more_ways: where a
# test has both forms it runs smp and pthreads with packed, messages and debug with struct.
file(GLOB_RECURSE upcr_gupc_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/gupc/*.h
  ${PROJECT_SOURCE_DIR}/upcr/gupc/abi/*.h ${PROJECT_SOURCE_DIR}/include/*.h)

function(upcr_gupc_program name)
  cmake_parse_arguments(arg "TLS;DEBUG" "" "FORMS;OPTIONS" ${ARGN})
  if(NOT arg_FORMS)
    set(arg_FORMS packed struct)
  endif()
  set(files)
  foreach(file ${arg_UNPARSED_ARGUMENTS})
    get_filename_component(file ${file} ABSOLUTE)
    list(APPEND files ${file})
  endforeach()
  set(programs)
  foreach(form ${arg_FORMS})
    upcr_gupc_link(${name}_${form} ${form} ${arg_OPTIONS})
    if(arg_TLS)
      upcr_gupc_link(${name}_${form}_tls ${form} -fupc-pthreads-model-tls ${arg_OPTIONS})
    endif()
    if(arg_DEBUG)
      upcr_gupc_link(${name}_${form}_debug ${form} -g ${arg_OPTIONS})
    endif()
  endforeach()
  add_custom_target(gupc_${name} ALL DEPENDS ${programs})
  # The libraries before the programs; what they export decides, not when they were linked.
  add_dependencies(gupc_${name} upcr upcr_debug)
  if(NOT UPCR_LAYOUT_FREE_FROM) # which has upcrun
    add_dependencies(gupc_${name} upcrun)
  endif()
endfunction()

# In upcr_gupc_program: one link of `files`; adds to `programs`.
function(upcr_gupc_link name form)
  set(program ${CMAKE_CURRENT_BINARY_DIR}/gupc_${name})
  add_custom_command(OUTPUT ${program}
    COMMAND upcc --abi=gupc --pts ${form} -O1 -fno-toplevel-reorder -Wall -Wextra -Werror -I ${PROJECT_SOURCE_DIR} ${ARGN} -o ${program} ${files}
    DEPENDS ${files} ${upcr_gupc_headers} upcc upcr_gupc_${form} upcr_gupc_start
    COMMENT "Linking gupc_${name}" VERBATIM)
  set(programs ${programs} ${program} PARENT_SCOPE)
endfunction()

function(upcr_gupc_test name)
  cmake_parse_arguments(arg "" "THREADS;PASS;TIMEOUT" "FORMS;OPTIONS;WAYS;ARGS;ENVIRONMENT" ${ARGN})
  foreach(default "FORMS;packed;struct" "WAYS;smp;messages;pthreads" "THREADS;3" "TIMEOUT;120")
    list(POP_FRONT default variable)
    if(NOT arg_${variable})
      set(arg_${variable} ${default})
    endif()
  endforeach()
  set(variants)
  if("pthreads" IN_LIST arg_WAYS)
    list(APPEND variants TLS)
  endif()
  if("debug" IN_LIST arg_WAYS)
    list(APPEND variants DEBUG)
  endif()
  upcr_gupc_program(${name} ${arg_UNPARSED_ARGUMENTS} ${variants} FORMS ${arg_FORMS} OPTIONS ${arg_OPTIONS})
  foreach(form ${arg_FORMS})
    set(program ${CMAKE_CURRENT_BINARY_DIR}/gupc_${name}_${form})
    foreach(way ${arg_WAYS})
      upcr_gupc_way(gupc.${name}.${form}.${way} ${way} ${program})
      set(test gupc.${name}.${form}.${way})
      if(arg_FORMS STREQUAL "packed;struct" AND "${form}.${way}" MATCHES "^(packed[.](messages|debug)|struct[.](smp|pthreads))$")
        set_property(TEST ${test} APPEND PROPERTY LABELS more_ways)
      endif()
      if(arg_PASS)
        set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "${arg_PASS}")
      endif()
    endforeach()
  endforeach()
endfunction()

# In upcr_gupc_test: one test of `program`.
function(upcr_gupc_way test way program)
  set(run $<TARGET_FILE:upcrun> -n ${arg_THREADS})
  set(environment ${arg_ENVIRONMENT})
  string(REGEX REPLACE "^.*[.]" "" network ${way})
  if(way STREQUAL "pthreads")
    set(program ${program}_tls)
    list(APPEND run --pthreads 2)
  elseif(NOT way STREQUAL "smp")
    list(APPEND environment UPCR_PSHM=no)
  endif()
  if(way STREQUAL "debug")
    set(program ${program}_debug)
  elseif(way MATCHES "^mpi[.]")
    list(APPEND environment UPCR_MPI_LIBRARY=${network})
    list(APPEND run --conduit mpi)
  endif()
  set(labels gupc)
  if(NOT network STREQUAL way)
    string(REGEX REPLACE "[.].*$" "" kind ${way})
    list(APPEND labels ${kind})
  endif()
  if(way MATCHES "^ibv[.]")
    upcr_guest_test(${test} ${network} ${run} --conduit ibv ${program} ${arg_ARGS})
  elseif(way MATCHES "^mpi[.]" AND NOT TARGET conduit_mpi_${network})
    upcr_skipped_test(${test} "there is no ${network} here")
  else()
    add_test(NAME ${test} COMMAND ${run} ${program} ${arg_ARGS})
    set_tests_properties(${test} PROPERTIES TIMEOUT ${arg_TIMEOUT})
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${labels}" ENVIRONMENT "${environment}")
endfunction()
