# SPDX-License-Identifier: BSD-3-Clause
# The suite over the ibv conduit, in a guest with rxe, and with UPCR_TEST_ALL in one with siw as well
# (tests/ibv/guests.cmake). Every program gets one shape on a device, and a different one from its
# neighbour; on each device they cover a receive queue for all peers and one for each, few receives, small bounce
# buffers, all connections at the start, shared memory between some processes, 2 to 4 processes, one and two threads in
# each, both of our libraries. UPCR_TEST_ALL: every program with two or three more of the shapes on each device; five
# programs that follow each other have all of them. (All programs with all shapes take hours.)

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
# Connections by datagrams, on rxe: these, and every third one with UPCR_TEST_ALL.
set(upcr_ibv_datagrams access)
# With at most two connections of each process open (UPCR_IBV_CONNECTIONS): these, and all with UPCR_TEST_ALL.
set(upcr_ibv_evicting access)
# With UPCR_TEST_ALL only, as emulated processors are slow: what is the same over all networks (names, how calls are
# encoded, collective allocation, where heaps and static data are, files), two minutes for the wrap of the collectives'
# slots, and what runs over an emulated device on this host instead (tests/ibv/emulated/jobs.cmake).
set(upcr_ibv_all_only allv_cxx coll_encoding coll_flags gasp gmem_heap heap_collective heap_partition io io_calls
  library_names proxy small sort static_data upc_names
  atomic_domain coll_examples coll_mixed coll_move coll_sync coll_teams locks vis_examples)
set_property(GLOBAL PROPERTY UPCR_IBV_PROGRAMS 0)

# upcr_ibv_test(TEST GUEST PROGRAM "COUNTS" PTHREADS [NAME=VALUE...])
function(upcr_ibv_test test guest program counts pthreads)
  upcr_guest_test(${test} ${guest} ${PROJECT_SOURCE_DIR}/tests/spmd/run_matrix.sh $<TARGET_FILE:upcrun>
    $<TARGET_FILE:${program}> ${counts} --conduit ibv --pthreads ${pthreads})
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "${ARGN}")
endfunction()

# upcr_spmd_ibv(NAME EFFORT): the ways of one program.
function(upcr_spmd_ibv name effort)
  math(EXPR effort "16 * ${effort}")
  get_property(number GLOBAL PROPERTY UPCR_IBV_PROGRAMS)
  math(EXPR next "${number} + 1")
  set_property(GLOBAL PROPERTY UPCR_IBV_PROGRAMS ${next})
  list(LENGTH upcr_ibv_shapes shapes)
  list(LENGTH upcr_guests guests)
  math(EXPR turn "${number} % ${guests}")
  list(GET upcr_guests ${turn} turn)
  foreach(guest ${upcr_guests})
    math(EXPR mine "${number} % ${shapes}")
    math(EXPR number "${number} + 4")  # siw has another shape than rxe
    foreach(i RANGE 1 ${shapes})
      math(EXPR i "${i} - 1")
      math(EXPR sampled "(${i} + ${number}) % 5")
      if(i EQUAL mine)
        if(NOT UPCR_TEST_ALL AND name IN_LIST upcr_ibv_all_only)
          continue()
        endif()
      elseif(NOT UPCR_TEST_ALL OR NOT sampled EQUAL 0)
        continue()
      endif()
      list(GET upcr_ibv_shapes ${i} shape)
      separate_arguments(shape)
      list(POP_FRONT shape count pthreads build)
      upcr_spmd_target(program ${name} ${build})
      set(test spmd.${name}.ibv.${guest})
      if(NOT i EQUAL mine)
        set(test spmd.${name}.ibv_all.${guest}.${i})
      endif()
      upcr_ibv_test(${test} ${guest} ${program} ${count} ${pthreads} ${shape} SPMD_EFFORT=${effort})
    endforeach()
  endforeach()
  get_property(number GLOBAL PROPERTY UPCR_IBV_PROGRAMS)
  math(EXPR third "${number} % 3")
  if(name IN_LIST upcr_ibv_datagrams OR (UPCR_TEST_ALL AND third EQUAL 0))
    upcr_spmd_target(program ${name} debug)
    upcr_ibv_test(spmd.${name}.ibv.datagrams.rxe rxe ${program} 4 1 UPCR_PSHM=no UPCR_IBV_CONNECT_BY=ud
      UPCR_IBV_CONNECTIONS=2 SPMD_EFFORT=${effort})
  endif()
  if(UPCR_TEST_ALL OR name IN_LIST upcr_ibv_evicting)
    upcr_spmd_target(program ${name} release)
    upcr_ibv_test(spmd.${name}.ibv.evicting.${turn} ${turn} ${program} 4 1 UPCR_PSHM=no UPCR_IBV_CONNECTIONS=2
      SPMD_EFFORT=${effort})
  endif()
endfunction()
