# SPDX-License-Identifier: BSD-3-Clause
# Allocation and locks of compiled programs. Six threads: five contend for the lock that one holds.
upcr_gupc_test(alloc alloc.c WAYS smp messages pthreads debug ARGS -heap 4M)
upcr_gupc_test(lock lock.c WAYS smp messages pthreads debug THREADS 6 ARGS 50)
foreach(form packed struct)
  set_property(TEST gupc.lock.${form}.debug APPEND PROPERTY ENVIRONMENT "UPCR_FAULT=delay=5,reorder=1,refuse=5")
endforeach()
