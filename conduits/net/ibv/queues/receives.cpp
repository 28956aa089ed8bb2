// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/queues/receives.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "conduits/core/base/report/error.hpp"
#include "conduits/net/ibv/memory/memory.hpp"
#include "conduits/net/ibv/queues/identifier.hpp"
#include "conduits/net/ibv/queues/link.hpp"

namespace upcr::ibv {

void Receives::open(Device& device, std::span<Device* const> devices, Memory& memory, unsigned each,
                    unsigned peers, ibv_srq* srq, unsigned most) {
  device_ = &device;
  devices_ = devices;
  memory_ = &memory;
  each_ = each;
  srq_ = srq;
  most_ = most;
  covers_credits_ = srq == nullptr || most >= std::size_t{each} * peers;
}

void Receives::close() {
  free_blocks_.clear();
  slabs_.clear();
}

std::size_t Receives::bytes_for(unsigned peers) const noexcept {
  const std::size_t all = std::size_t{each_} * peers;
  return (shared() ? std::min<std::size_t>(all, most_) : all) * sizeof(ReceiveBuffer);
}

ReceiveBuffer* Receives::open_block() {
  if (!free_blocks_.empty()) {
    ReceiveBuffer* block = free_blocks_.back();
    free_blocks_.pop_back();
    return block;
  }
  auto slab = std::make_unique<Slab>();
  slab->open(devices_, each_ * sizeof(ReceiveBuffer), "receive buffers",
             [this] { return memory_->make_room(); });
  auto* block = reinterpret_cast<ReceiveBuffer*>(slab->data());
  for (unsigned i = 0; i < each_; ++i) {
    ::new (&block[i]) ReceiveBuffer;
    block[i].key = slab->key(*device_);
  }
  slabs_.push_back(std::move(slab));
  return block;
}

void Receives::prepare(Link& link) {
  unsigned count = each_;
  if (shared()) {
    // The share of a connection that was discarded stays in the queue, for the next peer.
    wanted_ += each_;
    const unsigned goal = std::min(wanted_, most_);
    count = goal > posted_ ? std::min(goal - posted_, each_) : 0;
    if (count == 0) return;
    posted_ += count;
  }
  ReceiveBuffer* block = open_block();
  if (!shared()) {
    link.receives = block;
    link.receives_out = count;
  }
  for (unsigned i = 0; i < count; ++i) {
    block[i].link = shared() ? nullptr : &link;
    if (const int error = post(&block[i]); error != 0)
      fatal("%s does not take a receive buffer: %s (receive queue of %u)", device_->name(),
            std::strerror(error), each_);
  }
}

void Receives::release(Link& link) {
  if (shared()) {
    wanted_ -= each_;
  } else if (link.receives != nullptr) {
    free_blocks_.push_back(link.receives);
    link.receives = nullptr;
  }
}

int Receives::post(ReceiveBuffer* buffer) {
  ibv_sge piece{reinterpret_cast<std::uintptr_t>(buffer->packet), kPacketBytes, buffer->key};
  ibv_recv_wr request{};
  request.wr_id = identifier(buffer);
  request.sg_list = &piece;
  request.num_sge = 1;
  ibv_recv_wr* bad = nullptr;
  const int error = shared() ? ibv_post_srq_recv(srq_, &request, &bad)
                             : ibv_post_recv(buffer->link->connection.qp, &request, &bad);
  if (error != 0 && shared())
    fatal("%s does not take a receive buffer: %s (shared receive queue of %u)", device_->name(),
          std::strerror(error), most_);
  return error;
}

}  // namespace upcr::ibv
