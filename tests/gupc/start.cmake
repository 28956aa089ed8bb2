# SPDX-License-Identifier: BSD-3-Clause
# Sections, start-up, switches.
set(networks mpi.mpich)
if(UPCR_TEST_ALL)
  set(networks mpi.openmpi mpi.mpich ibv.rxe ibv.siw)
endif()
upcr_gupc_test(start start/start.c start/start_other.c WAYS smp messages pthreads debug ${networks}
  ARGS -heap 2M -- -x y)

# Options of upcc, descriptions in objects, switches, other ways to link.
set(sanitize)
if(UPCR_SANITIZE)
  set(sanitize -fsanitize=${UPCR_SANITIZE})
endif()
add_test(NAME gupc.start.links COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/start/start.sh)
set_tests_properties(gupc.start.links PROPERTIES LABELS "gupc" COST 100 TIMEOUT 600 ENVIRONMENT
  "UPCC=$<TARGET_FILE:upcc>;UPCRUN=$<TARGET_FILE:upcrun>;FIXTURES=${CMAKE_CURRENT_SOURCE_DIR}/fixtures;POINTER_BYTES=8;LIBDIR=$<TARGET_FILE_DIR:upcr>;INCLUDES=-I${PROJECT_SOURCE_DIR}/include -I${PROJECT_BINARY_DIR}/include;SANITIZE=${sanitize};SOURCE=${PROJECT_SOURCE_DIR}")
