// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/checks/node.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdlib>

namespace emulated::checks {
namespace {

constexpr std::uint32_t kFirstPacket = 77;
constexpr std::uint8_t kShortest = 1;  // RNR timer: 10 microseconds
constexpr int kEntries = 64;
constexpr std::uint32_t kQueueKey = 0x1234;

}  // namespace

Memory::Memory(ibv_pd* pd, int access, std::size_t size)
    : bytes(size), mr(ibv_reg_mr(pd, bytes.data(), size, static_cast<unsigned>(access))) {
  need(mr != nullptr, "memory is registered");
}

ibv_sge Memory::piece(std::size_t at, std::size_t size) const {
  return {reinterpret_cast<std::uintptr_t>(bytes.data() + at), static_cast<std::uint32_t>(size), mr->lkey};
}

Told Memory::told(std::size_t at) const {
  Told t;
  t.key = mr->rkey;
  t.address = reinterpret_cast<std::uintptr_t>(bytes.data() + at);
  return t;
}

Node::Node(unsigned device) {
  int count = 0;
  ibv_device** list = ::ibv_get_device_list(&count);
  need(list != nullptr && static_cast<int>(device) < count, "there is such a device");
  context = ::ibv_open_device(list[device]);
  need(context != nullptr, "the device is opened");
  ::ibv_free_device_list(list);
  pd = ::ibv_alloc_pd(context);
  channel = ::ibv_create_comp_channel(context);
  cq = ::ibv_create_cq(context, kEntries, nullptr, channel, 0);
  need(pd != nullptr && channel != nullptr && cq != nullptr, "a device gives a domain and a queue");
  need(::ibv_query_port(context, 1, &port) == 0 && ::ibv_query_gid(context, 1, 0, &gid) == 0,
       "a port has a GID");
}

ibv_qp* Node::make(ibv_qp_type type, ibv_srq* srq) {
  ibv_qp_init_attr attributes{};
  attributes.send_cq = attributes.recv_cq = cq;
  attributes.srq = srq;
  attributes.qp_type = type;
  attributes.cap = {8, 8, 2, 2, 64};
  ibv_qp* qp = ::ibv_create_qp(pd, &attributes);
  need(qp != nullptr, "a queue pair is created");
  return qp;
}

void Node::initialise(ibv_qp* qp, unsigned access) const {
  ibv_qp_attr a{};
  a.qp_state = IBV_QPS_INIT;
  a.port_num = 1;
  a.qp_access_flags = access;
  a.qkey = kQueueKey;
  const int last = qp->qp_type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
  need(::ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | last) == 0, "INIT");
}

void Node::connect(ibv_qp* qp, const Told& to, const Patience& patience) const {
  const bool source = qp->qp_type == IBV_QPT_XRC_SEND, target = qp->qp_type == IBV_QPT_XRC_RECV;
  ibv_qp_attr a{};
  a.qp_state = IBV_QPS_RTR;
  a.path_mtu = port.active_mtu;
  a.dest_qp_num = to.queue_pair;
  a.rq_psn = kFirstPacket;
  a.max_dest_rd_atomic = 4;
  a.min_rnr_timer = kShortest;
  a.ah_attr.port_num = 1;
  a.ah_attr.dlid = to.lid;
  a.ah_attr.is_global = 1;
  a.ah_attr.grh.dgid = to.gid;
  a.ah_attr.grh.hop_limit = 1;
  const int responder = source ? 0 : IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  need(::ibv_modify_qp(
           qp, &a,
           IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | responder) == 0,
       "RTR");
  a = {};
  a.qp_state = IBV_QPS_RTS;
  a.sq_psn = kFirstPacket;
  a.timeout = patience.timeout;
  a.retry_cnt = patience.retries;
  a.rnr_retry = patience.not_ready_retries;
  a.max_rd_atomic = 4;
  const int requester = target ? 0 : IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  need(::ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | requester) == 0, "RTS");
}

ibv_qp* Node::connected(Board& board, unsigned own, unsigned other, ibv_srq* srq, const Patience& patience) {
  ibv_qp* qp = make(IBV_QPT_RC, srq);
  initialise(qp);
  board.tell(own, told(qp));
  connect(qp, board.hear(other), patience);
  return qp;
}

Told Node::told(const ibv_qp* qp) const {
  Told t;
  t.queue_pair = qp->qp_num;
  t.lid = port.lid;
  t.gid = gid;
  return t;
}

int send(ibv_qp* qp, const ibv_sge& piece, unsigned flags, std::uint64_t id) {
  ibv_sge copy = piece;
  ibv_send_wr request{};
  request.wr_id = id;
  request.sg_list = &copy;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = flags;
  return post(qp, request);
}

int receive(ibv_qp* qp, const ibv_sge& piece, std::uint64_t id) {
  ibv_sge copy = piece;
  ibv_recv_wr request{id, nullptr, &copy, 1}, *bad = nullptr;
  return ::ibv_post_recv(qp, &request, &bad);
}

int receive(ibv_srq* srq, const ibv_sge& piece, std::uint64_t id) {
  ibv_sge copy = piece;
  ibv_recv_wr request{id, nullptr, &copy, 1}, *bad = nullptr;
  return ::ibv_post_srq_recv(srq, &request, &bad);
}

ibv_send_wr rdma(ibv_wr_opcode opcode, const Told& there, ibv_sge* piece) {
  ibv_send_wr request{};
  request.wr_id = 5;
  request.sg_list = piece;
  request.num_sge = 1;
  request.opcode = opcode;
  request.send_flags = IBV_SEND_SIGNALED;
  request.wr.rdma.remote_addr = there.address;
  request.wr.rdma.rkey = there.key;
  return request;
}

int post(ibv_qp* qp, ibv_send_wr request) {
  ibv_send_wr* bad = nullptr;
  const int error = ::ibv_post_send(qp, &request, &bad);
  need((error != 0) == (bad != nullptr), "a refused request is named");
  return error;
}

ibv_wc wait(ibv_cq* cq) {
  ibv_wc wc{};
  for (int tries = 0; tries < 100000; ++tries) {
    const int n = ::ibv_poll_cq(cq, 1, &wc);
    need(n >= 0, "a queue is polled");
    if (n == 1) return wc;
    ::usleep(100);
  }
  need(false, "something completes");
  return wc;
}

bool is_quiet(ibv_cq* cq, unsigned milliseconds) {
  ibv_wc wc{};
  for (unsigned i = 0; i < milliseconds; ++i) {
    if (::ibv_poll_cq(cq, 1, &wc) != 0) return false;
    ::usleep(1000);
  }
  return true;
}

bool is_readable(int fd, int milliseconds) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, milliseconds) == 1;
}

void set(const char* name, const std::string& value) {
  ::setenv((std::string("EMULATED_VERBS_") + name).c_str(), value.c_str(), 1);
}

}  // namespace emulated::checks
