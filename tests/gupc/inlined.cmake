# SPDX-License-Identifier: BSD-3-Clause
# Accesses that compilers have inlined from libupc, with its page cache as plain and as thread-local variables. Where
# memory of others is not mapped they are an error that names the compilers' option.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  upcr_skipped_test(gupc.inlined.packed.smp "the assembly is for x86-64")
  return()
endif()
function(upcr_gupc_inlined name case)
  upcr_gupc_test(${name} abi/inlined.c abi/inlined_asm.S ARGS ${case} ${ARGN})
endfunction()
upcr_gupc_inlined(inlined all WAYS smp pthreads)
upcr_gupc_inlined(inlined_own own WAYS messages debug THREADS 2)
upcr_gupc_inlined(inlined_tls all WAYS smp OPTIONS -DPAGES_TLS)
upcr_gupc_inlined(inlined_plain all FORMS packed WAYS pthreads OPTIONS -DPAGES_PLAIN)
upcr_gupc_inlined(inlined_other other WAYS messages THREADS 2
  PASS "error: Invalid inlined access: offset 0x[0-9a-f]+ of thread 1 is not mapped in the process of thread 0, and .*-fno-upc-inline-lib")
upcr_gupc_inlined(inlined_null null FORMS packed WAYS smp PASS "error: Invalid access via null shared pointer")
upcr_gupc_inlined(inlined_thread thread FORMS struct WAYS smp PASS "error: Thread number in shared address is out of range")
