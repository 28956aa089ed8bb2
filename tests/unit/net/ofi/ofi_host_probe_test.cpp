// SPDX-License-Identifier: BSD-3-Clause
// What a probe tells of a host on the loopback interface.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>

#include "conduits/net/ofi/liveness/host_probe.hpp"

namespace upcr::ofi {
namespace {

using State = HostProbe::State;

sockaddr_storage loopback(int family, std::uint16_t port = 0) {
  sockaddr_storage address{};
  address.ss_family = static_cast<sa_family_t>(family);
  if (family == AF_INET6)
    reinterpret_cast<sockaddr_in6&>(address).sin6_addr = in6addr_loopback;
  else
    reinterpret_cast<sockaddr_in&>(address).sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  set_port(address, port);
  return address;
}

// The state, when it is no longer `old`, or after ten seconds.
State state_after(HostProbe& probe, State old) {
  for (int i = 0; i < 1000 && probe.state() == old; ++i) ::usleep(10'000);
  return probe.state();
}

class OfiHostProbe : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Families, OfiHostProbe, testing::Values(AF_INET, AF_INET6));

TEST_P(OfiHostProbe, AHostAnswersForAProcessThatDoesNot) {
  ProbeListener listener;
  const std::uint16_t port = listener.open(loopback(GetParam()), 2);
  if (port == 0 && GetParam() == AF_INET6) GTEST_SKIP() << "there is no IPv6 here";
  ASSERT_NE(0, port);
  HostProbe probe(loopback(GetParam(), port), 1);
  EXPECT_EQ(State::kReached, state_after(probe, State::kConnecting));
  ::usleep(2'500'000);  // more than the time in which an acknowledgement has to come
  EXPECT_EQ(State::kReached, probe.state());
  listener.answer();
  EXPECT_EQ(State::kAnswered, state_after(probe, State::kReached));
  HostProbe again(loopback(GetParam(), port), 1);
  EXPECT_EQ(State::kReached, state_after(again, State::kConnecting));
}

TEST(OfiHostProbe, AProcessThatHasGone) {
  ProbeListener listener;
  const std::uint16_t port = listener.open(loopback(AF_INET), 2);
  HostProbe connected(loopback(AF_INET, port), 1);
  EXPECT_EQ(State::kReached, state_after(connected, State::kConnecting));
  listener.close();
  EXPECT_EQ(State::kGone, state_after(connected, State::kReached));
  HostProbe late(loopback(AF_INET, port), 1);
  EXPECT_EQ(State::kGone, state_after(late, State::kConnecting));
}

// The kernel drops connections that a full queue has no room for: as if the wire were cut.
TEST(OfiHostProbe, AHostThatDoesNotAnswer) {
  ProbeListener listener;
  const std::uint16_t port = listener.open(loopback(AF_INET), 0);
  std::deque<HostProbe> reached;  // as many as the queue holds: listen(2)'s backlog and one
  for (unsigned i = 0; i <= ProbeListener::kMinQueue; ++i) {
    reached.emplace_back(loopback(AF_INET, port), 1);
    ASSERT_EQ(State::kReached, state_after(reached.back(), State::kConnecting)) << i;
  }
  HostProbe last(loopback(AF_INET, port), 1);
  ::usleep(1'500'000);
  EXPECT_EQ(State::kConnecting, last.state());
  listener.answer();
  EXPECT_EQ(State::kAnswered, state_after(reached.front(), State::kReached));
  EXPECT_EQ(State::kReached, state_after(last, State::kConnecting)) << "when the wire is mended";
}

// A wrong address here says nothing about the peer.
TEST(OfiHostProbe, WhatCannotBeTried) {
  sockaddr_storage nothing{};
  nothing.ss_family = AF_APPLETALK;
  EXPECT_EQ(State::kUnknown, HostProbe(nothing, 1).state());
  EXPECT_EQ(0, ProbeListener().open(nothing, 1));
}

TEST(OfiHostProbe, PortsOfAFirewall) {
  ::setenv("FI_TCP_PORT_LOW_RANGE", "47100", 1);
  ::setenv("FI_TCP_PORT_HIGH_RANGE", "47199", 1);
  ProbeListener one, two;
  const std::uint16_t first = one.open(loopback(AF_INET), 1), second = two.open(loopback(AF_INET), 1);
  ::unsetenv("FI_TCP_PORT_LOW_RANGE");
  ::unsetenv("FI_TCP_PORT_HIGH_RANGE");
  for (const std::uint16_t port : {first, second}) {
    EXPECT_LE(47100, port);
    EXPECT_GE(47199, port);
  }
  EXPECT_NE(first, second);
}

}  // namespace
}  // namespace upcr::ofi
