// SPDX-License-Identifier: BSD-3-Clause
// The state behind packet_check.hpp, for core's own rings and for conduits/net/fault. Not for modules, which
// are compiled once for both libraries. In the release library the functions are constants.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "conduits/core/base/system/status.hpp"
#include "conduits/core/model/am_packet.hpp"

namespace upcr {

#if defined(UPCR_DEBUG) && UPCR_DEBUG

struct PacketSums {
  bool on = false;  // written before the first packet
  Rank rank = 0;
  // The scheduled flip of a bit: the number of packets that leave before the one it concerns, plus one; 0:
  // none.
  std::atomic<std::uint64_t> flip_countdown{0};
  std::atomic<std::uint64_t> flip_bit{0};
  std::atomic<std::uint64_t> flips{0};  // made so far
};
extern PacketSums packet_sums_state;

inline bool packet_sums() noexcept { return packet_sums_state.on; }
// Does a packet that leaves need a sum or possibly a flip?
inline bool packets_are_watched() noexcept {
  return packet_sums_state.on || packet_sums_state.flip_countdown.load(std::memory_order_relaxed) != 0;
}

// Schedules a flip of bit `bit`, modulo the packet's number of bits, of the packet that leaves after `after`
// others. Bit 0 is the lowest of the packet's first byte.
void schedule_packet_flip(std::uint64_t after, std::uint64_t bit) noexcept;
// Counts a packet that leaves. True when it is the one whose bit is to be flipped; then `bit` is less than
// `bits`.
bool packet_flip_due(std::size_t bits, std::size_t* bit) noexcept;

// "a Medium request for client handler 7, 3 arguments and 40 bytes".
std::string describe_message(const AmHeader& head);
inline constexpr const char* kCorruptionCure =
    "Failing memory or a network device changes packets, and so does a stray pointer of the program that "
    "writes into the runtime's buffers: run on other hosts or by another conduit (UPCR_CONDUIT), test the "
    "memory of these hosts, and look for stray pointers with AddressSanitizer (docs/how-to/debugging.md)";
// The fatal error about a packet whose sum is wrong. `claim`: what the packet claims to be; `bytes`: its size
// without the sum.
[[noreturn]] void report_corrupted_packet(Rank from, const char* conduit, const std::string& claim,
                                          std::size_t bytes, std::uint32_t expected, std::uint32_t found);

#else

constexpr bool packet_sums() noexcept { return false; }
constexpr bool packets_are_watched() noexcept { return false; }

#endif

}  // namespace upcr
