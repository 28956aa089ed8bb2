// SPDX-License-Identifier: BSD-3-Clause
// Execution of one work request, all of it in the process that posted it and under the fabric's mutex: a
// request finds the queue pair at the other end in shared memory, checks what that end would check, and moves
// the data itself.
#pragma once
#include <infiniband/verbs.h>
#include <sys/uio.h>

#include <vector>

#include "tests/ibv/emulated/fabric/fabric.hpp"
#include "tests/ibv/emulated/objects/request.hpp"

namespace emulated {

enum class Answer : std::uint8_t {
  kDone,      // with a status
  kNone,      // no answer comes: to be tried again until the time of the queue pair is over
  kNotReady,  // the other end has no receive: to be tried again
};
struct Outcome {
  Answer answer = Answer::kDone;
  ibv_wc_status status = IBV_WC_SUCCESS;
  std::uint8_t not_ready_timer = 0;  // of the other end, if it is not ready
};

// Of reliable connections and XRC.
Outcome execute(Fabric& fabric, QueuePair& from, const Request& request);
// Of datagrams: the status is that of sending it; whether it arrives is not known.
Outcome send_datagram(Fabric& fabric, QueuePair& from, const Request& request);

// The memory of the request in this process. False: LOC_PROT_ERR.
bool find_own_memory(Fabric& fabric, const QueuePair& from, const Request& request, unsigned access,
                     std::vector<iovec>* memory);

}  // namespace emulated
