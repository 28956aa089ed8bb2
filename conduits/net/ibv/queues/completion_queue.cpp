// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/queues/completion_queue.hpp"

#include <cerrno>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr::ibv {
namespace {

LogComponent log_ibv("ibv");

}  // namespace

const char* CompletionQueue::open(ibv_context* context, ibv_comp_channel* channel,
                                  const CompletionNeeds& needs, std::size_t links, std::size_t most) {
  needs_ = needs;
  rooms_ = std::make_unique<CompletionRoom[]>(needs.paths);
  for (unsigned path = 0; path < needs.paths; ++path) rooms_[path].open(needs.room);
  most_ = most;
  entries_ = std::min(needs.entries(links), most);
  queue_ = ibv_create_cq(context, static_cast<int>(entries_), this, channel, 0);
  if (queue_ == nullptr) return "created";
  if (const int error = arm(); error != 0) {
    errno = error;
    return "armed";
  }
  return nullptr;
}

void CompletionQueue::close(const char* device) noexcept {
  if (queue_ == nullptr) return;
  if (events_ != 0) ibv_ack_cq_events(queue_, events_);
  events_ = 0;
  if (const int error = ibv_destroy_cq(queue_); error != 0)
    warn("%s: a completion queue was not destroyed: %s", device, std::strerror(error));
  queue_ = nullptr;
}

bool CompletionQueue::has_room_for_links(std::size_t links) {
  if (needs_.entries(links_ + links) <= entries_) return true;
  const std::size_t entries = needs_.grown(links_ + links, most_);
  if (entries == 0) return false;
  if (const int error = ibv_resize_cq(queue_, static_cast<int>(entries)); error != 0) {
    UPCR_LOG(log_ibv, kInfo, "a completion queue of %zu entries cannot grow to %zu: %s", entries_, entries,
             std::strerror(error));
    return false;
  }
  UPCR_LOG(log_ibv, kInfo, "a completion queue grows from %zu to %zu entries", entries_, entries);
  entries_ = entries;
  return true;
}

int CompletionQueue::arm() noexcept {
  if (events_ != 0) ibv_ack_cq_events(queue_, events_);
  events_ = 0;
  return ibv_req_notify_cq(queue_, 0);
}

}  // namespace upcr::ibv
