# SPDX-License-Identifier: BSD-3-Clause
# Tests over an emulated libibverbs (tests/ibv/emulated, docs/how-to/rdma-vm.md): on this host, without a device, a
# kernel module or a guest.
#
#   upcr_emulated_test(NAME "NAME=VALUE;..." COMMAND...)   a test that runs COMMAND over a fabric of its own
#
# Where processes may not reach each other's memory each of them is skipped and says why.
function(upcr_emulated_test test environment)
  if(NOT TARGET conduit_ibv)
    upcr_skipped_test(${test} "the ibv conduit was not built")
    set_tests_properties(${test} PROPERTIES LABELS "ibv;emulated")
    return()
  endif()
  add_test(NAME ${test} COMMAND ${PROJECT_SOURCE_DIR}/tests/ibv/emulated/run.sh $<TARGET_FILE_DIR:emulated_verbs>
    $<TARGET_FILE:emulated_fabric> ${ARGN})
  set_tests_properties(${test} PROPERTIES LABELS "ibv;emulated" SKIP_RETURN_CODE 77 TIMEOUT 300
    ENVIRONMENT "${environment}")
endfunction()
