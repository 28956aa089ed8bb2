// SPDX-License-Identifier: BSD-3-Clause
// The objects of libfabric: fabric, domain, completion queue, address vector, and the one endpoint, through
// which this process reaches all others.
//
// Threads: main thread, but for fetch(), arm() and addresses().of(), under the conduit's lock.
#pragma once
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "conduits/net/ofi/fabric/addresses.hpp"
#include "conduits/net/ofi/fabric/check.hpp"
#include "conduits/net/ofi/fabric/choice.hpp"
#include "conduits/net/ofi/fabric/registrar.hpp"

namespace upcr::ofi {

inline constexpr std::uint32_t kApiVersion = FI_VERSION(1, 11);

class Network {
 public:
  // Opens the endpoint. `operations`: of each direction, outstanding at once.
  void open(Info info, std::size_t sends, std::size_t receives);
  // Collective: all processes learn each other's addresses (Addresses::exchange).
  void connect(Bootstrap& bootstrap, std::uint16_t probe_port) {
    addresses_.exchange(bootstrap, *info_, endpoint_, probe_port);
  }
  // The endpoint first: it uses the memory that deregister() is for.
  void close_endpoint();
  void close();

  const fi_info& info() const noexcept { return *info_; }
  fid_ep* endpoint() const noexcept { return endpoint_; }
  Addresses& addresses() noexcept { return addresses_; }
  const Addresses& addresses() const noexcept { return addresses_; }
  std::string describe() const;

  Registrar& memory() noexcept { return memory_; }
  const Registrar& memory() const noexcept { return memory_; }

  // Has the provider puts and gets of its own?
  bool has_rma() const noexcept { return (info_->caps & FI_RMA) != 0; }
  // Has it atomic operations, and this one, on words of 64 bits?
  bool has_atomics() const noexcept { return (info_->caps & FI_ATOMIC) != 0; }
  bool has_atomic(fi_op operation) const noexcept { return (atomics_ >> operation & 1) != 0; }

  // Completions: as fi_cq_read().
  ssize_t fetch(fi_cq_msg_entry* entries, std::size_t count) noexcept {
    return ::fi_cq_read(completions_, entries, count);
  }
  // After fetch() has returned -FI_EAVAIL. Returns the text of the error.
  std::string failure(fi_cq_err_entry* entry);
  // As Conduit::wait_fd() and arm(), for completions.
  int wait_fd() const noexcept { return wait_fd_; }
  bool arm() noexcept;

 private:
  void open_completions(std::size_t count);
  void enable();
  void find_atomics() noexcept;

  Info info_;
  fid_fabric* fabric_ = nullptr;
  fid_domain* domain_ = nullptr;
  fid_cq* completions_ = nullptr;
  Addresses addresses_;
  fid_ep* endpoint_ = nullptr;
  Registrar memory_;
  int wait_fd_ = -1;
  std::uint32_t atomics_ = 0;  // a bit for each fi_op
};

}  // namespace upcr::ofi
