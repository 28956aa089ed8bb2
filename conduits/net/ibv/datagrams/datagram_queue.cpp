// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/datagrams/datagram_queue.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

}  // namespace

DatagramQueue::DatagramQueue(const Port& port) : port_(port) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t bytes = (kReceives * kReceiveBytes + kSends * kMaxBytes + page - 1) / page * page;
  memory_.reset(static_cast<char*>(std::aligned_alloc(page, bytes)));
  if (memory_ == nullptr) fatal("no memory for the datagrams of port %s", port.name.c_str());
  const Device& device = *port.device;
  channel_ = ::ibv_create_comp_channel(device.context());
  if (channel_ != nullptr) receive_cq_ = ::ibv_create_cq(device.context(), kReceives, nullptr, channel_, 0);
  if (receive_cq_ != nullptr) send_cq_ = ::ibv_create_cq(device.context(), kSends, nullptr, nullptr, 0);
  if (send_cq_ != nullptr) {
    ibv_qp_init_attr attributes{};
    attributes.qp_type = IBV_QPT_UD;
    attributes.send_cq = send_cq_;
    attributes.recv_cq = receive_cq_;
    attributes.cap = {kSends, kReceives, 1, 1, 0};
    attributes.sq_sig_all = 1;
    qp_ = ::ibv_create_qp(device.pd(), &attributes);
  }
  if (qp_ != nullptr) mr_ = ::ibv_reg_mr(device.pd(), memory_.get(), bytes, IBV_ACCESS_LOCAL_WRITE);
  if (mr_ == nullptr)
    fatal(
        "device %s: no queue pair for datagrams can be created, by which connections are made: %s; "
        "UPCR_IBV_CONNECT_BY=rdmacm needs none",
        device.name(), std::strerror(errno));
  ::fcntl(channel_->fd, F_SETFL, ::fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
  for (std::uint64_t i = 0; i < kSends; ++i) free_sends_.push_back(i);
}

DatagramQueue::~DatagramQueue() {
  constexpr Millis kPatience = 200;
  for (const Millis end = now_ms() + kPatience; free_sends_.size() < kSends && now_ms() < end;) {
    poll_sends();
    if (free_sends_.size() < kSends) ::usleep(1000);
  }
  ::ibv_destroy_qp(qp_);
  for (ibv_ah* path : paths_)
    if (path != nullptr) ::ibv_destroy_ah(path);
  ::ibv_destroy_cq(send_cq_);
  ::ibv_destroy_cq(receive_cq_);
  ::ibv_destroy_comp_channel(channel_);
  ::ibv_dereg_mr(mr_);
}

void DatagramQueue::open(std::uint64_t secret, std::uint16_t partition) {
  key_ = static_cast<std::uint32_t>(secret) & 0x7fffffff;  // the highest bit is for privileged keys
  partition_ = partition;
  if (const int error = start(); error != 0)
    fatal("port %s: its queue pair for datagrams cannot be used: %s", port_.name.c_str(),
          std::strerror(error));
}

int DatagramQueue::start() {
  ibv_qp_attr a{};
  a.qp_state = IBV_QPS_INIT;
  a.pkey_index = partition_;
  a.port_num = port_.number;
  a.qkey = key_;
  int error = ::ibv_modify_qp(qp_, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY);
  if (error != 0) return error;
  for (std::uint64_t i = 0; i < kReceives; ++i) post_receive(i);
  a.qp_state = IBV_QPS_RTR;
  error = ::ibv_modify_qp(qp_, &a, IBV_QP_STATE);
  if (error != 0) return error;
  a.qp_state = IBV_QPS_RTS;
  a.sq_psn = 0;
  error = ::ibv_modify_qp(qp_, &a, IBV_QP_STATE | IBV_QP_SQ_PSN);
  return error != 0 ? error : ::ibv_req_notify_cq(receive_cq_, 0);
}

// From the error state: everything that was posted is forgotten.
void DatagramQueue::restart() {
  UPCR_LOG(log_ibv, kInfo, "port %s: its queue pair for datagrams is restarted", port_.name.c_str());
  ibv_qp_attr a{};
  a.qp_state = IBV_QPS_RESET;
  if (::ibv_modify_qp(qp_, &a, IBV_QP_STATE) != 0) return;
  for (ibv_cq* cq : {receive_cq_, send_cq_})
    for (ibv_wc completion; ::ibv_poll_cq(cq, 1, &completion) == 1;) {
    }
  free_sends_.clear();
  for (std::uint64_t i = 0; i < kSends; ++i) {
    free_sends_.push_back(i);
    if (paths_[i] != nullptr) ::ibv_destroy_ah(paths_[i]);
    paths_[i] = nullptr;
  }
  broken_ = start() != 0;
}

