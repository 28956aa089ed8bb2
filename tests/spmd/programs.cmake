# SPDX-License-Identifier: BSD-3-Clause
# Programs of tests/spmd and the names of their targets: spmd_NAME against libupcr, spmd_NAME_debug against
# libupcr_debug.

# upcr_spmd_target(RESULT NAME BUILD): the target of NAME's program for BUILD, release or debug.
function(upcr_spmd_target result name build)
  if(build STREQUAL "debug")
    set(${result} spmd_${name}_debug PARENT_SCOPE)
  else()
    set(${result} spmd_${name} PARENT_SCOPE)
  endif()
endfunction()

# upcr_spmd_program(NAME "BUILDS" SOURCES...): the targets of one program. spmd_debug_programs: those of all for debug.
add_custom_target(spmd_debug_programs)
function(upcr_spmd_program name builds)
  foreach(build ${builds})
    upcr_spmd_target(target ${name} ${build})
    string(REPLACE spmd_${name} upcr library ${target})
    add_executable(${target} ${ARGN})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE ${library})
    if(build STREQUAL "debug")
      add_dependencies(spmd_debug_programs ${target})
    endif()
  endforeach()
endfunction()

# upcr_spmd_misuse(NAME SOURCE BUILDS...): a program of errors, run with mapped memory and without. The script
# beside SOURCE checks the messages; its arguments are upcrun, the programs of BUILDS, and SOURCE.
function(upcr_spmd_misuse name source)
  upcr_spmd_program(${name} "${ARGN}" ${source})
  string(REGEX REPLACE "[.]c$" ".sh" script ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  set(programs)
  foreach(build ${ARGN})
    upcr_spmd_target(target ${name} ${build})
    list(APPEND programs $<TARGET_FILE:${target}>)
  endforeach()
  set(bypasses yes)
  if(UPCR_TEST_ALL OR name STREQUAL misuse)
    set(bypasses yes no)
  endif()
  foreach(bypass ${bypasses})
    set(test spmd.${name}.pshm_${bypass})
    add_test(NAME ${test} COMMAND ${script} $<TARGET_FILE:upcrun> ${programs}
      ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    set_tests_properties(${test} PROPERTIES LABELS "spmd;layout" TIMEOUT 600
      ENVIRONMENT "UPCR_PSHM=${bypass}")
  endforeach()
endfunction()
