// SPDX-License-Identifier: BSD-3-Clause
// Reliable connections: messages, RDMA, atomics, and what happens when the other end is not ready or is gone.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "tests/ibv/emulated/checks/node.hpp"

namespace emulated::checks {
namespace {

constexpr unsigned kA = 0, kB = 1, kReady = 2, kDone = 3, kMemory = 4;

TEST(connections, messages_arrive_in_order_with_immediate_data) {
  const auto sends = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kA, kB);
    board.hear(kReady);
    for (unsigned i = 0; i < 4; ++i) {
      const std::size_t at = std::size_t{16} * i;
      std::memcpy(memory.bytes.data() + at, &i, sizeof i);
      ibv_sge piece = memory.piece(at, 10);
      ibv_send_wr request = rdma(IBV_WR_SEND_WITH_IMM, {}, &piece);
      request.wr_id = 100 + i;
      request.imm_data = 0x11223344;
      need(post(qp, request) == 0, "a message is posted");
    }
    for (unsigned i = 0; i < 4; ++i) {
      const ibv_wc wc = wait(node.cq);
      need(wc.status == IBV_WC_SUCCESS && wc.opcode == IBV_WC_SEND, "a message is sent");
      need(wc.wr_id == 100 + i && wc.qp_num == qp->qp_num, "in this order");
    }
  };
  const auto receives = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kB, kA);
    for (unsigned i = 0; i < 4; ++i) need(receive(qp, memory.piece(64 * i, 64), 7 + i) == 0, "posted");
    board.tell(kReady);
    for (unsigned i = 0; i < 4; ++i) {
      const ibv_wc wc = wait(node.cq);
      need(wc.status == IBV_WC_SUCCESS && wc.opcode == IBV_WC_RECV, "a message is received");
      need(wc.wr_id == 7 + i && wc.byte_len == 10, "by the receives in their order");
      need((wc.wc_flags & IBV_WC_WITH_IMM) != 0 && wc.imm_data == 0x11223344, "with its immediate data");
      unsigned value = 99;
      std::memcpy(&value, memory.bytes.data() + std::size_t{64} * i, sizeof value);
      need(value == i, "with its data");
    }
  };
  EXPECT_TRUE(all_succeed({sends, receives}));
}

TEST(connections, writes_reads_and_atomics_reach_the_memory_of_the_other_process) {
  const auto acts = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kA, kB);
    Told there = board.hear(kMemory);
    std::strcpy(memory.bytes.data(), "written");
    ibv_sge piece = memory.piece(0, 8);
    need(post(qp, rdma(IBV_WR_RDMA_WRITE, there, &piece)) == 0, "a write is posted");
    need(wait(node.cq).opcode == IBV_WC_RDMA_WRITE, "a write completes");
    ibv_sge back = memory.piece(100, 8);
    need(post(qp, rdma(IBV_WR_RDMA_READ, there, &back)) == 0, "a read is posted");
    const ibv_wc read = wait(node.cq);
    need(read.status == IBV_WC_SUCCESS && read.opcode == IBV_WC_RDMA_READ && read.byte_len == 8,
         "it completes");
    need(std::strcmp(memory.bytes.data() + 100, "written") == 0, "what was written is read");

    ibv_sge word = memory.piece(200, 8);
    there.address += 64;
    ibv_send_wr atomic = rdma(IBV_WR_ATOMIC_FETCH_AND_ADD, {}, &word);
    atomic.wr.atomic.remote_addr = there.address;
    atomic.wr.atomic.rkey = there.key;
    atomic.wr.atomic.compare_add = 5;
    need(post(qp, atomic) == 0 && wait(node.cq).opcode == IBV_WC_FETCH_ADD, "an addition");
    const auto result = [&] {
      std::uint64_t value;
      std::memcpy(&value, memory.bytes.data() + 200, sizeof value);
      return value;
    };
    need(result() == 40, "returns what was there");
    atomic.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
    atomic.wr.atomic.compare_add = 45;
    atomic.wr.atomic.swap = 9;
    need(post(qp, atomic) == 0 && wait(node.cq).opcode == IBV_WC_COMP_SWAP && result() == 45, "a swap");
    need(post(qp, atomic) == 0 && wait(node.cq).status == IBV_WC_SUCCESS && result() == 9, "no swap");
    board.tell(kDone);
  };
  const auto has_memory = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    const std::uint64_t word = 40;
    std::memcpy(memory.bytes.data() + 64 + 16, &word, sizeof word);
    (void)node.connected(board, kB, kA);
    const std::size_t aligned = (8 - reinterpret_cast<std::uintptr_t>(memory.bytes.data()) % 8) % 8;
    board.tell(kMemory, memory.told(16 + aligned));
    board.hear(kDone);
    need(std::strcmp(memory.bytes.data() + 16 + aligned, "written") == 0, "the data are here");
    std::uint64_t now;
    std::memcpy(&now, memory.bytes.data() + 16 + 64, sizeof now);
    need(now == 9, "the word is changed");
  };
  EXPECT_TRUE(all_succeed({acts, has_memory}));
}

