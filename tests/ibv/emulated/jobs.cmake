# SPDX-License-Identifier: BSD-3-Clause
# Programs and scripts of the ibv conduit over emulated devices.
set(tests ${PROJECT_SOURCE_DIR}/tests)

# upcr_emulated_spmd(TEST PROGRAM THREADS PTHREADS EFFORT [NAME=VALUE...]): a program of tests/spmd.
function(upcr_emulated_spmd test program threads pthreads effort)
  upcr_emulated_test(${test} "SPMD_EFFORT=${effort};${ARGN}" ${tests}/spmd/run_matrix.sh $<TARGET_FILE:upcrun>
    $<TARGET_FILE:spmd_${program}> ${threads} --conduit ibv --pthreads ${pthreads})
endfunction()

# Each program with a shape of its own: threads, threads of a process, and what else is set.
set(shapes
  "4 1 UPCR_IBV_CONNECTIONS=2"
  "3 1 UPCR_IBV_SRQ=no EMULATED_VERBS_LINK=infiniband"
  "4 2 UPCR_IBV_BOUNCE=256 EMULATED_VERBS_DEVICES=2"
  "4 1 UPCR_NODE_SIZE=2 UPCR_PSHM=yes EMULATED_VERBS_DEFER=5"
  "3 1 UPCR_IBV_RECEIVES=2 EMULATED_VERBS_ATOMIC_CAP=none"
  "4 2 UPCR_IBV_CONNECT=all EMULATED_VERBS_LOSE_DATAGRAMS=4"
  "3 1 UPCR_IBV_SRQ_SIZE=8 EMULATED_VERBS_MTU=1024")
set(number 0)
foreach(program access async atomic_domain atomics atomicity barrier_order bulk coll_examples coll_mixed coll_move coll_sync
    coll_teams litmus locks nb private_memory semaphores vis vis_examples)
  list(LENGTH shapes count)
  math(EXPR nth "${number} % ${count}")
  math(EXPR number "${number} + 1")
  list(GET shapes ${nth} shape)
  separate_arguments(shape)
  list(POP_FRONT shape threads pthreads)
  upcr_emulated_spmd(ibv.emulated.spmd.${program} ${program} ${threads} ${pthreads} 32 ${shape})
endforeach()
# The device's atomics, which messages replace where they are not coherent with processors.
upcr_emulated_spmd(ibv.emulated.device_atomics atomics 4 1 16 UPCR_IBV_ATOMICS=device EMULATED_VERBS_DEFER=3)
# Words by RDMA in place of messages.
upcr_emulated_spmd(ibv.emulated.words litmus 3 1 64 UPCR_IBV_WORDS=rdma)

# Connections, and how many requests and doorbells puts take.
upcr_emulated_test(ibv.emulated.connect.race "" $<TARGET_FILE:upcrun> --conduit smp -n 4 --timeout 100
  $<TARGET_FILE:ibv_connect> 10)
upcr_emulated_test(ibv.emulated.connect.all "EMULATED_VERBS_LOSE_DATAGRAMS=5" $<TARGET_FILE:upcrun> --conduit smp -n 3
  --timeout 100 $<TARGET_FILE:ibv_connect> 3 all)
upcr_emulated_test(ibv.emulated.connect.port_down "" ${tests}/ibv/connections/port_down.sh $<TARGET_FILE:upcrun>
  $<TARGET_FILE:ibv_connect> emu0)
upcr_emulated_test(ibv.emulated.posting "" ${tests}/ibv/posting/posting.sh $<TARGET_FILE:upcrun>
  $<TARGET_FILE:ibv_posting> $<TARGET_FILE:ibv_count_verbs> emulated)

# Several threads of each process send to all others, by so many send paths: while connections are closed, with short
# queues, with rails, and with credits that move. Of shared_paths and few_paths some peers share a path.
function(upcr_emulated_threads name paths processes pthreads)
  upcr_emulated_test(ibv.emulated.threads.${name} "${ARGN}" ${tests}/ibv/threads/threads.sh $<TARGET_FILE:upcrun>
    $<TARGET_FILE:ibv_threads> ${paths} ${processes} ${pthreads})
