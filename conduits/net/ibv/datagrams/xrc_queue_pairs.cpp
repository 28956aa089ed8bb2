// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/datagrams/xrc_queue_pairs.hpp"

#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

}  // namespace

ibv_qp* XrcQueuePairs::create_initiator(const Connection& connection, ibv_qp_init_attr* attributes) {
  ibv_qp_init_attr_ex wanted{};
  wanted.send_cq = attributes->send_cq;
  wanted.cap = attributes->cap;
  wanted.cap.max_recv_wr = wanted.cap.max_recv_sge = 0;
  wanted.qp_type = IBV_QPT_XRC_SEND;
  wanted.comp_mask = IBV_QP_INIT_ATTR_PD;
  wanted.pd = connection.device->pd();
  ibv_qp* const qp = ::ibv_create_qp_ex(connection.device->context(), &wanted);
  if (qp == nullptr) return nullptr;
  attributes->cap.max_inline_data = wanted.cap.max_inline_data;
  const int error = initialise(qp, ports_[connection.port], partitions_[connection.port]);
  if (error == 0) return qp;
  ::ibv_destroy_qp(qp);
  errno = error;
  return nullptr;
}

int XrcQueuePairs::connect_one(ibv_qp* qp, const Connection& connection, unsigned remote_port,
                               const QueuePairEnd& own, const QueuePairEnd& remote,
                               QueuePairRole role) const {
  const PublishedPort& local = directory_->of(directory_->rank()).ports[connection.port];
  return ibv::connect(qp, ports_[connection.port], local, directory_->of(connection.peer).ports[remote_port],
                      own, remote, settings_, role);
}

std::string XrcQueuePairs::connect_initiator(const Connection& connection, unsigned remote_port,
                                             const QueuePairEnd& own, const QueuePairEnd& target) {
  const int error =
      connect_one(connection.qp, connection, remote_port, own, target, QueuePairRole::kInitiator);
  if (error != 0) {
    UPCR_LOG(log_ibv, kInfo, "XRC: queue pair %u cannot be connected with %s: %s", connection.qp->qp_num,
             directory_->name_of(connection.peer).c_str(), std::strerror(error));
    return std::string("cannot connect the XRC queue pair: ") + std::strerror(error);
  }
  UPCR_LOG(log_ibv, kInfo, "XRC: queue pair %u sends to %s and its host's processes by queue pair %u there",
           connection.qp->qp_num, directory_->name_of(connection.peer).c_str(), target.number);
  return "";
}

ibv_qp* XrcQueuePairs::create_target(const Connection& connection, unsigned remote_port,
                                     const QueuePairEnd& own, const QueuePairEnd& remote,
                                     std::string* error) {
  ibv_qp_init_attr_ex wanted{};
  wanted.qp_type = IBV_QPT_XRC_RECV;
  wanted.comp_mask = IBV_QP_INIT_ATTR_XRCD;
  wanted.xrcd = connection.device->xrcd();
  ibv_qp* const qp = ::ibv_create_qp_ex(connection.device->context(), &wanted);
  if (qp == nullptr) {
    *error = std::string("cannot create a receiving XRC queue pair: ") + std::strerror(errno);
    return nullptr;
  }
  const QueuePairEnd here{qp->qp_num, 0, own.reads};
  int code = initialise(qp, ports_[connection.port], partitions_[connection.port]);
  if (code == 0) code = connect_one(qp, connection, remote_port, here, remote, QueuePairRole::kTarget);
  if (code == 0) {
    UPCR_LOG(log_ibv, kInfo, "XRC: queue pair %u receives what %s sends to this host", qp->qp_num,
             directory_->name_of(connection.peer).c_str());
    return qp;
  }
  ::ibv_destroy_qp(qp);
  *error = std::string("cannot connect a receiving XRC queue pair: ") + std::strerror(code);
  return nullptr;
}

void XrcQueuePairs::destroy(ibv_qp* queue_pair) {
  if (const int error = ::ibv_destroy_qp(queue_pair); error != 0)
    warn("an XRC queue pair was not destroyed: %s", std::strerror(error));
}

}  // namespace upcr::ibv
