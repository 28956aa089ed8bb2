# SPDX-License-Identifier: BSD-3-Clause
# Tests of programs that check themselves: compiled by upcc and run (run.sh), in variants.
#
# A variant is "NAME|THREADS...|UPCC OPTION...": `apart`, `apart_...` without memory that threads map of each other,
# `mpi` with one process a thread by Open MPI, `clang`, `clang_...` with clang as upcc's compiler.
find_program(UPCR_TEST_CLANG clang)

# upc_variants(VARIABLE VARIANT...): those that can be run here.
function(upc_variants variable)
  set(variants ${ARGN})
  if(NOT TARGET conduit_mpi_openmpi)
    list(FILTER variants EXCLUDE REGEX "^mpi")
  endif()
  if(NOT UPCR_TEST_CLANG)
    list(FILTER variants EXCLUDE REGEX "^clang")
  endif()
  set(${variable} ${variants} PARENT_SCOPE)
endfunction()

# upc_variant_name(VARIABLE VARIANT)
function(upc_variant_name variable variant)
  string(REGEX REPLACE "[|].*" "" name "${variant}")
  set(${variable} ${name} PARENT_SCOPE)
endfunction()

# upc_variant_index(VARIABLE NAME VARIANT...): the place of the variant NAME.
function(upc_variant_index variable name)
  set(names)
  foreach(variant ${ARGN})
    upc_variant_name(label ${variant})
    list(APPEND names ${label})
  endforeach()
  list(FIND names ${name} index)
  set(${variable} ${index} PARENT_SCOPE)
endfunction()

# upc_program_test(NAME VARIANT SOURCE...): the test NAME.VARIANT of a program.
function(upc_program_test name variant)
  string(REPLACE "|" ";" entry "${variant}")
  list(GET entry 0 label)
  list(GET entry 1 threads)
  list(GET entry 2 options)
  separate_arguments(options)
  set(test ${name}.${label})
  add_test(NAME ${test} COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/run.sh $<TARGET_FILE:upcc> $<TARGET_FILE:upcrun>
    ${threads} ${ARGN} -- ${options})
  set_tests_properties(${test} PROPERTIES LABELS upc2c TIMEOUT 300)
  if(label MATCHES "^apart")
    set_tests_properties(${test} PROPERTIES ENVIRONMENT "UPCR_PSHM=no")
  elseif(label STREQUAL mpi)
    set_tests_properties(${test} PROPERTIES LABELS "upc2c;mpi" PROCESSORS 2
      ENVIRONMENT "UPCR_PSHM=no;UPCR_CONDUIT=mpi;UPCR_MPI_LIBRARY=openmpi")
  elseif(label MATCHES "^clang")
    set_tests_properties(${test} PROPERTIES ENVIRONMENT "UPCC_CC=${UPCR_TEST_CLANG}")
  endif()
endfunction()

# upc_program_tests(PREFIX ALWAYS VARIANT...): the programs of programs/, each a test PREFIX.PROGRAM in all variants
# whose names ALWAYS matches and in every fourth of the others in turn; with UPCR_TEST_ALL in all.
function(upc_program_tests prefix always)
  file(GLOB programs CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/programs/*.upc)
  set(turn 0)
  foreach(source ${programs})
    get_filename_component(name ${source} NAME_WE)
    foreach(variant ${ARGN})
      upc_variant_name(label ${variant})
      if(NOT UPCR_TEST_ALL AND NOT label MATCHES "^(${always})$")
        math(EXPR turn "(${turn} + 1) % 4")
        if(NOT turn EQUAL 0)
          continue()
        endif()
      endif()
      upc_program_test(${prefix}.${name} ${variant} ${source})
    endforeach()
  endforeach()
endfunction()
