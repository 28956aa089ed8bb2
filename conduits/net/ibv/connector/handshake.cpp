// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connector/handshake.hpp"

#include <cstring>

namespace upcr::ibv {

HelloStatus check_hello(const void* data, std::size_t bytes, std::uint64_t secret, Rank self, Rank size,
                        Hello* hello) {
  if (data == nullptr || bytes < sizeof(Hello)) return HelloStatus::kMissing;
  std::memcpy(hello, data, sizeof *hello);
  if (hello->magic != Hello::kMagic) return HelloStatus::kOtherProtocol;
  if (hello->version != Hello::kVersion || hello->bytes != sizeof(Hello)) return HelloStatus::kOtherVersion;
  if (hello->secret != secret) return HelloStatus::kWrongSecret;
  if (hello->rank == self || hello->rank >= size) return HelloStatus::kWrongRank;
  return HelloStatus::kValid;
}

const char* to_string(HelloStatus status) {
  switch (status) {
    case HelloStatus::kValid:
      return "welcome";
    case HelloStatus::kMissing:
      return "sent no handshake";
    case HelloStatus::kOtherProtocol:
      return "uses another protocol than upcr";
    case HelloStatus::kOtherVersion:
      return "has another version of upcr";
    case HelloStatus::kWrongSecret:
      return "does not know this job's secret";
    case HelloStatus::kWrongRank:
      return "claims a rank that it cannot have";
  }
  return "?";
}

RejectReason reject_reason_in(const void* data, std::size_t bytes) {
  if (!is_rejection(data, bytes)) return RejectReason::kUnknown;
  Rejection rejection;
  std::memcpy(&rejection, data, sizeof rejection);
  return rejection.why > RejectReason::kClosing ? RejectReason::kUnknown : rejection.why;
}

bool is_rejection(const void* data, std::size_t bytes) {
  Rejection rejection;
  if (data == nullptr || bytes < sizeof rejection) return false;
  std::memcpy(&rejection, data, sizeof rejection);
  return rejection.magic == Hello::kMagic;
}

}  // namespace upcr::ibv
