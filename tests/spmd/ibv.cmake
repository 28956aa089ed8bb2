# SPDX-License-Identifier: BSD-3-Clause
# The suite over the ibv conduit, in a guest with rxe, and with UPCR_TEST_ALL in one with siw as well
# (tests/ibv/guests.cmake). A program gets one shape on a device, and a different one from its neighbour; on each device
# they cover a receive queue for all peers and one for each, few receives, small bounce buffers, all connections at the
# start, shared memory between some processes, 2 to 4 processes, one and two threads in each, both of our libraries.
# UPCR_TEST_ALL: two more of the shapes for every program over emulated devices on this host (tests/ibv/emulated.cmake),
# where a test takes seconds of a processor and not minutes: eleven programs that follow each other have all of them.

# Threads, threads of a process, "" or _debug, and what else is set.
set(upcr_ibv_shapes
  "2 1 release UPCR_PSHM=no"
  "3 1 debug   UPCR_PSHM=no UPCR_IBV_SRQ=no"
  "4 2 release UPCR_PSHM=no UPCR_IBV_BOUNCE=256"
  "4 1 release UPCR_NODE_SIZE=2 UPCR_IBV_SRQ=yes"
  "3 1 release UPCR_PSHM=no UPCR_IBV_RECEIVES=2"
  "4 2 debug   UPCR_PSHM=no UPCR_IBV_CONNECT=all"
  "2 1 debug   UPCR_PSHM=no UPCR_IBV_BOUNCE=256 UPCR_IBV_SRQ=no"
  "4 1 release UPCR_PSHM=no UPCR_IBV_SRQ=no"
  "3 1 debug   UPCR_PSHM=yes UPCR_IBV_RECEIVES=2"
  "4 1 debug   UPCR_NODE_SIZE=2 UPCR_IBV_RECEIVES=2 UPCR_IBV_SRQ=no"
  "6 2 release UPCR_PSHM=no")
# Connections by datagrams, on rxe.
set(upcr_ibv_datagrams access)
# With at most two connections of each process open (UPCR_IBV_CONNECTIONS): these, and all over emulated devices with
# UPCR_TEST_ALL.
set(upcr_ibv_evicting access)
# With UPCR_TEST_ALL only, and then on one of the devices in turn, as emulated processors are slow: what is the same over
# all networks (names, how calls are encoded, collective allocation, where heaps and static data are, files), two minutes
# for the wrap of the collectives' slots, and what runs over an emulated device always (tests/ibv/emulated/jobs.cmake).
set(upcr_ibv_all_only allv_cxx coll_encoding coll_flags gasp gmem_heap heap_collective heap_partition io io_calls
  library_names proxy small sort static_data upc_names
  atomic_domain coll_examples coll_mixed coll_move coll_sync coll_teams locks vis_examples)
# Of the others these are on siw too with UPCR_TEST_ALL, which has no atomics and must not read short data across pages.
set(upcr_ibv_siw access async atomics bulk litmus nb private_memory vis)
set_property(GLOBAL PROPERTY UPCR_IBV_PROGRAMS 0)

# upcr_ibv_test(TEST GUEST PROGRAM "COUNTS" PTHREADS [NAME=VALUE...])
function(upcr_ibv_test test guest program counts pthreads)
  upcr_guest_test(${test} ${guest} ${PROJECT_SOURCE_DIR}/tests/spmd/run_matrix.sh $<TARGET_FILE:upcrun>
    $<TARGET_FILE:${program}> ${counts} --conduit ibv --pthreads ${pthreads})
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "${ARGN}")
endfunction()

# upcr_spmd_ibv_shape(SHAPE): `count`, `pthreads` and `program` of a program's shape, and in `shape` what else is set.
macro(upcr_spmd_ibv_shape i)
  list(GET upcr_ibv_shapes ${i} shape)
  separate_arguments(shape)
  list(POP_FRONT shape count pthreads build)
  upcr_spmd_target(program ${name} ${build})
endmacro()

# upcr_spmd_ibv(NAME EFFORT): the ways of one program.
function(upcr_spmd_ibv name effort)
  math(EXPR guest_effort "16 * ${effort}")
  get_property(number GLOBAL PROPERTY UPCR_IBV_PROGRAMS)
  math(EXPR next "${number} + 1")
  set_property(GLOBAL PROPERTY UPCR_IBV_PROGRAMS ${next})
  list(LENGTH upcr_ibv_shapes shapes)
  list(LENGTH upcr_guests guests)
  math(EXPR turn "${number} % ${guests}")
  list(GET upcr_guests ${turn} turn)
  set(mine ${number})
  foreach(guest ${upcr_guests})
    math(EXPR i "${mine} % ${shapes}")
    math(EXPR mine "${mine} + 4")  # siw has another shape than rxe
    if(name IN_LIST upcr_ibv_all_only)
      if(NOT UPCR_TEST_ALL OR NOT guest STREQUAL turn)
        continue()
      endif()
    elseif(guest STREQUAL siw AND NOT name IN_LIST upcr_ibv_siw)
      continue()
    endif()
    upcr_spmd_ibv_shape(${i})
    upcr_ibv_test(spmd.${name}.ibv.${guest} ${guest} ${program} ${count} ${pthreads} ${shape} SPMD_EFFORT=${guest_effort})
  endforeach()
  if(name IN_LIST upcr_ibv_datagrams)
    upcr_spmd_target(program ${name} debug)
    upcr_ibv_test(spmd.${name}.ibv.datagrams.rxe rxe ${program} 4 1 UPCR_PSHM=no UPCR_IBV_CONNECT_BY=ud
      UPCR_IBV_CONNECTIONS=2 SPMD_EFFORT=${guest_effort})
  endif()
  upcr_spmd_target(program ${name} release)
  if(name IN_LIST upcr_ibv_evicting)
    upcr_ibv_test(spmd.${name}.ibv.evicting.${turn} ${turn} ${program} 4 1 UPCR_PSHM=no UPCR_IBV_CONNECTIONS=2
      SPMD_EFFORT=${guest_effort})
  endif()
  if(UPCR_TEST_ALL)
    upcr_spmd_ibv_emulated(${name}.ibv.evicting ${program} 4 1 UPCR_PSHM=no UPCR_IBV_CONNECTIONS=2)
    foreach(apart 2 7)
      math(EXPR i "(${number} + ${apart}) % ${shapes}")
      upcr_spmd_ibv_shape(${i})
      upcr_spmd_ibv_emulated(${name}.ibv_all.${i} ${program} ${count} ${pthreads} ${shape})
    endforeach()
  endif()
endfunction()

# In upcr_spmd_ibv: spmd.NAME.emulated, over emulated devices.
function(upcr_spmd_ibv_emulated test program counts pthreads)
  math(EXPR emulated_effort "32 * ${effort}")
  upcr_emulated_test(spmd.${test}.emulated "${ARGN};SPMD_EFFORT=${emulated_effort}"
    ${PROJECT_SOURCE_DIR}/tests/spmd/run_matrix.sh $<TARGET_FILE:upcrun> $<TARGET_FILE:${program}> ${counts} --conduit ibv
    --pthreads ${pthreads})
endfunction()
