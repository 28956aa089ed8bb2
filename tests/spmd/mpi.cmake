# SPDX-License-Identifier: BSD-3-Clause
# The suite over the mpi conduit: each program once with each MPI library. A job of mpirun takes up to a second
# to start, so every program gets one shape with each library, and a different one from its neighbour; together
# they cover both ways to move data, with shared memory, without, and between groups of two, 1 to 5 processes,
# one and two threads in each, both of our libraries. UPCR_TEST_ALL: every program with one more way over each
# library, with 1, 2 and 4 threads; twelve programs that follow each other have all ways. (All programs with all take
# hours.)
#
# Tests of a library that is not installed are reported as skipped.

# Threads, threads of a process, "" or _debug, UPCR_MPI_RMA, and what else is set.
set(upcr_mpi_shapes
  "2 1 release no  UPCR_PSHM=no"
  "4 2 debug   yes UPCR_PSHM=no"
  "3 1 release yes UPCR_PSHM=no"
  "5 1 debug   no  UPCR_PSHM=no"
  "4 1 release yes UPCR_NODE_SIZE=2"
  "5 2 release no  UPCR_PSHM=no"
  "3 1 debug   yes UPCR_PSHM=yes"
  "5 1 release yes UPCR_PSHM=no"
  "1 1 debug   no  UPCR_PSHM=no"
  "4 1 debug   no  UPCR_NODE_SIZE=2"
  "4 2 release yes UPCR_PSHM=yes"
  "2 1 debug   yes UPCR_PSHM=no"
  "3 2 release auto UPCR_PSHM=no")
set_property(GLOBAL PROPERTY UPCR_MPI_PROGRAMS 0)

# upcr_mpi_test(TEST LIBRARY PROGRAM "COUNTS" PTHREADS [NAME=VALUE...])
function(upcr_mpi_test test library program counts pthreads)
  if(TARGET conduit_mpi_${library})
    add_test(NAME ${test} COMMAND ${PROJECT_SOURCE_DIR}/tests/spmd/run_matrix.sh $<TARGET_FILE:upcrun>
      $<TARGET_FILE:${program}> ${counts} --conduit mpi --pthreads ${pthreads})
  else()
    upcr_skipped_test(${test} "there is no ${library} here")
  endif()
  set_tests_properties(${test} PROPERTIES LABELS mpi TIMEOUT 600 PROCESSORS 2
    ENVIRONMENT "UPCR_MPI_LIBRARY=${library};${ARGN}")
endfunction()

# upcr_spmd_mpi(NAME EFFORT): the ways of one program.
function(upcr_spmd_mpi name effort)
  math(EXPR effort "8 * ${effort}")
  get_property(number GLOBAL PROPERTY UPCR_MPI_PROGRAMS)
  math(EXPR next "${number} + 1")
  set_property(GLOBAL PROPERTY UPCR_MPI_PROGRAMS ${next})
  list(LENGTH upcr_mpi_shapes shapes)
  foreach(library openmpi mpich)
    # The two shapes of a program are five apart: never are both without messages.
    math(EXPR i "${number} % ${shapes}")
    math(EXPR number "${number} + 5")
    list(GET upcr_mpi_shapes ${i} shape)
    separate_arguments(shape)
    list(POP_FRONT shape count pthreads build rma)
    upcr_spmd_target(program ${name} ${build})
    upcr_mpi_test(spmd.${name}.mpi.${library} ${library} ${program} ${count} ${pthreads}
      ${shape} UPCR_MPI_RMA=${rma} SPMD_EFFORT=${effort})
  endforeach()
  if(NOT UPCR_TEST_ALL)
    return()
  endif()
  set(ways)
  foreach(build release debug)
    foreach(pthreads 1 2)
      list(APPEND ways "${build} ${pthreads} apart.rma_yes UPCR_PSHM=no UPCR_MPI_RMA=yes"
        "${build} ${pthreads} apart.rma_no UPCR_PSHM=no UPCR_MPI_RMA=no" "${build} ${pthreads} together UPCR_PSHM=yes")
    endforeach()
  endforeach()
  foreach(library openmpi mpich)
    foreach(i RANGE 11)
      math(EXPR sampled "(${i} + ${next}) % 12")
      if(NOT sampled EQUAL 0)
        continue()
      endif()
      list(GET ways ${i} way)
      separate_arguments(way)
      list(POP_FRONT way build pthreads name_of_way)
      upcr_spmd_target(program ${name} ${build})
      upcr_mpi_test(spmd.${name}.mpi_all.${library}.${build}.${pthreads}.${name_of_way} ${library} ${program}
        "1 2 4" ${pthreads} ${way} SPMD_EFFORT=${effort})
    endforeach()
    math(EXPR next "${next} + 6")  # the other of the two builds
  endforeach()
endfunction()
