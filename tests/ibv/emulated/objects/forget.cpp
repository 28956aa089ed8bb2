// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/fabric/forget.hpp"

#include <unistd.h>

#include <string>

#include "tests/ibv/emulated/objects/completion_queues.hpp"
#include "tests/ibv/emulated/objects/queue_pairs.hpp"
#include "tests/ibv/emulated/objects/receive_ring.hpp"
#include "tests/ibv/emulated/objects/xrc.hpp"

namespace emulated {

void forget_objects(Fabric& fabric, std::uint16_t process) {
  Shared& s = fabric.shared();
  const auto of_process = [process](const Entry& entry) { return entry.process == process; };
  s.qps.for_each([&](QueuePair& qp) {
    if (qp.type == IBV_QPT_XRC_RECV) {
      qp.holders[process] = 0;
      release_unheld(fabric, qp);
    } else if (of_process(qp)) {
      release(fabric, qp);
    }
  });
  s.srqs.for_each([&](SharedReceiveQueue& srq) {
    if (!of_process(srq)) return;
    close_ring(fabric, &srq.receives);
    srq.used = false;
  });
  s.cqs.for_each([&](CompletionQueue& cq) {
    if (of_process(cq)) release(fabric, cq);
  });
  const auto give_back = [&](Entry& entry) {
    if (of_process(entry)) entry.used = false;
  };
  s.regions.for_each(give_back);
  s.pds.for_each(give_back);
  s.contexts.for_each(give_back);
  s.channels.for_each([&](Channel& channel) {
    if (!of_process(channel)) return;
    ::unlink((fabric.directory() + "/channel." + std::to_string(channel.id)).c_str());
    channel.used = false;
  });
  s.xrcds.for_each([&](Domain& domain) {
    domain.holders[process] = 0;
    release_unheld(domain);
  });
}

}  // namespace emulated
