// SPDX-License-Identifier: BSD-3-Clause
#include "bench/perf/fabric/link.hpp"

#include <netinet/in.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <sched.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace perf {
namespace {

void check(long error, const char* what) {
  if (error >= 0) return;
  std::fprintf(stderr, "libfabric alone: %s: %s\n", what, ::fi_strerror(static_cast<int>(-error)));
  std::abort();
}

const char* from_environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

}  // namespace

std::string FabricLink::open(bool yields) {
  yields_ = yields;
  const char* const provider = from_environment("UPCR_OFI_PROVIDER", "tcp;ofi_rxm");
  const char* const domain = from_environment("UPCR_OFI_DOMAIN", "lo");
  fi_info* const hints = ::fi_allocinfo();
  hints->caps = FI_MSG;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;
  hints->ep_attr->type = FI_EP_RDM;
  hints->addr_format = FI_SOCKADDR_IN;
  hints->fabric_attr->prov_name = ::strdup(provider);
  fi_info* found = nullptr;
  const int error = ::fi_getinfo(FI_VERSION(1, 11), nullptr, nullptr, 0, hints, &found);
  ::fi_freeinfo(hints);
  for (const fi_info* i = found; error == 0 && i != nullptr && info_ == nullptr; i = i->next)
    if (std::strcmp(i->domain_attr->name, domain) == 0) info_ = ::fi_dupinfo(i);
  if (found != nullptr) ::fi_freeinfo(found);
  if (info_ == nullptr)
    return std::string("libfabric has no ") + provider + " with an address of IPv4 on domain " + domain;
  memory_ = std::make_unique<char[]>(2 * kLargest);
  check(::fi_fabric(info_->fabric_attr, &fabric_, nullptr), "fi_fabric");
  check(::fi_domain(fabric_, info_, &domain_, nullptr), "fi_domain");
  fi_cq_attr queue{};
  queue.format = FI_CQ_FORMAT_CONTEXT;
  check(::fi_cq_open(domain_, &queue, &completions_, nullptr), "fi_cq_open");
  fi_av_attr table{};
  table.type = FI_AV_TABLE;
  check(::fi_av_open(domain_, &table, &peers_, nullptr), "fi_av_open");
  check(::fi_endpoint(domain_, info_, &endpoint_, nullptr), "fi_endpoint");
  check(::fi_ep_bind(endpoint_, &peers_->fid, 0), "fi_ep_bind");
  check(::fi_ep_bind(endpoint_, &completions_->fid, FI_TRANSMIT | FI_RECV), "fi_ep_bind");
  check(::fi_enable(endpoint_), "fi_enable");
  return {};
}

FabricLink::~FabricLink() {
  if (endpoint_ == nullptr) return;
  ::fi_close(&endpoint_->fid);
  ::fi_close(&peers_->fid);
  ::fi_close(&completions_->fid);
  ::fi_close(&domain_->fid);
  ::fi_close(&fabric_->fid);
  ::fi_freeinfo(info_);
}

std::uint64_t FabricLink::address() const {
  sockaddr_in own{};
  std::size_t bytes = sizeof own;
  check(::fi_getname(&endpoint_->fid, &own, &bytes), "fi_getname");
  return std::uint64_t{own.sin_addr.s_addr} << 16 | own.sin_port;
}

void FabricLink::connect(std::uint64_t peer) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = static_cast<in_addr_t>(peer >> 16);
  address.sin_port = static_cast<in_port_t>(peer & 0xffff);
  check(::fi_av_insert(peers_, &address, 1, &peer_, 0, nullptr) - 1, "fi_av_insert");
}

void FabricLink::poll() {
  fi_cq_entry entries[4];
  const ssize_t n = ::fi_cq_read(completions_, entries, 4);
  if (n == -FI_EAGAIN) {
    if (yields_) ::sched_yield();
    return;
  }
  check(n, "fi_cq_read");
  for (ssize_t i = 0; i < n; ++i) ++(entries[i].op_context == &sending_ ? sent_ : received_);
}

void FabricLink::await(const unsigned& count, unsigned value) {
  while (count != value) poll();
}

void FabricLink::post_receive(std::size_t bytes) {
  check(::fi_recv(endpoint_, memory_.get() + kLargest, bytes, nullptr, peer_, &receiving_), "fi_recv");
}

void FabricLink::send(std::size_t bytes) {
  const bool injected = bytes <= info_->tx_attr->inject_size;
  ssize_t error;
  while ((error = injected
                      ? ::fi_inject(endpoint_, memory_.get(), bytes, peer_)
                      : ::fi_send(endpoint_, memory_.get(), bytes, nullptr, peer_, &sending_)) == -FI_EAGAIN)
    poll();
  check(error, "fi_send");
  if (!injected) await(sent_, sent_ + 1);
}

void FabricLink::round_trips(std::uint64_t n, std::size_t bytes, bool leads) {
  for (std::uint64_t i = 0; i < n; ++i) {
    const unsigned next = received_ + 1;
    post_receive(bytes);
    if (leads) send(bytes);
    await(received_, next);
    if (!leads) send(bytes);
  }
}

}  // namespace perf
