// SPDX-License-Identifier: BSD-3-Clause
// Devices and ports as the environment describes them, datagrams, and faults on request.
#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tests/ibv/emulated/checks/node.hpp"

namespace emulated::checks {
namespace {

constexpr unsigned kA = 0, kB = 1, kReady = 2, kDone = 3;
constexpr std::uint32_t kQueueKey = 0x1234;
constexpr unsigned kInfiniBandDevice = 2;  // no other test has it

ibv_qp* datagrams_of(Node& node) {
  ibv_qp* qp = node.make(IBV_QPT_UD);
  node.initialise(qp);
  ibv_qp_attr a{};
  a.qp_state = IBV_QPS_RTR;
  need(::ibv_modify_qp(qp, &a, IBV_QP_STATE) == 0, "RTR");
  a.qp_state = IBV_QPS_RTS;
  need(::ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_SQ_PSN) == 0, "RTS");
  return qp;
}

ibv_ah* path_to(const Node& node, const Told& to, bool global) {
  ibv_ah_attr attributes{};
  attributes.port_num = 1;
  attributes.dlid = to.lid;
  attributes.is_global = global ? 1 : 0;
  attributes.grh.dgid = to.gid;
  attributes.grh.hop_limit = 64;
  ibv_ah* ah = ::ibv_create_ah(node.pd, &attributes);
  need(ah != nullptr, "a path");
  return ah;
}

ibv_wc send_datagram(Node& node, ibv_qp* qp, ibv_ah* ah, const Told& to, ibv_sge piece,
                     std::uint32_t key = kQueueKey) {
  ibv_send_wr request = rdma(IBV_WR_SEND, {}, &piece);
  request.wr.ud.ah = ah;
  request.wr.ud.remote_qpn = to.queue_pair;
  request.wr.ud.remote_qkey = key;
  need(post(qp, request) == 0, "posted");
  return wait(node.cq);
}

TEST(datagrams, arrive_behind_a_header_or_nobody_hears_of_them) {
  for (const bool infiniband : {false, true}) {
    const auto sends = [=](Board& board) {
      if (infiniband) set("LINK", "infiniband");
      set("DEVICES", "3");
      Node node(infiniband ? kInfiniBandDevice : 0);
      Memory memory(node.pd, kAllAccess, 16384);
      ibv_qp* qp = datagrams_of(node);
      board.tell(kA, node.told(qp));
      const Told to = board.hear(kB);
      ibv_ah* ah = path_to(node, to, !infiniband);
      need(send_datagram(node, qp, ah, to, memory.piece(0, 8), 99).status == IBV_WC_SUCCESS, "another key");
      need(send_datagram(node, qp, ah, to, memory.piece(0, 1000)).status == IBV_WC_SUCCESS,
           "too long for it");
      std::strcpy(memory.bytes.data(), "dgram");
      need(send_datagram(node, qp, ah, to, memory.piece(0, 6)).status == IBV_WC_SUCCESS, "a datagram");
      need(send_datagram(node, qp, ah, to, memory.piece(0, 6)).status == IBV_WC_SUCCESS, "without a receive");
      board.tell(kDone);
      need(send_datagram(node, qp, ah, to, memory.piece(0, 4097)).status == IBV_WC_LOC_LEN_ERR,
           "more than the MTU");
      need(::ibv_destroy_ah(ah) == 0, "destroyed");
    };
    const auto receives = [=](Board& board) {
      if (infiniband) set("LINK", "infiniband");
      set("DEVICES", "3");
      Node node(infiniband ? kInfiniBandDevice : 0);
      Memory memory(node.pd);
      ibv_qp* qp = datagrams_of(node);
      need(receive(qp, memory.piece(0, 140)) == 0, "posted");
      board.tell(kB, node.told(qp));
      const Told from = board.hear(kA);
      const ibv_wc wc = wait(node.cq);
      need(wc.status == IBV_WC_SUCCESS && wc.byte_len == 46, "40 bytes more");
      need(wc.src_qp == from.queue_pair && wc.slid == from.lid, "from this sender");
      need(std::strcmp(memory.bytes.data() + 40, "dgram") == 0, "the data");
      need(((wc.wc_flags & IBV_WC_GRH) != 0) == !infiniband, "a header");
      if (!infiniband)
        need(std::memcmp(memory.bytes.data() + 8, from.gid.raw, sizeof from.gid.raw) == 0, "of its sender");
      board.hear(kDone);
      need(is_quiet(node.cq), "nothing else");
    };
    EXPECT_TRUE(all_succeed({sends, receives}));
  }
}

TEST(datagrams, some_get_lost_on_request) {
  const auto alone = [](Board&) {
    set("LOSE_DATAGRAMS", "3");
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = datagrams_of(node);
    const Told self = node.told(qp);
    ibv_ah* ah = path_to(node, self, true);
    int received = 0;
    for (int i = 0; i < 8; ++i) need(receive(qp, memory.piece(1000, 64)) == 0, "posted");
    for (int i = 0; i < 40; ++i) {
      if (send_datagram(node, qp, ah, self, memory.piece(0, 6)).opcode != IBV_WC_RECV) continue;
      ++received;
      need(wait(node.cq).opcode == IBV_WC_SEND, "sent");
      need(receive(qp, memory.piece(1000, 64)) == 0, "posted");
    }
    need(received > 10 && received < 38, "most arrive, and some do not");
  };
  EXPECT_TRUE(all_succeed({alone}));
}

TEST(devices, attributes_and_limits_are_those_of_the_environment) {
  const auto alone = [](Board&) {
    set("DEVICES", "2");
    set("PORTS", "2");
    set("MAX_QP", "3");
    set("MAX_QP_WR", "8");
    set("MAX_SRQ_WR", "5");
    set("MTU", "1024");
    set("ATOMIC_CAP", "none");
    set("XRC", "no");
    set("FAIL_CREATE_QP", "2");
    Node node(1);
    need(std::strcmp(::ibv_get_device_name(node.context->device), "emu1") == 0, "its name");
    ibv_device_attr a{};
    need(::ibv_query_device(node.context, &a) == 0, "attributes");
    need(a.phys_port_cnt == 2 && a.max_qp == 3 && a.max_qp_wr == 8 && a.max_srq_wr == 5, "limits");
    need(a.atomic_cap == IBV_ATOMIC_NONE && (a.device_cap_flags & IBV_DEVICE_XRC) == 0, "what it lacks");
    need(node.port.active_mtu == IBV_MTU_1024 && node.port.state == IBV_PORT_ACTIVE, "its port");
    ibv_qp_init_attr made{};
    made.send_cq = made.recv_cq = node.cq;
    made.qp_type = IBV_QPT_RC;
    made.cap = {9, 1, 1, 1, 0};
    need(::ibv_create_qp(node.pd, &made) == nullptr && errno == EINVAL, "a queue that is too deep");
    made.cap = {8, 1, 1, 1, 0};
    need(::ibv_create_qp(node.pd, &made) != nullptr, "the first");
    need(::ibv_create_qp(node.pd, &made) == nullptr && errno == ENOMEM, "the second fails on request");
    need(::ibv_create_qp(node.pd, &made) != nullptr && ::ibv_create_qp(node.pd, &made) != nullptr,
         "two more");
    need(::ibv_create_qp(node.pd, &made) == nullptr && errno == ENOMEM, "a fourth is too many");
    ibv_gid_entry entries[8];
    need(::ibv_query_gid_table(node.context, entries, 8, 0) >= 2, "GIDs");
    __be16 key = 0;
    need(::ibv_query_pkey(node.context, 2, 0, &key) == 0 && ntohs(key) == 0xffff, "the default partition");
  };
  EXPECT_TRUE(all_succeed({alone}));
}

constexpr unsigned kA2 = 4, kB2 = 5;  // of a second connection

TEST(ports, one_that_goes_down_is_reported_and_requests_time_out) {
  const auto acts = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* patient = node.connected(board, kA, kB, nullptr, {.timeout = 21});  // 8.6 s
    ibv_qp* brief = node.connected(board, kA2, kB2);
    board.hear(kReady);
    const std::string tool = std::getenv("EMULATED_FABRIC");
    need(std::system((tool + " port emu0 1 down").c_str()) == 0, "down");
    ibv_async_event event;
    need(is_readable(node.context->async_fd, 1000) && ::ibv_get_async_event(node.context, &event) == 0,
         "an event");
    need(event.event_type == IBV_EVENT_PORT_ERR && event.element.port_num == 1, "of the port");
    ::ibv_ack_async_event(&event);
    ibv_port_attr port{};
    need(::ibv_query_port(node.context, 1, &port) == 0 && port.state == IBV_PORT_DOWN, "its state");
    need(send(patient, memory.piece(0, 8)) == 0 && is_quiet(node.cq), "it waits");
    need(std::system((tool + " port emu0 1 up").c_str()) == 0, "up");
    need(wait(node.cq).status == IBV_WC_SUCCESS, "and goes on");
    need(::ibv_get_async_event(node.context, &event) == 0 && event.event_type == IBV_EVENT_PORT_ACTIVE, "up");
    ::ibv_ack_async_event(&event);
    need(std::system((tool + " port emu0 1 down").c_str()) == 0, "down");
    need(send(brief, memory.piece(0, 8)) == 0 && wait(node.cq).status == IBV_WC_RETRY_EXC_ERR,
         "for too long");
    need(std::system((tool + " port emu0 1 up").c_str()) == 0, "up");
    board.tell(kDone);
  };
  const auto receives = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* patient = node.connected(board, kB, kA);
    ibv_qp* brief = node.connected(board, kB2, kA2);
    for (ibv_qp* qp : {patient, brief}) need(receive(qp, memory.piece(0, 64)) == 0, "posted");
    board.tell(kReady);
    board.hear(kDone);
  };
  EXPECT_TRUE(all_succeed({acts, receives}));
}

TEST(requests, may_be_deferred_on_request_and_stay_in_order) {
  const auto alone = [](Board&) {
    set("DEFER", "2");
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.make(IBV_QPT_RC);
    node.initialise(qp);
    for (unsigned i = 0; i < 4; ++i) need(receive(qp, memory.piece(0, 8), i) == 0, "posted");
    node.connect(qp, node.told(qp));
    for (unsigned i = 0; i < 4; ++i)
      need(send(qp, memory.piece(0, 8), IBV_SEND_SIGNALED, 10 + i) == 0, "posted");
    unsigned sent = 10, received = 0;
    for (int i = 0; i < 8; ++i) {
      const ibv_wc wc = wait(node.cq);
      need(wc.status == IBV_WC_SUCCESS && wc.wr_id == (wc.opcode == IBV_WC_RECV ? received++ : sent++),
           "in order");
    }
  };
  EXPECT_TRUE(all_succeed({alone}));
}

}  // namespace
}  // namespace emulated::checks
