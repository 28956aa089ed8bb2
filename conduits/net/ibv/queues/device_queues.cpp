// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/queues/device_queues.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"

namespace upcr::ibv {

void DeviceQueues::open(Device& device, std::span<Device* const> devices, Memory& memory,
                        const Depths& depths) {
  device_ = &device;
  send_depth_ = depths.send;
  open_completions(depths);
  open_receives(devices, memory, depths);
}

void DeviceQueues::open_completions(const Depths& depths) {
  const unsigned each = receives_for(depths.credits) + kOwnRequests;
  const std::size_t required_room = std::clamp(depths.send * depths.peers, kMinRoom, kMaxRoom);
  const std::size_t most = device_->limits().max_completions;
  if (most < each + kMinRoom)
    fatal("a completion queue of %s holds %zu entries, and %u are needed; set a lower UPCR_IBV_RECEIVES",
          device_->name(), most, each + kMinRoom);
  // Two peers that connect at once have two queue pairs for a while. The receives of the one that is
  // discarded complete, unless they are in the shared queue.
  const bool srq = device_->limits().srq;
  const std::size_t pairs = srq ? depths.peers : std::size_t{2} * depths.peers;
  const std::size_t entries = std::min(each * pairs + required_room, most);
  capacity_ = room_ = static_cast<unsigned>(std::min(required_room, entries - each));
  most_links_ = (static_cast<unsigned>(entries) - capacity_) / each * (srq ? 2 : 1);
  channel_ = ibv_create_comp_channel(device_->context());
  if (channel_ == nullptr)
    fatal("%s: a completion channel cannot be created: %s", device_->name(), std::strerror(errno));
  (void)::fcntl(channel_->fd, F_SETFL, ::fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
  completions_ = ibv_create_cq(device_->context(), static_cast<int>(entries), nullptr, channel_, 0);
  if (completions_ == nullptr)
    fatal("%s: a completion queue of %zu entries cannot be created: %s", device_->name(), entries,
          std::strerror(errno));
}

void DeviceQueues::open_receives(std::span<Device* const> devices, Memory& memory, const Depths& depths) {
  const unsigned each = receives_for(depths.credits);
  const Limits& limits = device_->limits();
  unsigned most = 0;
  if (limits.srq) {
    most =
        static_cast<unsigned>(std::min<std::size_t>(std::size_t{each} * depths.peers, limits.max_receives));
    ibv_srq_init_attr attributes{};
    attributes.attr.max_wr = most;
    attributes.attr.max_sge = 1;
    srq_ = ibv_create_srq(device_->pd(), &attributes);
    if (srq_ == nullptr)
      fatal(
          "%s: a shared receive queue of %u buffers cannot be created: %s; UPCR_IBV_SRQ=no does without one",
          device_->name(), most, std::strerror(errno));
  } else {
    receive_depth_ = each;
  }
  receives_.open(*device_, devices, memory, each, depths.peers, srq_, most);
}

void DeviceQueues::close() {
  if (srq_ != nullptr && ibv_destroy_srq(srq_) != 0)
    warn("%s: a shared receive queue was not destroyed: %s", device_->name(), std::strerror(errno));
  if (completions_ != nullptr && ibv_destroy_cq(completions_) != 0)
    warn("%s: a completion queue was not destroyed: %s", device_->name(), std::strerror(errno));
  if (channel_ != nullptr) ibv_destroy_comp_channel(channel_);
  srq_ = nullptr;
  completions_ = nullptr;
  channel_ = nullptr;
  receives_.close();
}

ibv_qp_cap DeviceQueues::capacities() const noexcept {
  ibv_qp_cap cap{};
  cap.max_send_wr = send_depth_ + kOwnRequests;
  cap.max_recv_wr = receive_depth_;
  cap.max_send_sge = 1;
  cap.max_recv_sge = 1;
  cap.max_inline_data = device_->limits().max_inline;
  return cap;
}

bool DeviceQueues::fetch() {
  const int n = ibv_poll_cq(completions_, kBatch, batch_);
  if (n < 0) fatal("%s: the completion queue cannot be read (%d)", device_->name(), n);
  next_ = 0;
  fetched_ = static_cast<unsigned>(n);
  return n != 0;
}

void DeviceQueues::arm() {
  ibv_cq* which = nullptr;
  void* context = nullptr;
  unsigned events = 0;
  while (ibv_get_cq_event(channel_, &which, &context) == 0) ++events;
  if (events != 0) ibv_ack_cq_events(completions_, events);
  if (const int error = ibv_req_notify_cq(completions_, 0); error != 0)
    fatal("%s: the completion queue cannot be armed: %s", device_->name(), std::strerror(error));
}

}  // namespace upcr::ibv
