// SPDX-License-Identifier: BSD-3-Clause
// XRC: a source of process P and a target that process Q1 has made lead to shared receive queues of Q1 and
// Q2.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/ibv/emulated/checks/node.hpp"

namespace emulated::checks {
namespace {

constexpr unsigned kSource = 0, kTarget = 1, kQueue1 = 2, kQueue2 = 3, kMemory1 = 4, kMemory2 = 5, kDone = 6,
                   kReady = 7, kOther = 8;

std::string file_of(const char* name) { return std::string(std::getenv("EMULATED_VERBS_DIR")) + "/" + name; }

int open_file(const char* name) {
  const int fd = ::open(file_of(name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  need(fd >= 0, "a file for the domain");
  return fd;
}

ibv_xrcd* open_domain(const Node& node, int fd, int flags) {
  ibv_xrcd_init_attr attributes{};
  attributes.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS;
  attributes.fd = fd;
  attributes.oflags = flags;
  return ::ibv_open_xrcd(node.context, &attributes);
}

ibv_xrcd* domain_of(const Node& node, const char* name) {
  ibv_xrcd* xrcd = open_domain(node, open_file(name), O_CREAT);
  need(xrcd != nullptr, "a domain is opened");
  return xrcd;
}

ibv_srq* make_queue(const Node& node, ibv_xrcd* xrcd) {
  ibv_srq_init_attr_ex attributes{};
  attributes.attr = {8, 1, 0};
  attributes.comp_mask =
      IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
  attributes.srq_type = IBV_SRQT_XRC;
  attributes.pd = node.pd;
  attributes.xrcd = xrcd;
  attributes.cq = node.cq;
  ibv_srq* srq = ::ibv_create_srq_ex(node.context, &attributes);
  need(srq != nullptr, "a shared receive queue is created");
  return srq;
}

Told number_of(ibv_srq* srq) {
  Told t;
  need(::ibv_get_srq_num(srq, &t.receive_queue) == 0, "it has a number");
  return t;
}

ibv_qp* make_source(const Node& node) {
  ibv_qp_init_attr_ex attributes{};
  attributes.send_cq = node.cq;
  attributes.cap = {8, 0, 1, 0, 0};
  attributes.qp_type = IBV_QPT_XRC_SEND;
  attributes.comp_mask = IBV_QP_INIT_ATTR_PD;
  attributes.pd = node.pd;
  ibv_qp* qp = ::ibv_create_qp_ex(node.context, &attributes);
  need(qp != nullptr, "a source is created");
  node.initialise(qp);
  return qp;
}

ibv_qp* make_target(const Node& node, ibv_xrcd* xrcd) {
  ibv_qp_init_attr_ex attributes{};
  attributes.qp_type = IBV_QPT_XRC_RECV;
  attributes.comp_mask = IBV_QP_INIT_ATTR_XRCD;
  attributes.xrcd = xrcd;
  ibv_qp* qp = ::ibv_create_qp_ex(node.context, &attributes);
  need(qp != nullptr, "a target is created");
  node.initialise(qp);
  return qp;
}

ibv_send_wr to_queue(ibv_wr_opcode opcode, const Told& there, ibv_sge* piece, std::uint32_t queue) {
  ibv_send_wr request = rdma(opcode, there, piece);
  request.qp_type.xrc.remote_srqn = queue;
  return request;
}

// A source that is connected with the target.
ibv_qp* connected_source(const Node& node, Board& board) {
  ibv_qp* qp = make_source(node);
  board.tell(kSource, node.told(qp));
  node.connect(qp, board.hear(kTarget));
  return qp;
}

void make_connected_target(const Node& node, ibv_xrcd* xrcd, Board& board) {
  ibv_qp* qp = make_target(node, xrcd);
  node.connect(qp, board.hear(kSource));
  board.tell(kTarget, node.told(qp));
}

TEST(xrc, a_request_reaches_the_process_of_the_receive_queue_that_it_names) {
  const auto p = [](Board& board) {
    Node node;
    ibv_device_attr device{};
    need(::ibv_query_device(node.context, &device) == 0 && (device.device_cap_flags & IBV_DEVICE_XRC) != 0,
         "the device has XRC");
    Memory memory(node.pd);
    ibv_qp* qp = connected_source(node, board);
    const std::uint32_t first = board.hear(kQueue1).receive_queue, second = board.hear(kQueue2).receive_queue;
    ibv_sge piece = memory.piece(0, 8);
    std::strcpy(memory.bytes.data(), "for two");
    need(post(qp, to_queue(IBV_WR_SEND, {}, &piece, second)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_SUCCESS, "a message to Q2");
    std::strcpy(memory.bytes.data(), "for one");
    need(post(qp, to_queue(IBV_WR_SEND, {}, &piece, first)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_SUCCESS, "a message to Q1");
    std::strcpy(memory.bytes.data(), "written");
    const Told there = board.hear(kMemory2);
    need(post(qp, to_queue(IBV_WR_RDMA_WRITE, there, &piece, second)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_SUCCESS, "a write into the memory of Q2");
    ibv_sge back = memory.piece(64, 8);
    need(post(qp, to_queue(IBV_WR_RDMA_READ, there, &back, second)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_SUCCESS && std::strcmp(memory.bytes.data() + 64, "written") == 0,
         "a read of it");
    board.tell(kDone);
    // The memory of Q1 is in another protection domain than the queue of Q2.
    need(post(qp, to_queue(IBV_WR_RDMA_WRITE, board.hear(kMemory1), &piece, second)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_REM_ACCESS_ERR, "a key of another process");
    board.tell(kOther);
  };
  const auto q1 = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_xrcd* xrcd = domain_of(node, "domain");
    ibv_srq* srq = make_queue(node, xrcd);
    need(receive(srq, memory.piece(0, 64), 11) == 0, "posted");
    make_connected_target(node, xrcd, board);
    board.tell(kQueue1, number_of(srq));
    board.tell(kMemory1, memory.told(128));
    const ibv_wc wc = wait(node.cq);
    need(wc.status == IBV_WC_SUCCESS && wc.wr_id == 11 && wc.byte_len == 8, "a message");
    need(std::strcmp(memory.bytes.data(), "for one") == 0, "the one for it");
    board.hear(kOther);
    need(is_quiet(node.cq) && memory.bytes[128] == 0, "and nothing else");
  };
  const auto q2 = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_srq* srq = make_queue(node, domain_of(node, "domain"));
    need(receive(srq, memory.piece(0, 64), 22) == 0, "posted");
    board.tell(kMemory2, memory.told(128));
    board.tell(kQueue2, number_of(srq));
    const ibv_wc wc = wait(node.cq);
    need(wc.status == IBV_WC_SUCCESS && wc.wr_id == 22 && wc.byte_len == 8, "a message");
    need(wc.qp_num == board.hear(kTarget).queue_pair, "through the target");
    need(std::strcmp(memory.bytes.data(), "for two") == 0, "the one for it");
    board.hear(kDone);
    need(std::strcmp(memory.bytes.data() + 128, "written") == 0, "written");
    board.hear(kOther);
  };
  EXPECT_TRUE(all_succeed({p, q1, q2}));
}

TEST(xrc, a_message_waits_for_a_receive_of_the_queue) {
  const auto p = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = connected_source(node, board);
    ibv_sge piece = memory.piece(0, 8);
    need(post(qp, to_queue(IBV_WR_SEND, {}, &piece, board.hear(kQueue1).receive_queue)) == 0, "posted");
    need(is_quiet(node.cq), "it waits");
    board.tell(kReady);
    need(wait(node.cq).status == IBV_WC_SUCCESS, "it is sent");
  };
  const auto q = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_xrcd* xrcd = domain_of(node, "waiting");
    ibv_srq* srq = make_queue(node, xrcd);
    make_connected_target(node, xrcd, board);
    board.tell(kQueue1, number_of(srq));
    board.hear(kReady);
    need(receive(srq, memory.piece(0, 64)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_SUCCESS, "received");
  };
  EXPECT_TRUE(all_succeed({p, q}));
}

TEST(xrc, a_queue_of_another_domain_is_refused) {
  const auto p = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = connected_source(node, board);
    ibv_sge piece = memory.piece(0, 8);
    need(post(qp, to_queue(IBV_WR_SEND, {}, &piece, board.hear(kQueue1).receive_queue)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_REM_INV_REQ_ERR, "refused");
    board.tell(kDone);
  };
  const auto q = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_srq* srq = make_queue(node, domain_of(node, "others"));
    need(receive(srq, memory.piece(0, 64)) == 0, "posted");
    make_connected_target(node, domain_of(node, "own"), board);
    board.tell(kQueue1, number_of(srq));
    board.hear(kDone);
    need(is_quiet(node.cq), "nothing is received");
  };
  EXPECT_TRUE(all_succeed({p, q}));
}

TEST(xrc, a_queue_whose_process_has_died_is_refused) {
  const auto p = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = connected_source(node, board);
    ibv_sge piece = memory.piece(0, 8);
    const std::uint32_t queue = board.hear(kQueue2).receive_queue;
    ::usleep(50000);  // Q2 dies
    need(post(qp, to_queue(IBV_WR_SEND, {}, &piece, queue)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_REM_INV_REQ_ERR, "the target knows no such queue");
    board.tell(kDone);
  };
  const auto q1 = [](Board& board) {
    Node node;
    make_connected_target(node, domain_of(node, "mortal"), board);
    board.hear(kDone);
  };
  const auto q2 = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_srq* srq = make_queue(node, domain_of(node, "mortal"));
    need(receive(srq, memory.piece(0, 64)) == 0, "posted");
    board.hear(kTarget);
    board.tell(kQueue2, number_of(srq));
  };
  EXPECT_TRUE(all_succeed({p, q1, q2}));
}

TEST(xrc, a_target_lives_until_no_process_has_it_open) {
  const auto p = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = connected_source(node, board);
    ibv_sge piece = memory.piece(0, 8);
    const std::uint32_t queue = board.hear(kQueue2).receive_queue;
    board.hear(kReady);  // its creator has ended
    need(post(qp, to_queue(IBV_WR_SEND, {}, &piece, queue)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_SUCCESS, "sent");
    board.hear(kDone);
    need(post(qp, to_queue(IBV_WR_SEND, {}, &piece, queue)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_RETRY_EXC_ERR, "nothing answers any more");
  };
  const auto q1 = [](Board& board) {
    Node node;
    make_connected_target(node, domain_of(node, "shared"), board);
    board.hear(kOther);
    board.tell(kMemory1);
  };
  const auto q2 = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_xrcd* xrcd = domain_of(node, "shared");
    ibv_srq* srq = make_queue(node, xrcd);
    for (int i = 0; i < 2; ++i) need(receive(srq, memory.piece(0, 64)) == 0, "posted");
    ibv_qp_open_attr attributes{};
    attributes.comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD | IBV_QP_OPEN_ATTR_TYPE;
    attributes.qp_num = board.hear(kTarget).queue_pair;
    attributes.xrcd = xrcd;
    attributes.qp_type = IBV_QPT_XRC_RECV;
    ibv_qp* qp = ::ibv_open_qp(node.context, &attributes);
    need(qp != nullptr && qp->qp_num == attributes.qp_num, "it is opened");
    need(::ibv_close_xrcd(xrcd) == EBUSY, "its domain is in use");
    board.tell(kOther);
    board.hear(kMemory1);
    ::usleep(50000);
    board.tell(kQueue2, number_of(srq));
    board.tell(kReady);
    need(wait(node.cq).status == IBV_WC_SUCCESS, "received");
    need(::ibv_destroy_qp(qp) == 0, "destroyed");
    board.tell(kDone);
    need(is_quiet(node.cq, 100), "nothing is received any more");
    need(::ibv_destroy_srq(srq) == 0 && ::ibv_close_xrcd(xrcd) == 0, "closed");
  };
  EXPECT_TRUE(all_succeed({p, q1, q2}));
}

TEST(xrc, domains_are_shared_by_the_inode) {
  const auto alone = [](Board&) {
    Node node;
    const int fd = open_file("inode"), same = open_file("inode"), other = open_file("other");
    need(open_domain(node, fd, 0) == nullptr, "there is none yet");
    ibv_xrcd* xrcd = open_domain(node, fd, O_CREAT | O_EXCL);
    need(xrcd != nullptr, "it is made");
    need(open_domain(node, same, O_CREAT | O_EXCL) == nullptr, "it is there already");
    ibv_xrcd* again = open_domain(node, same, 0);
    need(again != nullptr, "it is opened again");
    need(open_domain(node, other, 0) == nullptr, "another file has none");
    need(::ibv_close_xrcd(xrcd) == 0 && open_domain(node, fd, 0) != nullptr, "it is still there");
    ibv_srq* srq = make_queue(node, again);
    need(::ibv_close_xrcd(again) == EBUSY, "it is in use");
    need(::ibv_destroy_srq(srq) == 0 && ::ibv_close_xrcd(again) == 0, "closed");
    need(open_domain(node, -1, O_CREAT) != nullptr, "one without a file");
  };
  EXPECT_TRUE(all_succeed({alone}));
}

}  // namespace
}  // namespace emulated::checks
