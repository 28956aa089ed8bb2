# SPDX-License-Identifier: BSD-3-Clause
# Threads that wait for relaxed variables of their own.
set(networks)
if(UPCR_TEST_ALL)
  set(networks smp pthreads mpi.openmpi mpi.mpich ibv.rxe)
endif()
upcr_gupc_test(own memory/own.c FORMS packed WAYS messages ${networks} THREADS 2 TIMEOUT 60)