endfunction()
upcr_emulated_threads(evicted 4 4 3 UPCR_IBV_CONNECTIONS=2 EMULATED_VERBS_DEFER=7)
upcr_emulated_threads(shared_paths 8 10 2 UPCR_IBV_CONNECTIONS=4)
upcr_emulated_threads(few_paths 2 4 2 UPCR_IBV_SEND_DEPTH=40 UPCR_IBV_RECEIVES=3 UPCR_IBV_BOUNCE=512
  UPCR_IBV_SRQ_SIZE=8 EMULATED_VERBS_MAX_CQE=180)
upcr_emulated_threads(short_queues 4 3 3 UPCR_IBV_SEND_DEPTH=4 UPCR_IBV_RECEIVES=3 UPCR_IBV_BOUNCE=512 UPCR_IBV_SRQ_SIZE=8)
upcr_emulated_threads(rails 2 2 4 UPCR_IBV_STRIPE=8KB UPCR_IBV_CONNECTIONS=3 EMULATED_VERBS_DEVICES=2)
upcr_emulated_threads(credits 4 4 4 UPCR_IBV_SRQ_SIZE=160 UPCR_IBV_ATOMICS=messages UPCR_IBV_XRC=no)

# Faults: a process that is killed, a link that goes down.
foreach(fault killed link_down)
  upcr_emulated_test(ibv.emulated.fault.${fault} "UPCR_IBV_TIMEOUT=1;UPCR_IBV_PORT_DOWN=1"
    ${tests}/ibv/faults/${fault}.sh $<TARGET_FILE:upcrun> $<TARGET_FILE:ibv_transfers>)
endforeach()

# Two devices, each in a network of its own.
function(upcr_emulated_rails name)
  upcr_emulated_test(ibv.emulated.rails.${name} "EMULATED_VERBS_DEVICES=2;UPCR_IBV_TIMEOUT=1;UPCR_IBV_PORT_DOWN=1"
    ${tests}/ibv/rails/rails.sh $<TARGET_FILE:upcrun> $<TARGET_FILE:ibv_rails> $<TARGET_FILE_DIR:spmd_access>
    ${PROJECT_BINARY_DIR}/lib/upcr ${ARGN})
endfunction()
upcr_emulated_rails(transfers datagrams long small no)
upcr_emulated_rails(no_queue_pair no_queue_pair)
upcr_emulated_rails(two_connections two_connections)
upcr_emulated_rails(closed closed)
upcr_emulated_rails(peer_closes peer_closes one_connection)
upcr_emulated_rails(faults killed link_down)
upcr_emulated_rails(programs programs)

# Devices that look like hardware.
upcr_emulated_test(ibv.emulated.hardware "SPMD_EFFORT=16" ${CMAKE_CURRENT_SOURCE_DIR}/with_sysfs.sh
  ${CMAKE_CURRENT_SOURCE_DIR}/hardware.sh $<TARGET_FILE:upcrun> $<TARGET_FILE:spmd_litmus> $<TARGET_FILE:upcr_info>)

# Partition, service level, traffic class and relaxed ordering are what their variables say.
upcr_emulated_test(ibv.emulated.quality "" ${CMAKE_CURRENT_SOURCE_DIR}/quality.sh $<TARGET_FILE:upcrun>
  $<TARGET_FILE:ibv_transfers> $<TARGET_FILE:spmd_access>)

# Devices that have little.
upcr_emulated_test(ibv.emulated.limits "EMULATED_VERBS_DEVICES=2" ${CMAKE_CURRENT_SOURCE_DIR}/limits.sh
  $<TARGET_FILE:upcrun> $<TARGET_FILE:ibv_transfers> $<TARGET_FILE:spmd_access>)
