// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/messages/sends.hpp"

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"

namespace upcr::ofi {
namespace {

LogComponent log_ofi("ofi");

}  // namespace

void Sends::open(Network& network, Bootstrap& bootstrap, std::size_t buffers) {
  network_ = &network;
  bootstrap_ = &bootstrap;
  pool_.open(network, OperationKind::kSend, buffers);
  inject_ = network.info().tx_attr->inject_size;
  deferred_.reserve(buffers);
}

void Sends::send(Peer& peer, std::uint32_t buffer, std::size_t bytes) {
  Operation& operation = pool_.operation(buffer);
  operation.bytes = static_cast<std::uint32_t>(bytes);
  operation.peer = peer.rank;
  peer.contacted = true;
  if (peer.deferred == 0 && offer(peer, buffer)) return;
  ++peer.deferred;
  deferred_.push_back({&peer, buffer});
}

// False: the provider does not take it now.
bool Sends::offer(Peer& peer, std::uint32_t buffer) {
  Operation& operation = pool_.operation(buffer);
  const fi_addr_t to = network_->addresses().of(peer.rank);
  const bool injected = operation.bytes <= inject_;
  const ssize_t error = injected
                            ? ::fi_inject(network_->endpoint(), pool_.packet(buffer), operation.bytes, to)
                            : ::fi_send(network_->endpoint(), pool_.packet(buffer), operation.bytes,
                                        pool_.desc(), to, &operation);
  if (error == -FI_EAGAIN) return false;
  if (error != 0) fail(peer.rank, std::string(::fi_strerror(static_cast<int>(-error))) + kUsualCauses);
  if (injected) pool_.release(buffer);
  return true;
}

void Sends::retry() {
  std::size_t kept = 0;
  for (const Deferred d : deferred_) {
    if (!d.peer->refused && offer(*d.peer, d.buffer)) {
      --d.peer->deferred;
      continue;
    }
    d.peer->refused = true;  // those behind it wait
    deferred_[kept++] = d;
  }
  deferred_.resize(kept);
  for (const Deferred& d : deferred_) d.peer->refused = false;
}

void Sends::fail(Rank peer, const std::string& why) {
  UPCR_LOG(log_ofi, kInfo, "a message to rank %u cannot be delivered: %s", peer, why.c_str());
  bootstrap_->await_death_report(peer);
  const Addresses& addresses = network_->addresses();
  fatal("a message, put or get to rank %u (host %s, %s) has failed over libfabric's %s: %s", peer,
        addresses.host_of(peer), addresses.text_of(peer).c_str(), network_->info().fabric_attr->prov_name,
        why.c_str());
}

}  // namespace upcr::ofi
