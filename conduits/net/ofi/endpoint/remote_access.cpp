// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/endpoint/remote_access.hpp"

#include <rdma/fi_rma.h>

#include <algorithm>
#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/core/memory/segment.hpp"
#include "conduits/net/ofi/endpoint/bytes_per_peer.hpp"

namespace upcr::ofi {
namespace {

LogComponent log_ofi("ofi");

}  // namespace

bool RemoteAccess::open(Network& network, const AttachInfo& info) {
  network_ = &network;
  topology_ = &info.topology;
  segments_ = &info.segments;
  const char* choice = config_string("UPCR_OFI_RMA");
  all_sizes_ = std::strcmp(choice, "yes") == 0;
  const bool wanted = std::strcmp(choice, "no") != 0 && network.has_rma();
  if (!exchange_keys(info.bootstrap, wanted && register_segments())) {
    close();
    return false;
  }
  operations_ = std::make_unique<Operation[]>(kOperations);
  for (std::uint32_t i = 0; i < kOperations; ++i) {
    operations_[i].kind = OperationKind::kAccess;
    operations_[i].buffer = i;
    free_.push_back(i);
  }
  return true;
}

void RemoteAccess::close() {
  for (Registration& registration : registrations_) network_->memory().remove(registration);
  registrations_.clear();
}

std::size_t RemoteAccess::max_bytes() const noexcept {
  constexpr std::size_t kMaxTransfer = std::size_t{1} << 30;
  return std::min(network_->info().ep_attr->max_msg_size, kMaxTransfer);
}

// The reserved bytes at the start are not mapped, and cannot be registered.
bool RemoteAccess::register_segments() {
  const std::size_t begin = segments_->null_bytes, bytes = segments_->bytes - begin;
  if (bytes == 0) return false;
  const Topology& t = *topology_;
  for (Slot s = t.my_first_slot(); s < t.my_first_slot() + t.my_slots(); ++s) {
    Registration registration;
    const int error = network_->memory().add_remote(reinterpret_cast<void*>(segments_->mapped[s] + begin),
                                                    bytes, &registration);
    if (error != 0) {
      UPCR_LOG(log_ofi, kInfo, "%zu bytes of shared memory cannot be registered: %s", bytes,
               ::fi_strerror(-error));
      return false;
    }
    registrations_.push_back(registration);
  }
  return true;
}

// Every process contributes as many keys as the one with the most slots, and whether it has registered its
// memory. True: all have.
bool RemoteAccess::exchange_keys(Bootstrap& bootstrap, bool registered) {
  const Topology& t = *topology_;
  std::size_t most = 0;
  for (Rank r = 0; r < t.size; ++r) most = std::max<std::size_t>(most, t.first_slot[r + 1] - t.first_slot[r]);
  std::vector<Key> own(keys_of_process(most));
  own[most] = registered ? 1 : 0;
  if (registered)
    for (std::size_t i = 0; i < registrations_.size(); ++i) own[i] = ::fi_mr_key(registrations_[i].mr);
  key_table_ = bootstrap.gather(own.data(), own.size() * sizeof own[0]);
  keys_ = key_table_.of<Key>();
  keys_of_rank_ = own.size();
  for (Rank r = 0; r < t.size; ++r)
    if (keys_[r * keys_of_rank_ + most] == 0) return false;
  return true;
}

bool RemoteAccess::find_remote(Rank rank, std::uint64_t raddr, std::size_t bytes,
                               Target* target) const noexcept {
  const Topology& t = *topology_;
  for (Slot s = t.first_slot[rank]; s < t.first_slot[rank + 1]; ++s) {
    const std::uint64_t offset = raddr - segments_->remote[s];
    if (!segments_->holds(offset, bytes)) continue;
    *target = {network_->addresses().of(rank),
               network_->memory().uses_addresses() ? raddr : offset - segments_->null_bytes,
               keys_[rank * keys_of_rank_ + (s - t.first_slot[rank])]};
    return true;
  }
  return false;
}

// False: the provider wants this memory to be registered, and it is not; or it is what a null
// pointer-to-shared leads to, where messages fault and the signal's report names it, while libfabric would
// say no more than "Bad address".
bool RemoteAccess::find_local(const void* at, std::size_t bytes, void** desc) const noexcept {
  *desc = nullptr;
  const Topology& t = *topology_;
  for (Slot i = 0; i < t.my_slots(); ++i)
    if (reinterpret_cast<std::uintptr_t>(at) - segments_->mapped[t.my_first_slot() + i] <
        segments_->null_bytes)
      return false;
  if (!network_->memory().wants_local()) return true;
  for (Slot i = 0; i < t.my_slots(); ++i) {
    const std::uintptr_t segment = segments_->mapped[t.my_first_slot() + i];
    if (!segments_->holds(reinterpret_cast<std::uintptr_t>(at) - segment, bytes)) continue;
    *desc = registrations_[i].desc();
    return true;
  }
  return false;
}

Status RemoteAccess::start(bool write, const Target& target, void* at, std::size_t bytes, void* desc,
                           Rank peer, Pending& done, Pending* local) {
  if (free_.empty()) return Status::kNoResource;
  Operation& operation = operations_[free_.back()];
  operation.peer = peer;
  operation.done = &done;
  operation.local = local;
  const iovec here{at, bytes};
  const fi_rma_iov there{target.address, bytes, target.key};
  fi_msg_rma access{};
  access.msg_iov = &here;
  access.desc = &desc;
  access.iov_count = 1;
  access.addr = target.process;
  access.rma_iov = &there;
  access.rma_iov_count = 1;
  access.context = &operation;
  // A write has completed when its data is in the target's memory.
  const ssize_t error =
      write ? ::fi_writemsg(network_->endpoint(), &access, FI_COMPLETION | FI_DELIVERY_COMPLETE)
            : ::fi_readmsg(network_->endpoint(), &access, FI_COMPLETION);
  if (error == -FI_EAGAIN) return Status::kNoResource;
  check(error, write ? "fi_writemsg" : "fi_readmsg");
  free_.pop_back();
  done.add();
  if (local != nullptr) local->add();
  return Status::kInProgress;
}

Status RemoteAccess::put(Rank to, std::uint64_t raddr, const void* src, std::size_t bytes, Pending& remote,
                         Pending* local) {
  Target target;
  void* desc;
  // Messages copy a source that is to be reusable on return.
  if (local == nullptr || by_message(raddr, bytes) || !find_remote(to, raddr, bytes, &target) ||
      !find_local(src, bytes, &desc))
    return Status::kNotSupported;
  return start(true, target, const_cast<void*>(src), bytes, desc, to, remote, local);
}

Status RemoteAccess::get(Rank from, void* dst, std::uint64_t raddr, std::size_t bytes, Pending& done) {
  Target target;
  void* desc;
  if (by_message(raddr, bytes) || !find_remote(from, raddr, bytes, &target) || !find_local(dst, bytes, &desc))
    return Status::kNotSupported;
  return start(false, target, dst, bytes, desc, from, done, nullptr);
}

void RemoteAccess::complete(Operation& operation) noexcept {
  if (operation.local != nullptr) operation.local->complete();
  operation.done->complete();
  free_.push_back(operation.buffer);
}

}  // namespace upcr::ofi
