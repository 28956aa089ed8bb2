// SPDX-License-Identifier: BSD-3-Clause
// One process with a device: what the tests need of verbs, in few words.
#pragma once
#include <infiniband/verbs.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/ibv/emulated/checks/roles.hpp"

namespace emulated::checks {

inline constexpr int kAllAccess =
    IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;

struct Memory {
  explicit Memory(ibv_pd* pd, int access = kAllAccess, std::size_t size = 4096);
  ibv_sge piece(std::size_t at, std::size_t size) const;
  Told told(std::size_t at = 0) const;

  std::vector<char> bytes;
  ibv_mr* mr;
};

// How the requester of a connection takes failures.
struct Patience {
  std::uint8_t timeout = 14;  // 67 ms
  std::uint8_t retries = 1;
  std::uint8_t not_ready_retries = 7;  // for ever
};

struct Node {
  explicit Node(unsigned device = 0);

  ibv_qp* make(ibv_qp_type type, ibv_srq* srq = nullptr);
  // To the initial state.
  void initialise(ibv_qp* qp, unsigned access = kAllAccess) const;
  void connect(ibv_qp* qp, const Told& to, const Patience& patience = {}) const;
  // A connected one: tells the board its own place, and hears that of the other.
  ibv_qp* connected(Board& board, unsigned own, unsigned other, ibv_srq* srq = nullptr,
                    const Patience& patience = {});
  Told told(const ibv_qp* qp) const;

  ibv_context* context;
  ibv_pd* pd;
  ibv_comp_channel* channel;
  ibv_cq* cq;
  ibv_port_attr port{};
  ibv_gid gid{};
};

int send(ibv_qp* qp, const ibv_sge& piece, unsigned flags = IBV_SEND_SIGNALED, std::uint64_t id = 1);
int receive(ibv_qp* qp, const ibv_sge& piece, std::uint64_t id = 1);
int receive(ibv_srq* srq, const ibv_sge& piece, std::uint64_t id = 1);
ibv_send_wr rdma(ibv_wr_opcode opcode, const Told& there, ibv_sge* piece);
int post(ibv_qp* qp, ibv_send_wr request);
// The next completion.
ibv_wc wait(ibv_cq* cq);
// Nothing completes for some milliseconds.
bool is_quiet(ibv_cq* cq, unsigned milliseconds = 20);
bool is_readable(int fd, int milliseconds);
void set(const char* name, const std::string& value);  // an environment variable of the emulation

}  // namespace emulated::checks
