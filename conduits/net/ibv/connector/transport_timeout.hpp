// SPDX-License-Identifier: BSD-3-Clause
// How long a reliable connection of InfiniBand or RoCE waits for an acknowledgement before it fails: computes
// the two attributes of a queue pair that decide from one time in seconds. Pure functions; any thread.
#pragma once
#include <cstdint>

namespace upcr::ibv {

struct TransportTimeout {
  std::uint8_t ack_timeout = 0;  // exponent: a packet is sent again after 4.096 us * 2^ack_timeout
  std::uint8_t retry_count = 0;  // it is sent again so many times

  // From the first transmission to the failure. The standard lets adapters wait up to four times as long;
  // Linux' rxe takes this time.
  double seconds() const noexcept {
    return 4.096e-6 * static_cast<double>(std::uint64_t{1} << ack_timeout) * (retry_count + 1);
  }
};

// The shortest one that takes at least so many seconds (1..3600). The retry count is never 7, the largest
// value of the field: rxe takes that as "without end". It is at least 3: a few losses in a row do not end a
// job.
constexpr TransportTimeout transport_timeout_for(double seconds) noexcept {
  constexpr std::uint8_t kMaxRetries = 6, kMinRetries = 3, kLongest = 31;
  for (std::uint8_t exponent = 0; exponent < kLongest; ++exponent)
    // Twice the fewest sends are tried with the next exponent, as twice the time each.
    for (std::uint8_t retries = kMinRetries; retries <= kMaxRetries; ++retries)
      if (const TransportTimeout t{exponent, retries}; t.seconds() >= seconds) return t;
  return {kLongest, kMaxRetries};
}

}  // namespace upcr::ibv
