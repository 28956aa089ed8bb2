# SPDX-License-Identifier: BSD-3-Clause
# The suite over the ofi conduit. The channel under it is that of mpi and ibv, so these programs, one shape each, are
# chosen for what is the conduit's own: every kind of message, floods, long payloads, the end of jobs, several threads,
# each of libfabric's providers that need no device. UPCR_TEST_ALL: every program over UDP and over shm, and over TCP in two
# of seven shapes: with shared memory between some processes and without, one thread and two in each, both of our libraries.
# tests/hosts/test_ofi.py has them on two hosts.

# Over verbs;ofi_rxm, which wants memory to be registered here and chooses its keys, some programs run in a guest with the
# software device rxe (tests/ibv/guests.cmake), and a few more with UPCR_TEST_ALL.

# What FI_PROVIDER leaves (tcp: tcp;ofi_rxm, udp: udp;ofi_rxd), processes, threads of each, release or debug, and what else is set.
set(upcr_ofi_access      "tcp 3 1 debug   UPCR_PSHM=no")
set(upcr_ofi_atomicity   "tcp 4 1 release UPCR_NODE_SIZE=2 UPCR_OFI_ATOMICS=yes") # atomics of processors and of the provider on one word
set(upcr_ofi_atomics     "tcp 4 2 release UPCR_PSHM=no UPCR_OFI_ATOMICS=yes")
set(upcr_ofi_bulk        "tcp 5 1 release UPCR_PSHM=no UPCR_OFI_RMA=yes UPCR_OFI_PROGRESS=provider")
set(upcr_ofi_coll_move   "tcp 4 1 release UPCR_NODE_SIZE=2 UPCR_OFI_RMA=no")
set(upcr_ofi_heap_stress "tcp 3 1 release UPCR_PSHM=no UPCR_OFI_CREDITS=2 UPCR_OFI_RECEIVES=16 UPCR_OFI_ATOMICS=yes")
set(upcr_ofi_litmus      "tcp 4 1 release UPCR_PSHM=no UPCR_OFI_SENDS=16")
set(upcr_ofi_locks       "tcp 3 1 release UPCR_PSHM=no UPCR_OFI_SLEEP=no")
set(upcr_ofi_nb          "shm 3 1 release UPCR_PSHM=no UPCR_OFI_RMA=yes")
set(upcr_ofi_private_memory "tcp 3 1 debug UPCR_PSHM=no UPCR_OFI_RMA=yes")
set(upcr_ofi_small       "udp 3 1 debug   UPCR_PSHM=no UPCR_OFI_RMA=yes")
set(upcr_ofi_vis         "tcp 2 2 debug   UPCR_PSHM=no UPCR_OFI_TIMEOUT=1")
set(upcr_ofi_verbs atomics bulk)
set(upcr_ofi_verbs_all async heap_stress nb private_memory vis)
set(upcr_ofi_everywhere
  "udp 3 1 release UPCR_PSHM=no UPCR_OFI_RMA=yes"
  "shm 4 1 debug   UPCR_PSHM=no UPCR_OFI_RMA=yes UPCR_OFI_ATOMICS=yes")
set(upcr_ofi_all
  "tcp 2 1 release UPCR_PSHM=no UPCR_OFI_RMA=no"
  "tcp 5 1 debug   UPCR_PSHM=no UPCR_OFI_CREDITS=2 UPCR_OFI_RECEIVES=16"
  "tcp 4 2 debug   UPCR_NODE_SIZE=2 UPCR_OFI_RMA=yes"
  "tcp 5 2 release UPCR_PSHM=no UPCR_OFI_SENDS=16"
  "tcp 4 1 release UPCR_PSHM=no UPCR_OFI_PROGRESS=provider"
  "tcp 3 2 debug   UPCR_PSHM=no UPCR_OFI_ATOMICS=yes UPCR_OFI_TIMEOUT=1"
  "tcp 4 1 debug   UPCR_PSHM=no UPCR_OFI_RMA=yes")

# upcr_ofi_test(TEST PROVIDER PROGRAM "COUNTS" PTHREADS [NAME=VALUE...])
function(upcr_ofi_test test provider program counts pthreads)
  if(TARGET conduit_ofi)
    add_test(NAME ${test} COMMAND ${PROJECT_SOURCE_DIR}/tests/spmd/run_matrix.sh $<TARGET_FILE:upcrun>
      $<TARGET_FILE:${program}> ${counts} --conduit ofi --pthreads ${pthreads})
  else()
    upcr_skipped_test(${test} "there is no libfabric here")
  endif()
  set_tests_properties(${test} PROPERTIES LABELS ofi TIMEOUT 600 PROCESSORS 2
    ENVIRONMENT "FI_PROVIDER=${provider};${ARGN}")
endfunction()

function(upcr_spmd_ofi_shape test name effort shape)
  separate_arguments(shape)
  list(POP_FRONT shape provider count pthreads build)
  upcr_spmd_target(program ${name} ${build})
  upcr_ofi_test(${test} ${provider} ${program} ${count} ${pthreads} ${shape} SPMD_EFFORT=${effort})
endfunction()

# upcr_spmd_ofi(NAME EFFORT): the ways of one program. UPCR_SPMD_NAMES: all of these programs.
function(upcr_spmd_ofi name effort)
  set_property(GLOBAL APPEND PROPERTY UPCR_SPMD_NAMES ${name})
  if(TARGET conduit_ofi AND (name IN_LIST upcr_ofi_verbs OR (UPCR_TEST_ALL AND name IN_LIST upcr_ofi_verbs_all)))
    math(EXPR guest_effort "64 * ${effort}")
    upcr_spmd_target(program ${name} release)
    set(test spmd.${name}.ofi.verbs)
    upcr_guest_test(${test} rxe ${PROJECT_SOURCE_DIR}/tests/spmd/run_matrix.sh $<TARGET_FILE:upcrun>
      $<TARGET_FILE:${program}> 2 --conduit ofi)
    set_tests_properties(${test} PROPERTIES LABELS "ibv;ofi"
      ENVIRONMENT "FI_PROVIDER=verbs;UPCR_PSHM=no;UPCR_OFI_RMA=yes;UPCR_OFI_ATOMICS=yes;SPMD_EFFORT=${guest_effort}")
  endif()
  math(EXPR effort "8 * ${effort}")
  if(upcr_ofi_${name})
    upcr_spmd_ofi_shape(spmd.${name}.ofi ${name} ${effort} "${upcr_ofi_${name}}")
  endif()
  if(UPCR_TEST_ALL)
    get_property(program_number GLOBAL PROPERTY UPCR_SPMD_PROGRAMS)
    foreach(shape IN LISTS upcr_ofi_everywhere)
      string(SUBSTRING "${shape}" 0 3 provider)
      upcr_spmd_ofi_shape(spmd.${name}.ofi_all.${provider} ${name} ${effort} "${shape}")
    endforeach()
    foreach(more 0 3)
      math(EXPR number "(${program_number} + ${more}) % 7")
      list(GET upcr_ofi_all ${number} shape)
      upcr_spmd_ofi_shape(spmd.${name}.ofi_all.${number} ${name} ${effort} "${shape}")
    endforeach()
  endif()
endfunction()
