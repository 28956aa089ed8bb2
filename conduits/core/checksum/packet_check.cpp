// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/core/checksum/packet_check.hpp"

#include <cstring>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/client_api.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/base/system/crc32c.hpp"
#include "conduits/core/checksum/packet_sums.hpp"

namespace upcr {
namespace {

constexpr ConfigVar kVars[] = {
    {"UPCR_CHECKSUM", ConfigType::kBool, "no",
     "debug library: every packet carries a CRC-32C, which its receiver checks; the same for all processes"},
};
ConfigTable table("packets", kVars);

}  // namespace

#if defined(UPCR_DEBUG) && UPCR_DEBUG

PacketSums packet_sums_state;

namespace {

LogComponent log_packets("packets");

void flip(char* bytes, std::size_t bit) noexcept { bytes[bit / 8] ^= static_cast<char>(1u << bit % 8); }

// The sum of a packet that `rank` sends.
std::uint32_t sum_of(Rank rank, const char* packet, std::size_t bytes) noexcept {
  return crc32c(crc32c(0, &rank, sizeof rank), packet, bytes);
}

class Check final : public PacketCheck {
 public:
  bool sums() const noexcept override { return packet_sums(); }
  std::size_t extra_bytes() const noexcept override { return packet_sums() ? kPacketSumBytes : 0; }
  std::size_t seal(char* packet, std::size_t bytes) noexcept override {
    if (packet_sums()) {
      const std::uint32_t sum = sum_of(packet_sums_state.rank, packet, bytes);
      std::memcpy(packet + bytes, &sum, sizeof sum);
      bytes += sizeof sum;
    }
    if (std::size_t bit; packet_flip_due(8 * bytes, &bit)) flip(packet, bit);
    return bytes;
  }
  std::size_t open(Rank from, const char* packet, std::size_t bytes, const char* conduit,
                   PacketClaim (*claim)(const char*, std::size_t)) noexcept override {
    std::uint32_t found = 0;
    if (bytes < sizeof found)
      fatal(
          "a corrupted packet arrived from rank %u at rank %u by conduit %s: it has %zu bytes, less than its "
          "CRC-32C alone; are all processes the same upcr?",
          from, packet_sums_state.rank, conduit, bytes);
    bytes -= sizeof found;
    std::memcpy(&found, packet + bytes, sizeof found);
    const std::uint32_t expected = sum_of(from, packet, bytes);
    if (found == expected) return bytes;
    const PacketClaim c = claim(packet, bytes);
    report_corrupted_packet(from, conduit, c.has_message ? describe_message(c.message) : c.kind, bytes,
                            expected, found);
  }
};

}  // namespace

PacketCheck* packet_check() noexcept {
  static Check check;
  return &check;
}

bool packet_sums_requested() { return config_bool("UPCR_CHECKSUM"); }

void start_packet_check(bool sums, Rank rank) {
  packet_sums_state.on = sums;
  packet_sums_state.rank = rank;
  if (sums && rank == 0) UPCR_LOG(log_packets, kInfo, "packets carry a CRC-32C (UPCR_CHECKSUM)");
}

void schedule_packet_flip(std::uint64_t after, std::uint64_t bit) noexcept {
  packet_sums_state.flip_bit.store(bit);
  packet_sums_state.flip_countdown.store(after + 1);
}

bool packet_flip_due(std::size_t bits, std::size_t* bit) noexcept {
  std::atomic<std::uint64_t>& countdown = packet_sums_state.flip_countdown;
  std::uint64_t n = countdown.load(std::memory_order_relaxed);
  do {
    if (n == 0) return false;
  } while (!countdown.compare_exchange_weak(n, n - 1));
  if (n != 1) return false;
  *bit = packet_sums_state.flip_bit.load() % bits;
  packet_sums_state.flips.fetch_add(1);
  return true;
}

std::string describe_message(const AmHeader& h) {
  std::string words = "a ";
  words += (h.flags & kAmLong) != 0 ? "Long" : (h.flags & kAmMedium) != 0 ? "Medium" : "Short";
  words += (h.flags & kAmReply) != 0 ? " reply" : " request";
  words += (h.flags & kAmInternal) != 0 ? " for internal handler " : " for client handler ";
  return words + std::to_string(h.handler) + ", " + std::to_string(h.nargs) + " arguments and " +
         std::to_string(h.length) + " bytes";
}

void report_corrupted_packet(Rank from, const char* conduit, const std::string& claim, std::size_t bytes,
                             std::uint32_t expected, std::uint32_t found) {
  fatal(
      "a corrupted packet arrived from rank %u at rank %u by conduit %s: the CRC-32C of its %zu bytes is "
      "%#010x, but it carries %#010x; it claims to be %s, any of which may be wrong, and nothing of it was used. %s",
      from, packet_sums_state.rank, conduit, bytes, expected, found, claim.c_str(), kCorruptionCure);
}

#else

PacketCheck* packet_check() noexcept { return nullptr; }

bool packet_sums_requested() { return false; }

void start_packet_check(bool, Rank rank) {
  if (config_bool("UPCR_CHECKSUM") && rank == 0)
    warn(
        "UPCR_CHECKSUM=yes has no effect: packets carry checksums in the debug library only; link the "
        "program with it (%s)",
        client_api().debug_library);
}

#endif

}  // namespace upcr
