// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/queues/device_queues.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr::ibv {

void DeviceQueues::open(Device& device, std::span<Device* const> devices, Memory& memory,
                        const Depths& depths) {
  device_ = &device;
  send_depth_ = depths.send;
  sharers_ = depths.sharers;
  const SharedReceives shared = receives_here(device.limits(), depths);
  open_completions(depths, shared.most);
  open_receives(devices, memory, depths, shared);
}

namespace {

LogComponent log_ibv("ibv");

// Work requests of a queue pair of XRC, at the most: longer ones take memory for each host.
unsigned most_shared_sends(const Limits& limits, unsigned most) { return std::min(limits.max_send, most); }

// What the data path may have in progress to the peers of one send path. One of several has its own rank,
// too.
std::size_t wanted_of_path(const Depths& depths) {
  const unsigned peers = depths.paths == 1 ? depths.peers : (depths.peers + depths.paths) / depths.paths;
  return std::size_t{depths.send} * peers;
}

}  // namespace

// A completion queue for the first few queue pairs; it grows with them.
CompletionNeeds DeviceQueues::needs_for(const Limits& limits, const Depths& depths,
                                        unsigned shared_receives) noexcept {
  CompletionNeeds needs;
  const bool xrc = depths.sharers != 0;
  needs.paths = depths.paths;
  needs.of_link = xrc ? shared_receives : receives_for(depths.credits);
  needs.own_of_link = kOwnRequests;
  needs.shared = shared_receives;
  // One of several paths has some more, so that puts need not be signalled one by one
  // (UnsignalledLinks::most()).
  const unsigned least = depths.paths == 1 ? kMinRoom : 2 * kFairRoom;
  std::size_t room = std::clamp<std::size_t>(wanted_of_path(depths), least, kMaxRoom / depths.paths);
  if (xrc)
    room = std::min<std::size_t>(room, (most_shared_sends(limits, kMaxRoom) - depths.sharers) / depths.paths);
  const std::size_t beside = needs.of_queue_pair(std::max(depths.sharers, 1U));
  const std::size_t left = limits.max_completions - std::min<std::size_t>(beside, limits.max_completions);
  needs.room = static_cast<unsigned>(std::min(room, left / depths.paths));
  return needs;
}

unsigned DeviceQueues::paths_for(const Limits& limits, Depths depths, unsigned most) noexcept {
  const unsigned shared = receives_here(limits, depths).most;
  for (depths.paths = most; depths.paths > 1; depths.paths /= 2) {
    // A peer alone may have as many in progress as UPCR_IBV_SEND_DEPTH says.
    const unsigned most_fair = std::clamp(depths.send, kFairRoom, kMaxRoom);
    const std::size_t fair = std::clamp<std::size_t>(wanted_of_path(depths), kMinRoom, most_fair);
    if (needs_for(limits, depths, shared).room >= fair) break;
  }
  return depths.paths;
}

void DeviceQueues::open_completions(const Depths& depths, unsigned shared_receives) {
  needs_ = needs_for(device_->limits(), depths, shared_receives);
  if (const std::size_t least = needs_.of_queue_pair(links_of_queue_pair()) + kMinRoom;
      device_->limits().max_completions < least)
    fatal_setting(
        "a completion queue of %s holds %u entries, and %zu are needed; set a lower UPCR_IBV_RECEIVES",
        device_->name(), device_->limits().max_completions, least);
  channel_ = ibv_create_comp_channel(device_->context());
  if (channel_ == nullptr)
    fatal("%s: a completion channel cannot be created: %s", device_->name(), std::strerror(errno));
  (void)::fcntl(channel_->fd, F_SETFL, ::fcntl(channel_->fd, F_GETFL) | O_NONBLOCK);
  add_completion_queue(std::max(kFirstLinks, links_of_queue_pair()));
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
  UPCR_LOG(log_ibv, kInfo, "completion queue %u of %s: %zu entries", nth + 1, device_->name(),
           queue.entries());
  return "";
}

ibv_cq* DeviceQueues::find_completions(unsigned links, std::string* why) {
  const unsigned count = completion_queues_.load(std::memory_order_relaxed);
  for (unsigned i = count; i > 0; --i)
    if (completions_[i - 1].has_room_for_links(links)) return completions_[i - 1].queue();
  *why = make_completion_queue(std::size_t{std::max(kFirstLinks, links_of_queue_pair())} << count);
  return why->empty() ? completions_[count].queue() : nullptr;
}

ibv_cq* DeviceQueues::completions_for_queue_pair() {
  std::string why;
  ibv_cq* const queue = find_completions(links_of_queue_pair(), &why);
  if (queue == nullptr) fatal("%s: %s", device_->name(), why.c_str());
  return queue;
}

// With XRC the first completion queue holds all receives, and more.
SharedReceives DeviceQueues::receives_here(const Limits& limits, const Depths& depths) noexcept {
  if (!limits.srq) return {0, kUnlimitedPool};
  return shared_receives(
      depths.peers, depths.credits,
      depths.sharers != 0 ? std::min(limits.max_receives, limits.max_completions / 2) : limits.max_receives);
}

ibv_srq* DeviceQueues::create_srq(unsigned receives) const {
  if (!is_xrc()) {
    ibv_srq_init_attr attributes{};
    attributes.attr.max_wr = receives;
    attributes.attr.max_sge = 1;
    return ibv_create_srq(device_->pd(), &attributes);
  }
  ibv_srq_init_attr_ex attributes{};
  attributes.attr.max_wr = receives;
  attributes.attr.max_sge = 1;
  attributes.comp_mask =
      IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
  attributes.srq_type = IBV_SRQT_XRC;
  attributes.pd = device_->pd();
  attributes.xrcd = device_->xrcd();
  attributes.cq = completions_[0].queue();
  return ibv_create_srq_ex(device_->context(), &attributes);
}

void DeviceQueues::open_receives(std::span<Device* const> devices, Memory& memory, const Depths& depths,
                                 const SharedReceives& shared) {
  if (device_->limits().srq) {
    srq_ = create_srq(shared.most);
    if (srq_ == nullptr)
      fatal_setting("%s: a shared receive queue of %u buffers cannot be created: %s; %s", device_->name(),
                    shared.most, std::strerror(errno),
                    is_xrc() ? "UPCR_IBV_XRC=no needs none for XRC" : "UPCR_IBV_SRQ=no does without one");
  } else {
    receive_depth_ = receives_for(depths.credits);
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

ibv_qp_cap DeviceQueues::shared_capacities() const noexcept {
  ibv_qp_cap cap = capacities();
  cap.max_send_wr = std::min(sharers_ * (send_depth_ + 1), most_shared_sends(device_->limits(), kMaxRoom));
  cap.max_recv_wr = 0;
  return cap;
}

bool DeviceQueues::is_busy() const noexcept {
  const unsigned count = completion_queues_.load(std::memory_order_acquire);
  return std::any_of(completions_, completions_ + count,
                     [](const CompletionQueue& q) { return q.is_busy(); });
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