void DatagramQueue::acknowledge_events() {
  ibv_cq* cq = nullptr;
  void* context = nullptr;
  unsigned events = 0;
  while (::ibv_get_cq_event(channel_, &cq, &context) == 0) ++events;
  if (events != 0) ::ibv_ack_cq_events(receive_cq_, events);
  (void)::ibv_req_notify_cq(receive_cq_, 0);
}

// After a failure everything is posted again (restart()).
bool DatagramQueue::succeeded(const ibv_wc& completion) {
  if (completion.status == IBV_WC_SUCCESS) return true;
  UPCR_LOG(log_ibv, kInfo, "port %s: a datagram: %s", port_.name.c_str(),
           ::ibv_wc_status_str(completion.status));
  broken_ = true;
  return false;
}

void DatagramQueue::poll_sends() {
  for (ibv_wc completion; ::ibv_poll_cq(send_cq_, 1, &completion) == 1;) {
    (void)succeeded(completion);
    ibv_ah*& path = paths_[completion.wr_id];
    if (path == nullptr) continue;  // forgotten by restart()
    ::ibv_destroy_ah(path);
    path = nullptr;
    free_sends_.push_back(completion.wr_id);
  }
}

bool DatagramQueue::has_room() {
  if (free_sends_.empty()) poll_sends();
  return !free_sends_.empty();
}

void DatagramQueue::post_receive(std::uint64_t nth) {
  ibv_sge piece{reinterpret_cast<std::uintptr_t>(receive_buffer(nth)), kReceiveBytes, mr_->lkey};
  ibv_recv_wr request{nth, nullptr, &piece, 1}, *bad = nullptr;
  if (::ibv_post_recv(qp_, &request, &bad) != 0) broken_ = true;
}

int DatagramQueue::send(ibv_ah_attr path, std::uint32_t queue_pair, const void* data, std::size_t bytes) {
  if (!has_room()) return EAGAIN;
  ibv_ah* to = ::ibv_create_ah(port_.device->pd(), &path);
  if (to == nullptr) return errno;
  const std::uint64_t nth = free_sends_.back();
  std::memcpy(send_buffer(nth), data, bytes);
  ibv_sge piece{reinterpret_cast<std::uintptr_t>(send_buffer(nth)), static_cast<std::uint32_t>(bytes),
                mr_->lkey};
  ibv_send_wr request{}, *bad = nullptr;
  request.wr_id = nth;
  request.sg_list = &piece;
  request.num_sge = 1;
  request.opcode = IBV_WR_SEND;
  request.send_flags = IBV_SEND_SIGNALED;
  request.wr.ud.ah = to;
  request.wr.ud.remote_qpn = queue_pair;
  request.wr.ud.remote_qkey = key_;
  if (const int error = ::ibv_post_send(qp_, &request, &bad); error != 0) {
    ::ibv_destroy_ah(to);
    return error;
  }
  paths_[nth] = to;
  free_sends_.pop_back();
  return 0;
}

// RoCE has an IPv6 header there, or in the second half one of IPv4.
std::string DatagramQueue::sender_of(const ibv_wc& completion, const char* buffer) const {
  const std::string queue_pair = ", queue pair " + std::to_string(completion.src_qp);
  if ((completion.wc_flags & IBV_WC_GRH) == 0) return "LID " + std::to_string(completion.slid) + queue_pair;
  constexpr std::size_t kFourHeader = 20, kFourSource = 12, kSixSource = 8;
  WireAddress from;
  const bool four =
      port_.kind == Kind::kRoce && (buffer[kFourHeader] & 0xf0) == 0x40 && (buffer[0] & 0xf0) != 0x60;
  from.family = four ? 4 : 6;
  std::memcpy(from.bytes, buffer + (four ? kFourHeader + kFourSource : kSixSource),
              four ? 4 : sizeof from.bytes);
  return text_of(from) + queue_pair;
}

}  // namespace upcr::ibv
