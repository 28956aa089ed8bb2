# SPDX-License-Identifier: BSD-3-Clause
# Sections, start-up, switches.
set(networks mpi.mpich)
if(UPCR_TEST_ALL)
  set(networks mpi.openmpi mpi.mpich ibv.rxe ibv.siw)
endif()
upcr_gupc_test(start start.c start_other.c WAYS smp messages pthreads debug ${networks}
  ARGS -heap 2M -- -x y)
