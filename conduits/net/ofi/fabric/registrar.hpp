// SPDX-License-Identifier: BSD-3-Clause
// Registers memory of this process, as the provider's mode bits demand (fi_mr(3)):
//   FI_MR_LOCAL      memory of sends, receives and operands too, not only what peers access
//   FI_MR_PROV_KEY   the provider chooses the keys; else they are numbered here
//   FI_MR_ENDPOINT   registered memory is bound to the endpoint and enabled
//   FI_MR_VIRT_ADDR  peers name addresses, else offsets in what is registered
//   FI_MR_ALLOCATED  memory has to be there: segments are
//
// Threads: main thread.
#pragma once
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <cstddef>
#include <cstdint>

namespace upcr::ofi {

// desc() is what operations on this memory take; null where none is needed.
struct Registration {
  fid_mr* mr = nullptr;
  void* desc() const noexcept { return mr != nullptr ? ::fi_mr_desc(mr) : nullptr; }
};

inline constexpr int kKnownMrModes =
    FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_ENDPOINT;

class Registrar {
 public:
  // `endpoint` is enabled.
  void open(fid_domain* domain, fid_ep* endpoint, int mode) noexcept {
    domain_ = domain;
    endpoint_ = endpoint;
    mode_ = mode;
  }

  bool uses_addresses() const noexcept { return (mode_ & FI_MR_VIRT_ADDR) != 0; }
  bool wants_local() const noexcept { return (mode_ & FI_MR_LOCAL) != 0; }

  // Memory that this process alone uses: for sends and receives, or operands. Does nothing unless
  // wants_local().
  Registration add_local(void* memory, std::size_t bytes, std::uint64_t access);
  // Memory that peers read and write by puts and gets; 0, or an error of libfabric's.
  int add_remote(void* memory, std::size_t bytes, Registration* registration) noexcept;
  void remove(Registration& registration);

 private:
  int add(void* memory, std::size_t bytes, std::uint64_t access, Registration* registration) noexcept;

  fid_domain* domain_ = nullptr;
  fid_ep* endpoint_ = nullptr;
  int mode_ = 0;
  std::uint64_t next_key_ = 1;
};

}  // namespace upcr::ofi
