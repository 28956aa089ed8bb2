// SPDX-License-Identifier: BSD-3-Clause
// The messages of processes that connect.
#include "conduits/net/ibv/connect/handshake.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace upcr::ibv {
namespace {

constexpr std::uint64_t kSecret = 0x0123456789abcdef;

struct Said {
  Hello hello;
  std::size_t bytes = 56;  // as padded on the way
  HelloStatus judged() const {
    std::vector<unsigned char> data(bytes, 0xee);
    std::memcpy(data.data(), &hello, std::min(bytes, sizeof hello));
    Hello taken;
    return judge(bytes == 0 ? nullptr : data.data(), bytes, kSecret, 2, 4, &taken);
  }
  static Said right() {
    Said s;
    s.hello.secret = kSecret;
    s.hello.rank = 3;
    return s;
  }
};

TEST(IbvHandshake, WhoIsWelcome) {
  EXPECT_EQ(Said::right().judged(), HelloStatus::kValid);
  Said s = Said::right();
  s.bytes = sizeof(Hello);
  EXPECT_EQ(s.judged(), HelloStatus::kValid);
  s.bytes = sizeof(Hello) - 1;
  EXPECT_EQ(s.judged(), HelloStatus::kNothing);
  s.bytes = 0;
  EXPECT_EQ(s.judged(), HelloStatus::kNothing);
}

TEST(IbvHandshake, WhoIsNot) {
  for (int bit = 0; bit < 64; ++bit) {
    Said s = Said::right();
    s.hello.secret ^= std::uint64_t{1} << bit;
    EXPECT_EQ(s.judged(), HelloStatus::kWrongSecret);
  }
  Said s = Said::right();
  s.hello.magic ^= 1;
  EXPECT_EQ(s.judged(), HelloStatus::kOtherProtocol);
  s = Said::right();
  s.hello.version++;
  EXPECT_EQ(s.judged(), HelloStatus::kOtherVersion);
  s = Said::right();
  s.hello.bytes++;
  EXPECT_EQ(s.judged(), HelloStatus::kOtherVersion);
  s = Said::right();
  s.hello.rank = 4;
  EXPECT_EQ(s.judged(), HelloStatus::kWrongRank);
  s.hello.rank = 2;  // oneself
  EXPECT_EQ(s.judged(), HelloStatus::kWrongRank);
}

TEST(IbvHandshake, Refusals) {
  Rejection r;
  r.why = Refusal::kUnauthenticated;
  EXPECT_EQ(reject_reason_in(&r, sizeof r), Refusal::kUnauthenticated);
  EXPECT_EQ(reject_reason_in(&r, sizeof r - 1), Refusal::kUnknown);
  EXPECT_EQ(reject_reason_in(nullptr, 0), Refusal::kUnknown);
  r.magic = 0;
  EXPECT_EQ(reject_reason_in(&r, sizeof r), Refusal::kUnknown);
  r = {};
  r.why = static_cast<Refusal>(77);
  EXPECT_EQ(reject_reason_in(&r, sizeof r), Refusal::kUnknown);
}

}  // namespace
}  // namespace upcr::ibv
