// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/endpoint/send_path.hpp"

#include <cstring>
#include <string>

namespace upcr::ibv {

// A write of no bytes, which needs no address.
void SendPath::post_signal(Link& link) {
  ibv_send_wr request{};
  request.opcode = IBV_WR_RDMA_WRITE;
  post_signalled(link, request, begin(link, OperationKind::kSignal));
}

void SendPath::refused(Link& link, int error) {
  if (link.broken) return;
  link.broken = true;
  connections_->report_broken(link.rank, std::string(link.queues->device().name()) +
                                             " accepts no work for the connection to " +
                                             connections_->name_of(link.rank) + ": " + std::strerror(error));
}

}  // namespace upcr::ibv
