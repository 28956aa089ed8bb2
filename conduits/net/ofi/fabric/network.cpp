// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/fabric/network.hpp"

#include <rdma/fi_atomic.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <random>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/log.hpp"

namespace upcr::ofi {
namespace {

LogComponent log_ofi("ofi");

}  // namespace

void Network::open(Info info, std::size_t sends, std::size_t receives) {
  info_ = std::move(info);
  check(::fi_fabric(info_->fabric_attr, &fabric_, nullptr), "fi_fabric");
  check(::fi_domain(fabric_, info_.get(), &domain_, nullptr), "fi_domain");
  open_completions(sends + receives);
  addresses_.open(domain_, *info_);
  info_->tx_attr->size = std::max(info_->tx_attr->size, sends);
  info_->rx_attr->size = std::max(info_->rx_attr->size, receives);
  check(::fi_endpoint(domain_, info_.get(), &endpoint_, nullptr), "fi_endpoint");
  check(::fi_ep_bind(endpoint_, &addresses_.vector()->fid, 0), "binding the address vector");
  check(::fi_ep_bind(endpoint_, &completions_->fid, FI_TRANSMIT | FI_RECV), "binding the completion queue");
  enable();
  memory_.open(domain_, endpoint_, info_->domain_attr->mr_mode);
  if (has_atomics()) find_atomics();
}

// The shm provider names an endpoint's memory by the number of its process. A process that was killed leaves
// its file, and the one that gets its number finds the name taken: fi_enable() says busy. Any other name will
// do.
void Network::enable() {
  int error = ::fi_enable(endpoint_);
  if (error == -FI_EBUSY && info_->addr_format == FI_ADDR_STR) {
    std::array<char, 64> name{};
    std::random_device random;
    std::snprintf(name.data(), name.size(), "fi_shm://upcr-%ld-%08x", static_cast<long>(::getpid()),
                  random());
    check(::fi_setname(&endpoint_->fid, name.data(), std::strlen(name.data()) + 1), "fi_setname");
    error = ::fi_enable(endpoint_);
    UPCR_LOG(log_ofi, kInfo, "the name of the endpoint was taken, it is %s", name.data());
  }
  check(error, "fi_enable");
}

void Network::find_atomics() noexcept {
  for (int op = FI_MIN; op <= FI_CSWAP; ++op) {
    const auto operation = static_cast<fi_op>(op);
    std::size_t count = 0;
    const int error = operation == FI_CSWAP
                          ? ::fi_compare_atomicvalid(endpoint_, FI_UINT64, operation, &count)
                          : ::fi_fetch_atomicvalid(endpoint_, FI_UINT64, operation, &count);
    if (error == 0 && count != 0) atomics_ |= 1u << op;
  }
}

// With a descriptor to wait for, if the provider has one.
void Network::open_completions(std::size_t count) {
  fi_cq_attr attributes{};
  attributes.size = count;
  attributes.format = FI_CQ_FORMAT_MSG;
  attributes.wait_obj = FI_WAIT_FD;
  if (config_bool("UPCR_OFI_SLEEP") && ::fi_cq_open(domain_, &attributes, &completions_, nullptr) == 0) {
    if (::fi_control(&completions_->fid, FI_GETWAIT, &wait_fd_) == 0) return;
    wait_fd_ = -1;
    check(::fi_close(&completions_->fid), "closing a completion queue");
  }
  attributes.wait_obj = FI_WAIT_NONE;
  check(::fi_cq_open(domain_, &attributes, &completions_, nullptr), "fi_cq_open");
}

void Network::close_endpoint() { check(::fi_close(&endpoint_->fid), "closing the endpoint"); }

void Network::close() {
  addresses_.close();
  check(::fi_close(&completions_->fid), "closing the completion queue");
  check(::fi_close(&domain_->fid), "closing the domain");
  check(::fi_close(&fabric_->fid), "closing the fabric");
  wait_fd_ = -1;
}

std::string Network::describe() const {
  const fi_domain_attr& domain = *info_->domain_attr;
  return std::string(info_->fabric_attr->prov_name) + ", domain " + domain.name + ", libfabric " +
         std::to_string(FI_MAJOR(::fi_version())) + "." + std::to_string(FI_MINOR(::fi_version())) +
         (domain.data_progress == FI_PROGRESS_AUTO ? ", progress by the provider" : ", progress by polling") +
         (wait_fd_ >= 0 ? "" : "; waiting threads nap");
}

std::string Network::failure(fi_cq_err_entry* entry) {
  *entry = {};
  check(::fi_cq_readerr(completions_, entry, 0), "fi_cq_readerr");
  char text[128] = "";
  const char* more = ::fi_cq_strerror(completions_, entry->prov_errno, entry->err_data, text, sizeof text);
  return std::string(::fi_strerror(entry->err)) + (more != nullptr && *more != 0 ? ", " : "") +
         (more != nullptr ? more : "");
}

bool Network::arm() noexcept {
  fid* queue = &completions_->fid;
  return ::fi_trywait(fabric_, &queue, 1) == FI_SUCCESS;
}

}  // namespace upcr::ofi
