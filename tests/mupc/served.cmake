# SPDX-License-Identifier: BSD-3-Clause
# Which threads are served with and without UPCR_PROGRESS_THREAD, on every conduit, with shared memory off (served.c).
add_executable(mupc_served served.c)
target_include_directories(mupc_served PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(mupc_served PRIVATE upcr)

# upcr_served_test(NAME PROGRESS-THREAD [NAME=VALUE...])
function(upcr_served_test name thread)
  set_tests_properties(mupc.served.${name} PROPERTIES TIMEOUT 300 PROCESSORS 2
    ENVIRONMENT "UPCR_PSHM=no;UPCR_PROGRESS_THREAD=${thread};${ARGN}")
endfunction()

foreach(way with without)
  set(ways without)
  set(thread no)
  if(way STREQUAL "with")
    set(ways with idle)
    set(thread yes)
  endif()
  set(program $<TARGET_FILE:mupc_served> ${ways})
  add_test(NAME mupc.served.${way}.smp COMMAND upcrun -n 2 --conduit smp --timeout 280 ${program})
  upcr_served_test(${way}.smp ${thread})
  set_tests_properties(mupc.served.${way}.smp PROPERTIES LABELS mupc)
  foreach(library openmpi mpich)
    if(TARGET conduit_mpi_${library})
      add_test(NAME mupc.served.${way}.mpi.${library}
        COMMAND upcrun -n 3 --conduit mpi --timeout 280 ${program})
    else()
      upcr_skipped_test(mupc.served.${way}.mpi.${library} "there is no ${library} here")
    endif()
    # Windows of MPI could do without the target.
    upcr_served_test(${way}.mpi.${library} ${thread}
      UPCR_MPI_LIBRARY=${library} UPCR_MPI_RMA=no SERVED_COMPUTING=200)
    set_tests_properties(mupc.served.${way}.mpi.${library} PROPERTIES LABELS "mupc;mpi")
  endforeach()
  # RDMA gets and puts need no help of the target; a post waits for no thread.
  upcr_guest_test(mupc.served.${way}.ibv rxe
    $<TARGET_FILE:upcrun> -n 2 --conduit ibv --timeout 280 ${program})
  set_tests_properties(mupc.served.${way}.ibv PROPERTIES LABELS "mupc;ibv"
    ENVIRONMENT "UPCR_PSHM=no;UPCR_PROGRESS_THREAD=${thread};SERVED_BY_NETWORK=get put message;SERVED_IDLE=10")
endforeach()
