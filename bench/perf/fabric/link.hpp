// SPDX-License-Identifier: BSD-3-Clause
// Plain libfabric between two threads: an endpoint for reliable datagrams each, over the provider and on the
// domain that conduit ofi is told to use, and fi_pingpong's loop, one message there and one back.
#pragma once
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace perf {

class FabricLink {
 public:
  static constexpr std::size_t kLargest = 4u << 20;

  FabricLink() = default;
  FabricLink(const FabricLink&) = delete;
  FabricLink& operator=(const FabricLink&) = delete;
  ~FabricLink();

  // Opens the endpoint. `yields`: there are fewer CPUs than threads. Returns why it cannot, or nothing.
  std::string open(bool yields);
  // IPv4 address and port of the endpoint, and the peer's.
  std::uint64_t address() const;
  void connect(std::uint64_t peer);
  // Both threads call it, one of them with `leads`.
  void round_trips(std::uint64_t n, std::size_t bytes, bool leads);

 private:
  void post_receive(std::size_t bytes);
  void send(std::size_t bytes);
  void await(const unsigned& count, unsigned value);
  void poll();

  bool yields_ = false;
  fi_info* info_ = nullptr;
  fid_fabric* fabric_ = nullptr;
  fid_domain* domain_ = nullptr;
  fid_cq* completions_ = nullptr;
  fid_av* peers_ = nullptr;
  fid_ep* endpoint_ = nullptr;
  fi_addr_t peer_ = FI_ADDR_UNSPEC;
  std::unique_ptr<char[]> memory_;  // to send from; kLargest bytes later to receive to
  fi_context2 sending_{}, receiving_{};
  unsigned sent_ = 0, received_ = 0;
};

}  // namespace perf
