# SPDX-License-Identifier: BSD-3-Clause
# Tests on real verbs run in guests with a software RDMA device (tools/rdma-vm, docs/how-to/rdma-vm.md): one guest with
# rxe (RoCE) and with UPCR_TEST_ALL one with siw (iWARP), which are up as long as there are tests for them.
#
#   upcr_guest_test(NAME GUEST COMMAND...)   a test that runs COMMAND in the guest rxe or siw. It sees the files of the
#                                            host; what it writes is lost. What the test's ENVIRONMENT sets it has too.
#
# Where no guest can be had (no QEMU, no kernel's package) each of them is skipped and says why. With `ctest -R` the
# guests that are needed are started and stopped.

# Two builds on one machine have guests of their own, also those in containers that mount them at the same path.
if(NOT UPCR_GUEST_TOKEN)
  string(RANDOM LENGTH 16 token)
  set(UPCR_GUEST_TOKEN ${token} CACHE INTERNAL "Tells this build's guests from those of others")
endif()
string(MD5 upcr_guest_prefix "${PROJECT_BINARY_DIR} ${UPCR_GUEST_TOKEN}")
string(SUBSTRING ${upcr_guest_prefix} 0 8 upcr_guest_prefix)
set(upcr_rdma_vm ${PROJECT_SOURCE_DIR}/tools/rdma-vm)

# One processor: the runtime's membarriers interrupt the others, which costs three quarters of the time where processors
# are emulated, and two guests on two processors do more than one on both. siw, which has fewer tests, has two.
set(upcr_guest_processors_rxe 1)
set(upcr_guest_processors_siw 2)

# rxe has everything, siw no more than iWARP demands. A guest takes an emulated processor for minutes, and most of what
# siw runs is the same code, so it belongs to the full matrix.
set(upcr_guests rxe)
if(UPCR_TEST_ALL)
  list(APPEND upcr_guests siw)
endif()
foreach(guest ${upcr_guests})
  set(name upcr-${upcr_guest_prefix}-${guest})
  add_test(NAME ibv.guest.${guest}.start
    COMMAND ${upcr_rdma_vm} --start ${name} --device ${guest} --mem 2048 --smp ${upcr_guest_processors_${guest}}
      --owner parent --idle 3600)
  add_test(NAME ibv.guest.${guest}.stop COMMAND ${upcr_rdma_vm} --stop ${name})
  set_tests_properties(ibv.guest.${guest}.start PROPERTIES LABELS ibv FIXTURES_SETUP ibv.${guest}
    SKIP_RETURN_CODE 77 TIMEOUT 900)
  set_tests_properties(ibv.guest.${guest}.stop PROPERTIES LABELS ibv FIXTURES_CLEANUP ibv.${guest}
    SKIP_RETURN_CODE 77 TIMEOUT 120)
endforeach()

# rdma-vm itself, with a fake QEMU: most of it waits for what hangs.
if(UPCR_TEST_ALL)
  add_test(NAME ibv.rdma_vm COMMAND ${PROJECT_SOURCE_DIR}/tests/ibv/rdma_vm/test.sh ${upcr_rdma_vm} all)
  set_tests_properties(ibv.rdma_vm PROPERTIES LABELS ibv SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()

# Seconds after which the guest ends a command and reports what still runs. A whole suite on a busy machine must not
# wait for one test that hangs.
set(upcr_guest_limit 300)
if(UPCR_TEST_ALL)
  set(upcr_guest_limit 900)
endif()
math(EXPR upcr_guest_test_timeout "${upcr_guest_limit} + 150")

# What rdma-vm does with commands and guests that hang: half a minute each.
if(UPCR_TEST_ALL)
  add_test(NAME ibv.rdma_vm.limit COMMAND ${PROJECT_SOURCE_DIR}/tests/ibv/rdma_vm/limit.sh ${upcr_rdma_vm}
    upcr-${upcr_guest_prefix}-rxe)
  set_tests_properties(ibv.rdma_vm.limit PROPERTIES LABELS ibv FIXTURES_REQUIRED ibv.rxe SKIP_RETURN_CODE 77 TIMEOUT 300)

  # A guest that does not answer, of its own.
  add_test(NAME ibv.rdma_vm.hang COMMAND ${PROJECT_SOURCE_DIR}/tests/ibv/rdma_vm/hang.sh ${upcr_rdma_vm}
    upcr-${upcr_guest_prefix}-hang)
  set_tests_properties(ibv.rdma_vm.hang PROPERTIES LABELS ibv SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()

# COST: a guest runs one test at a time, which is the longest line of tests; so it begins first and does not stop.
function(upcr_guest_test test guest)
  if(NOT TARGET conduit_ibv)
    upcr_skipped_test(${test} "the ibv conduit was not built")
    set_tests_properties(${test} PROPERTIES LABELS ibv)
    return()
  endif()
  add_test(NAME ${test}
    COMMAND ${upcr_rdma_vm} --in upcr-${upcr_guest_prefix}-${guest} --timeout ${upcr_guest_limit} --cached -- ${ARGN})
  set_tests_properties(${test} PROPERTIES LABELS ibv FIXTURES_REQUIRED ibv.${guest} RESOURCE_LOCK ibv.${guest}
    SKIP_RETURN_CODE 77 PROCESSORS ${upcr_guest_processors_${guest}} COST 50
    TIMEOUT ${upcr_guest_test_timeout})
endfunction()
