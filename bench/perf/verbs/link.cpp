// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/verbs/link.hpp"

#include <sched.h>

#include <cstring>

#include "bench/perf/verbs/fail.hpp"

namespace perf {
namespace {

constexpr unsigned kSendsPerCompletion = 32;

}  // namespace

void VerbsLink::writes(std::uint64_t n, std::size_t bytes, unsigned batch) {
  transfers(IBV_WR_RDMA_WRITE, n, bytes, batch);
}
void VerbsLink::reads(std::uint64_t n, std::size_t bytes, unsigned batch) {
  transfers(IBV_WR_RDMA_READ, n, bytes, batch);
}

void VerbsLink::transfers(ibv_wr_opcode opcode, std::uint64_t n, std::size_t bytes, unsigned batch) {
  const bool read_behind = iwarp_ && opcode == IBV_WR_RDMA_WRITE;
  for (std::uint64_t i = 1; i <= n; ++i) {
    const bool last = i % batch == 0 || i == n;
    transfer(opcode, bytes, last && !read_behind);
    if (last && read_behind) transfer(IBV_WR_RDMA_READ, 8, true);
    if (last) await(transfers_done_, transfers_requested_);
  }
}

void VerbsLink::round_trips(std::uint64_t n, std::size_t bytes, bool leads) {
  for (std::uint64_t i = 0; i < n; ++i) {
    if (leads) send(bytes);
    await(arrived_, ++awaited_);
    if (!leads) send(bytes);
  }
}

void VerbsLink::transfer(ibv_wr_opcode opcode, std::size_t bytes, bool signalled) {
  ibv_sge piece{reinterpret_cast<std::uint64_t>(source()), static_cast<std::uint32_t>(bytes), region_->lkey};
  ibv_send_wr request{}, *bad = nullptr;
  request.opcode = opcode;
  request.sg_list = &piece;
  request.num_sge = 1;
  request.wr.rdma.remote_addr = remote_key_.address;
  request.wr.rdma.rkey = remote_key_.rkey;
  if (signalled) request.send_flags |= IBV_SEND_SIGNALED;
  if (opcode == IBV_WR_RDMA_WRITE && bytes <= max_inline_) request.send_flags |= IBV_SEND_INLINE;
  transfers_requested_ += signalled;
  if (const int e = ibv_post_send(id_->qp, &request, &bad)) verbs_fail("ibv_post_send", e);
}

// Earlier sends are known to be through when a completion behind them is taken, so one in kSendsPerCompletion
// is enough to keep the queue from filling up.
void VerbsLink::send(std::size_t bytes) {
  ibv_sge piece{reinterpret_cast<std::uint64_t>(outgoing()), static_cast<std::uint32_t>(bytes),
                region_->lkey};
  ibv_send_wr request{}, *bad = nullptr;
  request.opcode = IBV_WR_SEND;
  request.sg_list = &piece;
  request.num_sge = 1;
  if (bytes <= max_inline_) request.send_flags |= IBV_SEND_INLINE;
  if (++sends_ % kSendsPerCompletion == 0) {
    await(sends_done_, sends_requested_);
    request.send_flags |= IBV_SEND_SIGNALED;
    ++sends_requested_;
  }
  if (const int e = ibv_post_send(id_->qp, &request, &bad)) verbs_fail("ibv_post_send", e);
}

void VerbsLink::post_receive(std::uint64_t slot) {
  ibv_sge piece{reinterpret_cast<std::uint64_t>(incoming(slot)), kLargestMessage, region_->lkey};
  ibv_recv_wr request{}, *bad = nullptr;
  request.wr_id = slot;
  request.sg_list = &piece;
  request.num_sge = 1;
  const int e =
      srq_ != nullptr ? ibv_post_srq_recv(srq_, &request, &bad) : ibv_post_recv(id_->qp, &request, &bad);
  if (e != 0) verbs_fail("posting a receive", e);
}

void VerbsLink::await(const std::uint64_t& count, std::uint64_t value) {
  for (unsigned spins = 0; count < value;) {
    ibv_wc done;
    const int found = ibv_poll_cq(cq_, 1, &done);
    if (found < 0) verbs_fail("ibv_poll_cq", 0);
    if (found > 0)
      take(done);
    else if (++spins > spins_)
      sched_yield();
  }
}

void VerbsLink::take(const ibv_wc& done) {
  if (done.status != IBV_WC_SUCCESS) verbs_fail(ibv_wc_status_str(done.status), 0);
  switch (done.opcode) {
    case IBV_WC_RECV:
      ++arrived_;
      last_slot_ = done.wr_id;
      post_receive(done.wr_id);
      break;
    case IBV_WC_SEND:
      ++sends_done_;
      break;
    default:
      ++transfers_done_;
  }
}

}  // namespace perf