TEST(connections, a_write_with_immediate_data_takes_a_receive) {
  const auto writes = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kA, kB);
    memory.bytes[0] = 'x';
    ibv_sge piece = memory.piece(0, 3);
    ibv_send_wr request = rdma(IBV_WR_RDMA_WRITE_WITH_IMM, board.hear(kMemory), &piece);
    request.imm_data = 42;
    need(post(qp, request) == 0 && wait(node.cq).status == IBV_WC_SUCCESS, "a write");
  };
  const auto has_memory = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kB, kA);
    need(receive(qp, memory.piece(1000, 0)) == 0, "posted");
    board.tell(kMemory, memory.told());
    const ibv_wc wc = wait(node.cq);
    need(wc.opcode == IBV_WC_RECV_RDMA_WITH_IMM && wc.byte_len == 3 && wc.imm_data == 42, "it is reported");
    need(memory.bytes[0] == 'x', "behind the data");
  };
  EXPECT_TRUE(all_succeed({writes, has_memory}));
}

TEST(connections, a_message_waits_for_a_receive) {
  const auto sends = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kA, kB);
    board.hear(kReady);
    need(send(qp, memory.piece(0, 8), IBV_SEND_SIGNALED, 1) == 0, "posted");
    need(send(qp, memory.piece(0, 8), IBV_SEND_SIGNALED, 2) == 0, "posted");
    need(is_quiet(node.cq), "nothing is received yet");
    board.tell(kDone);
    need(wait(node.cq).wr_id == 1 && wait(node.cq).wr_id == 2, "it is sent when there is a receive");
  };
  const auto receives = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kB, kA);
    board.tell(kReady);
    board.hear(kDone);
    for (int i = 0; i < 2; ++i) need(receive(qp, memory.piece(0, 64)) == 0, "posted");
    for (int i = 0; i < 2; ++i) need(wait(node.cq).status == IBV_WC_SUCCESS, "received");
  };
  EXPECT_TRUE(all_succeed({sends, receives}));
}

TEST(connections, a_message_without_a_receive_fails_after_the_retries_and_the_rest_is_flushed) {
  const auto sends = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kA, kB, nullptr, {14, 1, 2});
    board.hear(kReady);
    need(send(qp, memory.piece(0, 8), 0, 1) == 0 && send(qp, memory.piece(0, 8), 0, 2) == 0, "posted");
    const ibv_wc failed = wait(node.cq), flushed = wait(node.cq);
    need(failed.status == IBV_WC_RNR_RETRY_EXC_ERR && failed.wr_id == 1, "it fails, signalled or not");
    need(flushed.status == IBV_WC_WR_FLUSH_ERR && flushed.wr_id == 2, "the next is flushed");
    ibv_qp_attr attributes{};
    ibv_qp_init_attr made{};
    need(::ibv_query_qp(qp, &attributes, IBV_QP_STATE, &made) == 0 && attributes.qp_state == IBV_QPS_ERR,
         "ERR");
    need(send(qp, memory.piece(0, 8), 0, 3) == 0 && wait(node.cq).status == IBV_WC_WR_FLUSH_ERR,
         "so are later ones");
    board.tell(kDone);
  };
  const auto has_none = [](Board& board) {
    Node node;
    (void)node.connected(board, kB, kA);
    board.tell(kReady);
    board.hear(kDone);
  };
  EXPECT_TRUE(all_succeed({sends, has_none}));
}

