// SPDX-License-Identifier: BSD-3-Clause
// Keys, ranges and rights, at both ends.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "tests/ibv/emulated/checks/node.hpp"

namespace emulated::checks {
namespace {

constexpr unsigned kA = 0, kB = 1, kMemory = 2, kDone = 3;

// What one end posts, with a connection and the place of the other end's memory, and the status that it gets.
// The other end gives access to its memory, and its queue pair allows `rights`. Afterwards the memory is as
// before.
struct Case {
  std::function<ibv_send_wr(Node&, Memory&, ibv_sge*, Told)> request;
  ibv_wc_status status;
  int access = kAllAccess;
  unsigned rights = kAllAccess;
};

bool gets(const Case& c) {
  const auto acts = [&](Board& board) {
    Node node;
    Memory memory(node.pd);
    std::memset(memory.bytes.data(), 'x', memory.bytes.size());
    ibv_qp* qp = node.connected(board, kA, kB);
    ibv_sge piece = memory.piece(0, 8);
    const ibv_send_wr request = c.request(node, memory, &piece, board.hear(kMemory));
    need(post(qp, request) == 0, "posted");
    const ibv_wc wc = wait(node.cq);
    if (wc.status != c.status) std::fprintf(stderr, "status %d, not %d\n", wc.status, c.status);
    need(wc.status == c.status, "the status");
    need(memory.bytes[0] == 'x', "nothing has come");
    board.tell(kDone);
  };
  const auto has_memory = [&](Board& board) {
    Node node;
    Memory memory(node.pd, c.access);
    ibv_qp* qp = node.make(IBV_QPT_RC);
    node.initialise(qp, c.rights);
    board.tell(kB, node.told(qp));
    node.connect(qp, board.hear(kA));
    board.tell(kMemory, memory.told());
    board.hear(kDone);
    for (const char byte : memory.bytes) need(byte == 0, "nothing is written");
  };
  return all_succeed({acts, has_memory});
}

TEST(access, a_wrong_key) {
  EXPECT_TRUE(gets({[](Node&, Memory&, ibv_sge* piece, Told there) {
                      there.key += 1;
                      return rdma(IBV_WR_RDMA_WRITE, there, piece);
                    },
                    IBV_WC_REM_ACCESS_ERR}));
}

TEST(access, a_local_key_is_no_remote_key) {
  EXPECT_TRUE(gets({[](Node&, Memory& memory, ibv_sge* piece, Told there) {
                      need(memory.mr->lkey != memory.mr->rkey, "they differ");
                      there.key ^= memory.mr->lkey ^ memory.mr->rkey;
                      return rdma(IBV_WR_RDMA_WRITE, there, piece);
                    },
                    IBV_WC_REM_ACCESS_ERR}));
}

TEST(access, beyond_the_region) {
  for (const std::int64_t by : {-1, 4096 - 7, 1 << 30})
    EXPECT_TRUE(gets({[by](Node&, Memory&, ibv_sge* piece, Told there) {
                        there.address += static_cast<std::uint64_t>(by);
                        return rdma(IBV_WR_RDMA_WRITE, there, piece);
                      },
                      IBV_WC_REM_ACCESS_ERR}));
}

TEST(access, rights_of_the_region) {
  const auto does = [](ibv_wr_opcode opcode) {
    return [opcode](Node&, Memory&, ibv_sge* piece, const Told& there) { return rdma(opcode, there, piece); };
  };
  EXPECT_TRUE(gets(
      {does(IBV_WR_RDMA_WRITE), IBV_WC_REM_ACCESS_ERR, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ}));
  EXPECT_TRUE(gets(
      {does(IBV_WR_RDMA_READ), IBV_WC_REM_ACCESS_ERR, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE}));
  EXPECT_TRUE(gets({[](Node&, Memory&, ibv_sge* piece, Told there) {
                      ibv_send_wr request = rdma(IBV_WR_ATOMIC_FETCH_AND_ADD, {}, piece);
                      request.wr.atomic.remote_addr = (there.address + 7) / 8 * 8;
                      request.wr.atomic.rkey = there.key;
                      request.wr.atomic.compare_add = 1;
                      return request;
                    },
                    IBV_WC_REM_ACCESS_ERR, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE}));
}

TEST(access, rights_of_the_queue_pair) {
  EXPECT_TRUE(gets({[](Node&, Memory&, ibv_sge* piece, const Told& there) {
                      return rdma(IBV_WR_RDMA_WRITE, there, piece);
                    },
                    IBV_WC_REM_INV_REQ_ERR, kAllAccess, IBV_ACCESS_REMOTE_READ}));
}

TEST(access, an_atomic_that_is_not_aligned) {
  EXPECT_TRUE(gets({[](Node&, Memory&, ibv_sge* piece, const Told& there) {
                      ibv_send_wr request = rdma(IBV_WR_ATOMIC_FETCH_AND_ADD, {}, piece);
                      request.wr.atomic.remote_addr = (there.address + 7) / 8 * 8 + 4;
                      request.wr.atomic.rkey = there.key;
                      return request;
                    },
                    IBV_WC_REM_INV_REQ_ERR}));
}

TEST(access, own_memory_without_its_key) {
  EXPECT_TRUE(gets({[](Node&, Memory&, ibv_sge* piece, const Told& there) {
                      ++piece->lkey;
                      return rdma(IBV_WR_RDMA_WRITE, there, piece);
                    },
                    IBV_WC_LOC_PROT_ERR}));
}

TEST(access, own_memory_that_may_not_be_written) {
  EXPECT_TRUE(gets({[](Node& node, Memory& memory, ibv_sge* piece, const Told& there) {
                      piece->lkey = ::ibv_reg_mr(node.pd, memory.bytes.data(), 4096, 0)->lkey;
                      return rdma(IBV_WR_RDMA_READ, there, piece);
                    },
                    IBV_WC_LOC_PROT_ERR}));
}

TEST(access, a_key_of_another_domain_or_of_a_region_that_is_gone) {
  const auto acts = [](Board& board) {
    for (const unsigned n : {0U, 10U}) {
      Node node;
      Memory memory(node.pd);
      ibv_qp* qp = node.connected(board, kA + n, kB + n);
      ibv_sge piece = memory.piece(0, 8);
      need(post(qp, rdma(IBV_WR_RDMA_WRITE, board.hear(kMemory + n), &piece)) == 0, "posted");
      need(wait(node.cq).status == IBV_WC_REM_ACCESS_ERR, "refused");
      board.tell(kDone + n);
    }
  };
  const auto has_memory = [](Board& board) {
    for (const unsigned n : {0U, 10U}) {
      Node node;
      Memory memory(n == 0 ? ::ibv_alloc_pd(node.context) : node.pd);
      (void)node.connected(board, kB + n, kA + n);
      const Told there = memory.told();
      if (n != 0) need(::ibv_dereg_mr(memory.mr) == 0, "deregistered");
      board.tell(kMemory + n, there);
      board.hear(kDone + n);
      need(memory.bytes[0] == 0, "nothing is written");
    }
  };
  EXPECT_TRUE(all_succeed({acts, has_memory}));
}

TEST(access, a_message_that_is_longer_than_the_receive_fails_at_both_ends) {
  const auto sends = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kA, kB);
    board.hear(kMemory);
    need(send(qp, memory.piece(0, 17)) == 0, "posted");
    need(wait(node.cq).status == IBV_WC_REM_INV_REQ_ERR, "refused");
    board.tell(kDone);
  };
  const auto receives = [](Board& board) {
    Node node;
    Memory memory(node.pd);
    ibv_qp* qp = node.connected(board, kB, kA);
    for (unsigned i = 0; i < 2; ++i) need(receive(qp, memory.piece(0, 16), i) == 0, "posted");
    board.tell(kMemory);
    const ibv_wc wc = wait(node.cq), flushed = wait(node.cq);
    need(wc.status == IBV_WC_LOC_LEN_ERR && wc.wr_id == 0, "too long");
    need(flushed.status == IBV_WC_WR_FLUSH_ERR && flushed.wr_id == 1, "and the rest is flushed");
    need(is_readable(node.context->async_fd, 1000), "with an event");
    ibv_async_event event;
    need(::ibv_get_async_event(node.context, &event) == 0 && event.element.qp == qp, "of the queue pair");
    ::ibv_ack_async_event(&event);
    board.hear(kDone);
  };
  EXPECT_TRUE(all_succeed({sends, receives}));
}

TEST(access, memory_that_cannot_be_registered) {
  const auto alone = [](Board&) {
    Node node;
    need(::ibv_reg_mr(node.pd, reinterpret_cast<void*>(4096), 4096, IBV_ACCESS_LOCAL_WRITE) == nullptr,
         "not mapped");
    static const char text[] = "read only";
    need(::ibv_reg_mr(node.pd, const_cast<char*>(text), sizeof text, IBV_ACCESS_LOCAL_WRITE) == nullptr,
         "constant");
    need(::ibv_reg_mr(node.pd, const_cast<char*>(text), sizeof text, 0) != nullptr, "to be read");
    Memory memory(node.pd);
    need(::ibv_reg_mr(node.pd, memory.bytes.data(), 8, IBV_ACCESS_REMOTE_WRITE) == nullptr,
         "needs LOCAL_WRITE");
  };
  EXPECT_TRUE(all_succeed({alone}));
}

}  // namespace
}  // namespace emulated::checks
