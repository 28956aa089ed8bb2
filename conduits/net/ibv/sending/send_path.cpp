// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/sending/send_path.hpp"

#include <cstring>
#include <string>

#include "conduits/core/base/system/signal_blocker.hpp"

namespace upcr::ibv {

// A write of no bytes, which needs no address.
void SendPath::post_signal(Link& link) {
  ibv_send_wr request{};
  request.opcode = IBV_WR_RDMA_WRITE;
  post_signalled(link, request, begin(link, OperationKind::kSignal));
}

// On iWARP a read completes writes, not a signal. A discarded queue pair may be destroyed at any time, and
// its requests complete no more.
void SendPath::post_kept() {
  Link& link = *batch_link_;
  if (link.discarded) return (void)batch_.take(nullptr);
  if (ibv_send_wr& last = batch_.last(); !iwarp_) {
    last.send_flags |= IBV_SEND_SIGNALED;
    link.queue.signal_last();
    unsignalled_.remove(link);
  }
  give(link, batch_.take(nullptr));
}

// siw sends over a TCP connection in the thread that posts, and the kernel
// raises SIGPIPE there when the peer has closed the connection. The program has written to no pipe: it shall
// see a broken connection, as with other devices.
int SendPath::post_by_siw(Link& link, ibv_send_wr& first) {
  const SignalBlocker blocker(SIGPIPE);
  ibv_send_wr* bad = nullptr;
  return ibv_post_send(link.connection.qp, &first, &bad);
}

void SendPath::refused(Link& link, int error) {
  if (link.broken) return;
  link.broken = true;
  connections_->report_broken(link.rank, std::string(link.queues->device().name()) +
                                             " accepts no work for the connection to " +
                                             connections_->name_of(link.rank) + ": " + std::strerror(error));
}

}  // namespace upcr::ibv
