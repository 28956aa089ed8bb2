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

void Receives::open(Device& device, std::span<Device* const> devices, Memory& memory, unsigned credits,
                    ibv_srq* srq, const SharedReceives& shared) {
  device_ = &device;
  devices_ = devices;
  memory_ = &memory;
  credits_ = credits;
  srq_ = srq;
  shared_ = shared;
}

void Receives::close() {
  free_blocks_.clear();
  slabs_.clear();
}

std::size_t Receives::bytes_for(unsigned peers) const noexcept {
  const std::size_t all = std::size_t{receives_for(credits_)} * peers;
  return (shared() ? std::min<std::size_t>(all, shared_.most) : all) * sizeof(ReceiveBuffer);
}

ReceiveBuffer* Receives::open_block(unsigned count) {
  if (!free_blocks_.empty()) {
    ReceiveBuffer* block = free_blocks_.back();
    free_blocks_.pop_back();
    return block;
  }
  auto slab = std::make_unique<Slab>();
  slab->open(devices_, count * sizeof(ReceiveBuffer), "receive buffers",
             [this] { return memory_->make_room(); });
  auto* block = reinterpret_cast<ReceiveBuffer*>(slab->data());
  for (unsigned i = 0; i < count; ++i) {
    ::new (&block[i]) ReceiveBuffer;
    block[i].key = slab->key(*device_);
  }
  slabs_.push_back(std::move(slab));
  return block;
}

ReceiveCapacity Receives::prepare(Link& link) {
  ++connections_;
  std::size_t goal = posted_;
  const ReceiveCapacity now = capacity(&goal);
  const auto count = static_cast<unsigned>(shared() ? goal - posted_ : receives_for(credits_));
  if (count == 0) return now;
  ReceiveBuffer* block = open_block(count);
  if (!shared()) {
    link.receives = block;
    link.receives_out = count;
  }
  for (unsigned i = 0; i < count; ++i) {
    block[i].link = shared() ? nullptr : &link;
    if (const int error = post(&block[i]); error != 0)
      fatal("%s does not take a receive buffer: %s (receive queue of %u)", device_->name(),
            std::strerror(error), receives_for(credits_));
  }
  posted_ = goal;
  return now;
}

ReceiveCapacity Receives::discard() {
  --connections_;
  return capacity(&posted_);  // fewer connections need no more buffers
}

void Receives::release(Link& link) {
  if (link.receives == nullptr) return;
  free_blocks_.push_back(link.receives);
  link.receives = nullptr;
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
          std::strerror(error), shared_.most);
  return error;
}

}  // namespace upcr::ibv
