// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/connect/handshake.hpp"

#include <cstring>

namespace upcr::ibv {

Verdict judge(const void* data, std::size_t bytes, std::uint64_t secret, Rank self, Rank size, Hello* hello) {
  if (data == nullptr || bytes < sizeof(Hello)) return Verdict::kNothing;
  std::memcpy(hello, data, sizeof *hello);
  if (hello->magic != Hello::kMagic) return Verdict::kForeign;
  if (hello->version != Hello::kVersion || hello->bytes != sizeof(Hello)) return Verdict::kOtherVersion;
  if (hello->secret != secret) return Verdict::kWrongSecret;
  if (hello->rank == self || hello->rank >= size) return Verdict::kWrongRank;
  return Verdict::kWelcome;
}

const char* words_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::kWelcome:
      return "welcome";
    case Verdict::kNothing:
      return "says nothing about itself";
    case Verdict::kForeign:
      return "does not speak upcr's protocol";
    case Verdict::kOtherVersion:
      return "is of another version of upcr";
    case Verdict::kWrongSecret:
      return "does not know this job's secret";
    case Verdict::kWrongRank:
      return "claims a rank that it cannot have";
  }
  return "?";
}

Refusal refusal_in(const void* data, std::size_t bytes) {
  Refused refused;
  if (data == nullptr || bytes < sizeof refused) return Refusal::kUnknown;
  std::memcpy(&refused, data, sizeof refused);
  if (refused.magic != Hello::kMagic || refused.why > Refusal::kClosing) return Refusal::kUnknown;
  return refused.why;
}

}  // namespace upcr::ibv
