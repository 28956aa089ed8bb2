// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/queues/device_queues.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"

namespace upcr::ibv {

void DeviceQueues::open(Device& device, std::span<Device* const> devices, Memory& memory,
                        const Depths& depths) {
  device_ = &device;
  send_depth_ = depths.send;
  open_receives(devices, memory, depths);
  open_completions(depths);
}

// Entries for the first few queue pairs; it grows with them.
void DeviceQueues::open_completions(const Depths& depths) {
  needs_.room = static_cast<unsigned>(
      std::clamp<std::size_t>(std::size_t{depths.send} * depths.peers, kMinRoom, kMaxRoom));
  needs_.of_link = receives_for(depths.credits);
  needs_.own_of_link = kOwnRequests;
  needs_.shared = srq_ != nullptr ? receives_.longest() : 0;
  const std::size_t most = device_->limits().max_completions;
  const std::size_t least = needs_.of_link + needs_.own_of_link + kMinRoom;
  if (most < least)
    fatal_setting(
        "a completion queue of %s holds %zu entries, and %zu are needed; set a lower UPCR_IBV_RECEIVES",
        device_->name(), most, least);
  needs_.room = static_cast<unsigned>(std::min<std::size_t>(needs_.room, most - least + kMinRoom));
  channel_ = ibv_create_comp_channel(device_->context());
  if (channel_ == nullptr)
    fatal("%s: a completion channel cannot be created: %s", device_->name(), std::strerror(errno));
  (void)::fcntl(channel_->fd, F_SETFL, ::fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
  add_completion_queue(kFirstLinks);
}

void DeviceQueues::add_completion_queue(std::size_t links) {
  if (const std::string why = make_completion_queue(links); !why.empty())
    fatal("%s: %s", device_->name(), why.c_str());
}

// Returns what has gone wrong, or an empty text.
std::string DeviceQueues::make_completion_queue(std::size_t links) {
  const unsigned nth = completion_queues_.load(std::memory_order_relaxed);
  if (nth == kMaxCompletionQueues)
    return std::to_string(nth) + " completion queues are full of connections; set a lower UPCR_IBV_RECEIVES";
  CompletionQueue& queue = completions_[nth];
  const char* failed =
      queue.open(device_->context(), channel_, needs_, links, device_->limits().max_completions);
  if (failed != nullptr) {
    std::string why = "a completion queue of " + std::to_string(queue.entries()) + " entries cannot be " +
                      failed + ": " + std::strerror(errno);
    queue.close(device_->name());
    return why;
  }
  completion_queues_.store(nth + 1, std::memory_order_release);
  return "";
}

ibv_cq* DeviceQueues::find_completions(std::string* why) {
  const unsigned count = completion_queues_.load(std::memory_order_relaxed);
  for (unsigned i = count; i > 0; --i)
    if (completions_[i - 1].has_room_for_link()) return completions_[i - 1].queue();
  *why = make_completion_queue(std::size_t{kFirstLinks} << count);
  return why->empty() ? completions_[count].queue() : nullptr;
}

ibv_cq* DeviceQueues::completions_for_link() {
  std::string why;
  ibv_cq* const queue = find_completions(&why);
  if (queue == nullptr) fatal("%s: %s", device_->name(), why.c_str());
  return queue;
}

void DeviceQueues::open_receives(std::span<Device* const> devices, Memory& memory, const Depths& depths) {
  const Limits& limits = device_->limits();
  SharedReceives shared;
  if (limits.srq) {
    shared = shared_receives(depths.peers, depths.credits, limits.max_receives);
    ibv_srq_init_attr attributes{};
    attributes.attr.max_wr = shared.most;
    attributes.attr.max_sge = 1;
    srq_ = ibv_create_srq(device_->pd(), &attributes);
    if (srq_ == nullptr)
      fatal_setting(
          "%s: a shared receive queue of %u buffers cannot be created: %s; UPCR_IBV_SRQ=no does without one",
          device_->name(), shared.most, std::strerror(errno));
  } else {
    receive_depth_ = receives_for(depths.credits);
    shared.pool = kUnlimitedPool;
  }
  receives_.open(*device_, devices, memory, depths.credits, srq_, shared);
  windows_.open(depths.credits, shared.pool);
}

void DeviceQueues::close() {
  if (srq_ != nullptr && ibv_destroy_srq(srq_) != 0)
    warn("%s: a shared receive queue was not destroyed: %s", device_->name(), std::strerror(errno));
  for (CompletionQueue& queue : completions_) queue.close(device_->name());
  completion_queues_ = 0;
  if (channel_ != nullptr) ibv_destroy_comp_channel(channel_);
  srq_ = nullptr;
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

// Each queue in turn: one that is never empty does not keep completions of the others waiting.
bool DeviceQueues::fetch() {
  const unsigned count = completion_queues_.load(std::memory_order_acquire);
  for (unsigned tries = 0; tries < count; ++tries) {
    if (++polled_ >= count) polled_ = 0;
    const int n = ibv_poll_cq(completions_[polled_].queue(), kBatch, batch_);
    if (n < 0) fatal("%s: the completion queue cannot be read (%d)", device_->name(), n);
    next_ = 0;
    fetched_ = static_cast<unsigned>(n);
    if (n != 0) return true;
  }
  return false;
}

void DeviceQueues::arm() {
  ibv_cq* which = nullptr;
  void* context = nullptr;
  while (ibv_get_cq_event(channel_, &which, &context) == 0)
    static_cast<CompletionQueue*>(context)->note_event();
  const unsigned count = completion_queues_.load(std::memory_order_acquire);
  for (unsigned i = 0; i < count; ++i)
    if (const int error = completions_[i].arm(); error != 0)
      fatal("%s: the completion queue cannot be armed: %s", device_->name(), std::strerror(error));
}

}  // namespace upcr::ibv
