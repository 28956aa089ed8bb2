// SPDX-License-Identifier: BSD-3-Clause
// The messages of processes that connect.
#include "conduits/net/ibv/connector/handshake.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace upcr::ibv {
namespace {

constexpr std::uint64_t kSecret = 0x0123456789abcdef;

struct Received {
  Hello hello;
  std::size_t bytes = 56;  // as padded on the way
  HelloStatus status() const {
    std::vector<unsigned char> data(bytes, 0xee);
    if (bytes != 0) std::memcpy(data.data(), &hello, std::min(bytes, sizeof hello));
    Hello checked;
    return check_hello(bytes == 0 ? nullptr : data.data(), bytes, kSecret, 2, 4, &checked);
  }
  static Received valid() {
    Received s;
    s.hello.secret = kSecret;
    s.hello.rank = 3;
    return s;
  }
};

TEST(IbvHandshake, AcceptsProcessesOfTheJob) {
  EXPECT_EQ(Received::valid().status(), HelloStatus::kValid);
  Received s = Received::valid();
  s.bytes = sizeof(Hello);
  EXPECT_EQ(s.status(), HelloStatus::kValid);
  s.bytes = sizeof(Hello) - 1;
  EXPECT_EQ(s.status(), HelloStatus::kMissing);
  s.bytes = 0;
  EXPECT_EQ(s.status(), HelloStatus::kMissing);
}

TEST(IbvHandshake, RejectsOthers) {
  for (int bit = 0; bit < 64; ++bit) {
    Received s = Received::valid();
    s.hello.secret ^= std::uint64_t{1} << bit;
    EXPECT_EQ(s.status(), HelloStatus::kWrongSecret);
  }
  Received s = Received::valid();
  s.hello.magic ^= 1;
  EXPECT_EQ(s.status(), HelloStatus::kOtherProtocol);
  s = Received::valid();
  s.hello.version++;
  EXPECT_EQ(s.status(), HelloStatus::kOtherVersion);
  s = Received::valid();
  s.hello.bytes++;
  EXPECT_EQ(s.status(), HelloStatus::kOtherVersion);
  s = Received::valid();
  s.hello.rank = 4;
  EXPECT_EQ(s.status(), HelloStatus::kWrongRank);
  s.hello.rank = 2;  // oneself
  EXPECT_EQ(s.status(), HelloStatus::kWrongRank);
}

TEST(IbvHandshake, ReasonsOfRejections) {
  Rejection r;
  r.why = RejectReason::kUnauthenticated;
  EXPECT_EQ(reject_reason_in(&r, sizeof r), RejectReason::kUnauthenticated);
  EXPECT_EQ(reject_reason_in(&r, sizeof r - 1), RejectReason::kUnknown);
  EXPECT_EQ(reject_reason_in(nullptr, 0), RejectReason::kUnknown);
  r.magic = 0;
  EXPECT_EQ(reject_reason_in(&r, sizeof r), RejectReason::kUnknown);
  r = {};
  r.why = static_cast<RejectReason>(77);
  EXPECT_EQ(reject_reason_in(&r, sizeof r), RejectReason::kUnknown);
}

}  // namespace
}  // namespace upcr::ibv