TEST(connections, requests_to_a_process_that_died_exceed_the_retries) {
  const auto sends = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    Node other;
    Memory more(other.pd);
    ibv_qp* qp = node.connected(board, kA, kB);
    ibv_qp* writer = other.connected(board, kA + 10, kB + 10);
    const Told there = board.hear(kMemory);
    ::usleep(50000);  // it dies
    ibv_sge piece = more.piece(0, 8);
    need(post(writer, rdma(IBV_WR_RDMA_WRITE, there, &piece)) == 0, "posted");
    need(send(qp, memory.piece(0, 0)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_RETRY_EXC_ERR, "a message fails");
    need(wait(other.cq).status == IBV_WC_RETRY_EXC_ERR, "a write fails");
  };
  const auto dies = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kB, kA);
    (void)node.connected(board, kB + 10, kA + 10);
    need(receive(qp, memory.piece(0, 64)) == 0, "posted");
    board.tell(kMemory, memory.told());
  };
  EXPECT_TRUE(all_succeed({sends, dies}));
}

// No receive is left there, so nothing is copied that would show it.
TEST(connections, a_message_to_a_process_that_died_waits_for_no_receive) {
  const auto sends = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kA, kB);
    ::usleep(50000);  // it dies
    need(send(qp, memory.piece(0, 8)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_RETRY_EXC_ERR, "it fails");
  };
  const auto dies = [](Board& board) {
    Node node;
    (void)node.connected(board, kB, kA);
  };
  EXPECT_TRUE(all_succeed({sends, dies}));
}

// It is killed at some moment of long writes, most likely while it holds the mutex of the fabric.
TEST(connections, a_process_that_is_killed_while_it_writes_harms_no_other) {
  constexpr std::size_t kLong = std::size_t{64} << 20;
  const auto is_killed = [](Board& board) {
    Node node;
    Memory memory(node.pd, kAllAccess, kLong);
    ibv_qp* qp = node.connected(board, kA, kB);
    const Told there = board.hear(kMemory);
    Told self;
    self.address = static_cast<std::uint64_t>(::getpid());
    board.tell(kReady, self);
    for (ibv_sge piece = memory.piece(0, kLong);;) {
      need(post(qp, rdma(IBV_WR_RDMA_WRITE, there, &piece)) == 0, "posted");
      (void)wait(node.cq);
    }
  };
  const auto kills = [](Board& board) {
    Node node, other;
    Memory memory(node.pd, kAllAccess, kLong), more(other.pd);
    (void)node.connected(board, kB, kA);
    board.tell(kMemory, memory.told());
    const auto victim = static_cast<pid_t>(board.hear(kReady).address);
    ::usleep(20000);
    ::kill(victim, SIGKILL);
    ibv_qp* qp = other.make(IBV_QPT_RC);
    other.initialise(qp);
    need(receive(qp, more.piece(0, 8)) == 0, "posted");
    other.connect(qp, other.told(qp));
    need(send(qp, more.piece(8, 8)) == 0, "posted");
    need(wait(other.cq).status == IBV_WC_SUCCESS && wait(other.cq).status == IBV_WC_SUCCESS, "all is well");
  };
  EXPECT_TRUE(all_succeed({is_killed, kills}, 0));
}

