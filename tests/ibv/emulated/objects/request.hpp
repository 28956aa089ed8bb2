// SPDX-License-Identifier: BSD-3-Clause
// A work request of a send queue, as it was posted.
#pragma once
#include <infiniband/verbs.h>

#include <cstdint>
#include <vector>

namespace emulated {

struct Request {
  std::uint64_t id = 0;
  std::uint64_t sequence = 0;  // in its send queue, from 1 on
  ibv_wr_opcode opcode = IBV_WR_SEND;
  bool signalled = false, solicited = false;
  bool deferred = false;  // on purpose: it waits for the retry thread
  std::uint32_t immediate = 0;
  std::uint64_t bytes = 0;
  std::vector<ibv_sge> pieces;
  bool has_inline = false;
  std::vector<char> inline_data;
  // Of RDMA and atomics.
  std::uint64_t address = 0, compare_add = 0, swap = 0;
  std::uint32_t key = 0;
  // Of XRC: the shared receive queue.
  std::uint32_t receive_queue = 0;
  // Of datagrams.
  ibv_ah_attr path = {};
  std::uint32_t queue_pair = 0, queue_key = 0;

  bool has_immediate() const noexcept {
    return opcode == IBV_WR_SEND_WITH_IMM || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
  }
  bool is_send() const noexcept { return opcode == IBV_WR_SEND || opcode == IBV_WR_SEND_WITH_IMM; }
  bool is_write() const noexcept {
    return opcode == IBV_WR_RDMA_WRITE || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
  }
  bool is_atomic() const noexcept {
    return opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
  }
};

}  // namespace emulated
