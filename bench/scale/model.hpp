// SPDX-License-Identifier: BSD-3-Clause
// The LogGP model of a network: what a message costs beyond the instructions that make it. All in nanoseconds
// of modelled time. A processor is busy for `overhead` with each message that it sends or receives; a port is
// busy at both ends for `gap`, or for the bytes where these take longer; the network adds `latency`.
#pragma once
#include <algorithm>
#include <cstdint>

namespace upcr::scale {

using Nanos = std::uint64_t;

struct Model {
  const char* name = "rdma";
  Nanos latency = 1000;
  Nanos overhead = 200;
  Nanos gap = 20;
  double per_byte = 0.08;      // 12.5 GB/s
  Nanos connecting = 100'000;  // processor time for each message of a handshake

  Nanos port(std::uint64_t bytes) const noexcept {
    return std::max(gap, static_cast<Nanos>(static_cast<double>(bytes) * per_byte));
  }
};

inline constexpr Model kRdma{};
// 10 Gbit/s through the kernel.
inline constexpr Model kTcp{"tcp", 15'000, 2'000, 300, 0.8, 50'000};

}  // namespace upcr::scale