TEST(connections, what_a_driver_refuses) {
  const auto alone = [](Board&) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.make(IBV_QPT_RC);
    need(receive(qp, memory.piece(0, 8)) == EINVAL, "no receive before INIT");
    need(send(qp, memory.piece(0, 8)) == EINVAL, "no send before RTS");
    ibv_qp_attr a{};
    a.qp_state = IBV_QPS_RTR;
    need(::ibv_modify_qp(qp, &a, IBV_QP_STATE) == EINVAL, "no RTR from RESET");
    node.initialise(qp);
    need(::ibv_modify_qp(qp, &a, IBV_QP_STATE) == EINVAL, "no RTR without a path");
    for (int i = 0; i < 8; ++i) need(receive(qp, memory.piece(0, 8)) == 0, "posted");
    need(receive(qp, memory.piece(0, 8)) == ENOMEM, "a receive queue of 8 is full");
    node.connect(qp, node.told(qp));  // with itself
    // A place is taken until a completion behind it has been polled.
    for (unsigned i = 0; i < 8; ++i) need(send(qp, memory.piece(0, 8), 0, i) == 0, "posted");
    need(send(qp, memory.piece(0, 8)) == ENOMEM, "a send queue of 8 is full");
    need(::ibv_dealloc_pd(node.pd) == EBUSY, "a domain is in use");
    need(::ibv_destroy_cq(node.cq) == EBUSY, "a completion queue is in use");
    for (int i = 0; i < 8; ++i) need(wait(node.cq).opcode == IBV_WC_RECV, "received");
    need(::ibv_destroy_qp(qp) == 0 && ::ibv_destroy_cq(node.cq) == 0, "destroyed");
    need(::ibv_destroy_comp_channel(node.channel) == 0 && ::ibv_dereg_mr(memory.mr) == 0, "destroyed");
    need(::ibv_dealloc_pd(node.pd) == 0 && ::ibv_close_device(node.context) == 0, "closed");
  };
  EXPECT_TRUE(all_succeed({alone}));
}

TEST(connections, inline_data_and_unsignalled_requests) {
  const auto alone = [](Board&) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.make(IBV_QPT_RC);
    node.initialise(qp);
    need(receive(qp, memory.piece(0, 64)) == 0, "posted");
    node.connect(qp, node.told(qp));
    char data[65] = "inline";
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    need(send(qp, {address, 65, 0}, IBV_SEND_INLINE) == EINVAL, "65 bytes are too many");
    need(send(qp, {address, 7, 0}, IBV_SEND_INLINE) == 0, "no key is needed");
    need(wait(node.cq).opcode == IBV_WC_RECV && std::strcmp(memory.bytes.data(), "inline") == 0,
         "it arrives");
    need(is_quiet(node.cq), "without a completion of the send");
  };
  EXPECT_TRUE(all_succeed({alone}));
}

TEST(connections, the_error_state_flushes_receives_and_reset_forgets) {
  const auto alone = [](Board&) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.make(IBV_QPT_RC);
    node.initialise(qp);
    for (unsigned i = 0; i < 3; ++i) need(receive(qp, memory.piece(0, 8), i) == 0, "posted");
    ibv_qp_attr a{};
    a.qp_state = IBV_QPS_ERR;
    need(::ibv_modify_qp(qp, &a, IBV_QP_STATE) == 0, "ERR");
    for (unsigned i = 0; i < 3; ++i) {
      const ibv_wc wc = wait(node.cq);
      need(wc.status == IBV_WC_WR_FLUSH_ERR && wc.wr_id == i, "flushed");
    }
    need(receive(qp, memory.piece(0, 8), 9) == 0 && wait(node.cq).wr_id == 9, "later ones too");
    a.qp_state = IBV_QPS_RESET;
    need(::ibv_modify_qp(qp, &a, IBV_QP_STATE) == 0, "RESET");
    node.initialise(qp);
    need(receive(qp, memory.piece(0, 8)) == 0, "posted");
    need(::ibv_modify_qp(qp, &a, IBV_QP_STATE) == 0 && is_quiet(node.cq), "nothing of it completes");
  };
  EXPECT_TRUE(all_succeed({alone}));
}

}  // namespace
}  // namespace emulated::checks
