// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/verbs/link.hpp"

#include <arpa/inet.h>
#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace perf {
namespace {

constexpr unsigned kReceives = 4, kSendDepth = 256;
constexpr int kResolveMs = 10000;
constexpr std::size_t kMemory = 2 * VerbsLink::kLargest + (1 + kReceives) * VerbsLink::kLargestMessage;

void check(int result, const char* what) {
  if (result != 0) verbs_fail(what, errno);
}
template <typename Object>
Object* check(Object* object, const char* what) {
  if (object == nullptr) verbs_fail(what, errno);
  return object;
}

bool may_use_srq() {
  const char* srq = std::getenv("UPCR_IBV_SRQ");
  return srq == nullptr || std::strcmp(srq, "no") != 0;
}

constexpr unsigned kSendsPerCompletion = 32;

}  // namespace

// Connecting. Each call of rdma_cm waits for its event, because the ids have no event channel.

sockaddr_in VerbsLink::listen(const VerbsPort& port) {
  sockaddr_in address = port.address;
  address.sin_port = 0;
  check(rdma_create_id(nullptr, &listener_, nullptr, RDMA_PS_TCP), "rdma_create_id");
  check(rdma_bind_addr(listener_, reinterpret_cast<sockaddr*>(&address)), "rdma_bind_addr");
  check(rdma_listen(listener_, 1), "rdma_listen");
  address.sin_port = rdma_get_src_port(listener_);
  return address;
}

void VerbsLink::accept() {
  check(rdma_get_request(listener_, &id_), "rdma_get_request");
  make_memory();
  make_queues();
  rdma_conn_param p = parameters();
  check(rdma_accept(id_, &p), "rdma_accept");
  exchange_keys(false);
}

void VerbsLink::connect(const VerbsPort& port, sockaddr_in to) {
  sockaddr_in from = port.address;
  from.sin_port = 0;
  check(rdma_create_id(nullptr, &id_, nullptr, RDMA_PS_TCP), "rdma_create_id");
  check(rdma_resolve_addr(id_, reinterpret_cast<sockaddr*>(&from), reinterpret_cast<sockaddr*>(&to),
                          kResolveMs),
        "rdma_resolve_addr");
  check(rdma_resolve_route(id_, kResolveMs), "rdma_resolve_route");
  make_memory();
  make_queues();
  rdma_conn_param p = parameters();
  check(rdma_connect(id_, &p), "rdma_connect");
  exchange_keys(true);
}

void VerbsLink::make_memory() {
  pd_ = check(ibv_alloc_pd(id_->verbs), "ibv_alloc_pd");
  void* memory = mmap(nullptr, kMemory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) verbs_fail("mmap", errno);
  memory_ = static_cast<char*>(memory);
  std::memset(memory_, 1, kMemory);
  // iWARP wants the memory that a read fills to be writable by the other side.
  region_ = check(ibv_reg_mr(pd_, memory_, kMemory,
                             IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ),
                  "ibv_reg_mr (see ulimit -l)");
}

void VerbsLink::make_queues() {
  ibv_device_attr device{};
  check(ibv_query_device(id_->verbs, &device), "ibv_query_device");
  iwarp_ = id_->verbs->device->transport_type == IBV_TRANSPORT_IWARP;
  read_depth_ = static_cast<unsigned>(std::clamp(device.max_qp_rd_atom, 1, 16));
  cq_ = check(ibv_create_cq(id_->verbs, kSendDepth + kReceives, nullptr, nullptr, 0), "ibv_create_cq");
  if (may_use_srq() && device.max_srq > 0) {
    ibv_srq_init_attr shared{};
    shared.attr.max_wr = kReceives;
    shared.attr.max_sge = 1;
    srq_ = ibv_create_srq(pd_, &shared);
  }
  ibv_qp_init_attr pair{};
  pair.send_cq = pair.recv_cq = cq_;
  pair.srq = srq_;
  pair.qp_type = IBV_QPT_RC;
  pair.cap = {kSendDepth, srq_ != nullptr ? 0 : kReceives, 1, 1, 0};
  // No query returns how much a device can send inline, so sizes are tried.
  for (const unsigned size : {512u, 256u, 128u, 64u, 32u, 0u}) {
    pair.cap.max_inline_data = size;
    if (rdma_create_qp(id_, pd_, &pair) == 0) break;
    if (size == 0) verbs_fail("rdma_create_qp", errno);
  }
  max_inline_ = pair.cap.max_inline_data;
  for (std::uint64_t slot = 0; slot < kReceives; ++slot) post_receive(slot);
}

rdma_conn_param VerbsLink::parameters() const {
  rdma_conn_param p{};
  p.responder_resources = p.initiator_depth = static_cast<std::uint8_t>(read_depth_);
  p.retry_count = p.rnr_retry_count = 7;
  return p;
}

// The side that connects sends first: iWARP forbids the other to begin.
void VerbsLink::exchange_keys(bool first) {
  const Key mine{reinterpret_cast<std::uint64_t>(memory_), region_->rkey};
  std::memcpy(outgoing(), &mine, sizeof mine);
  round_trips(1, sizeof mine, first);
  std::memcpy(&remote_key_, incoming(last_slot_), sizeof remote_key_);
}

VerbsLink::~VerbsLink() {
  if (id_ != nullptr) {
    rdma_disconnect(id_);
    if (id_->qp != nullptr) rdma_destroy_qp(id_);
  }
  if (srq_ != nullptr) ibv_destroy_srq(srq_);
  if (cq_ != nullptr) ibv_destroy_cq(cq_);
  if (region_ != nullptr) ibv_dereg_mr(region_);
  if (pd_ != nullptr) ibv_dealloc_pd(pd_);
  if (id_ != nullptr) rdma_destroy_id(id_);
  if (listener_ != nullptr) rdma_destroy_id(listener_);
  if (memory_ != nullptr) munmap(memory_, kMemory);
}

// The loops that are measured.

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
    if (last) wait_for(transfers_done_, transfers_requested_);
  }
}

void VerbsLink::round_trips(std::uint64_t n, std::size_t bytes, bool leads) {
  for (std::uint64_t i = 0; i < n; ++i) {
    if (leads) send(bytes);
    wait_for(arrived_, ++awaited_);
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
    wait_for(sends_done_, sends_requested_);
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

void VerbsLink::wait_for(const std::uint64_t& count, std::uint64_t value) {
  for (unsigned spins = 0; count < value;) {
    ibv_wc done;
    const int found = ibv_poll_cq(cq_, 1, &done);
    if (found < 0) verbs_fail("ibv_poll_cq", 0);
    if (found > 0)
      on_completion(done);
    else if (++spins > spins_)
      sched_yield();
  }
}

void VerbsLink::on_completion(const ibv_wc& done) {
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
