// SPDX-License-Identifier: BSD-3-Clause
// Segments and their keys; private memory is in private_memory.cpp. Main thread.
#include "conduits/net/ibv/memory/memory.hpp"

#include <algorithm>
#include <cerrno>

#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/net/ibv/device/pin_error.hpp"

namespace upcr::ibv {

void Memory::open(std::span<Device* const> devices, const AttachInfo& info, const SegmentMap& segments,
                  std::size_t later) {
  topology_ = &info.topology;
  segments_ = &segments;
  devices_.assign(devices.begin(), devices.end());
  register_segments();
  exchange_keys(info.bootstrap);
  open_private(later);
}

void Memory::close() {
  close_private();
  for (ibv_mr* region : regions_)
    if (region != nullptr) (void)ibv_dereg_mr(region);
  regions_.clear();
}

void Memory::register_segments() {
  const Topology& t = *topology_;
  // The reserved page at the start is not mapped, and cannot be registered.
  const std::size_t begin = segments_->null_bytes, bytes = segments_->bytes - begin;
  for (Slot s = t.my_first_slot(); s < t.my_first_slot() + t.my_slots(); ++s) {
    for (Device* device : devices_) {
      ibv_mr* region = nullptr;
      if (bytes != 0) {
        region = ibv_reg_mr(device->pd(), reinterpret_cast<void*>(segments_->mapped[s] + begin), bytes,
                            device->limits().segment_access);
        if (region == nullptr) {
          cannot_register(*device, bytes, "a shared segment", client_api().segment_size_setting, errno);
        }
      }
      regions_.push_back(region);
      local_keys_.push_back(region == nullptr ? 0 : region->lkey);
    }
  }
}

// Every process contributes as many keys as the one with the most slots and the most devices.
void Memory::exchange_keys(Bootstrap& bootstrap) {
  const Topology& t = *topology_;
  const auto mine = static_cast<std::uint32_t>(devices_.size());
  {
    const Table table = bootstrap.gather(&mine, sizeof mine);
    const auto counts = table.of<std::uint32_t>();
    most_devices_ = *std::max_element(counts.begin(), counts.end());
  }
  Slot most_slots = 0;
  for (Rank r = 0; r < t.size; ++r) most_slots = std::max(most_slots, t.first_slot[r + 1] - t.first_slot[r]);

  const std::size_t each = most_slots * most_devices_;
  std::vector<std::uint32_t> own(each);
  for (std::size_t s = 0; s < t.my_slots(); ++s)
    for (std::size_t d = 0; d < mine; ++d) {
      const ibv_mr* region = regions_[s * mine + d];
      own[s * most_devices_ + d] = region == nullptr ? 0 : region->rkey;
    }
  key_table_ = bootstrap.gather(own.data(), each * sizeof own[0]);
  remote_keys_ = key_table_.of<std::uint32_t>();
  if (t.first_slot.is_regular(most_slots)) return;
  own_keys_.resize(t.slots() * most_devices_);
  for (Rank r = 0; r < t.size; ++r)
    std::copy_n(remote_keys_.data() + r * each, (t.first_slot[r + 1] - t.first_slot[r]) * most_devices_,
                own_keys_.data() + t.first_slot[r] * most_devices_);
  remote_keys_ = own_keys_;
  key_table_ = Table();
}

bool Memory::readable_bytes(Rank rank, unsigned remote_device, std::size_t bytes, std::uint64_t* address,
                            std::uint32_t* key) const noexcept {
  const Slot s = topology_->first_slot[rank];
  if (segments_->bytes < segments_->null_bytes + bytes) return false;
  *address = segments_->remote[s] + segments_->null_bytes;
  *key = remote_keys_[s * most_devices_ + remote_device];
  return true;
}

}  // namespace upcr::ibv
