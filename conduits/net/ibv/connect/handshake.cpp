// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connect/handshake.hpp"

#include <cstring>

namespace upcr::ibv {

HelloStatus judge(const void* data, std::size_t bytes, std::uint64_t secret, Rank self, Rank size,
                  Hello* hello) {
  if (data == nullptr || bytes < sizeof(Hello)) return HelloStatus::kNothing;
  std::memcpy(hello, data, sizeof *hello);
  if (hello->magic != Hello::kMagic) return HelloStatus::kOtherProtocol;
  if (hello->version != Hello::kVersion || hello->bytes != sizeof(Hello)) return HelloStatus::kOtherVersion;
  if (hello->secret != secret) return HelloStatus::kWrongSecret;
  if (hello->rank == self || hello->rank >= size) return HelloStatus::kWrongRank;
  return HelloStatus::kValid;
}

const char* words_for(HelloStatus verdict) {
  switch (verdict) {
    case HelloStatus::kValid:
      return "welcome";
    case HelloStatus::kNothing:
      return "says nothing about itself";
    case HelloStatus::kOtherProtocol:
      return "does not speak upcr's protocol";
    case HelloStatus::kOtherVersion:
      return "is of another version of upcr";
    case HelloStatus::kWrongSecret:
      return "does not know this job's secret";
    case HelloStatus::kWrongRank:
      return "claims a rank that it cannot have";
  }
  return "?";
}

Refusal reject_reason_in(const void* data, std::size_t bytes) {
  Rejection refused;
  if (data == nullptr || bytes < sizeof refused) return Refusal::kUnknown;
  std::memcpy(&refused, data, sizeof refused);
  if (refused.magic != Hello::kMagic || refused.why > Refusal::kClosing) return Refusal::kUnknown;
  return refused.why;
}

}  // namespace upcr::ibv
