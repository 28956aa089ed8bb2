// SPDX-License-Identifier: BSD-3-Clause
// What the ofi conduit thinks of libfabric's providers and of their addresses.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include "conduits/net/ofi/fabric/choice.hpp"

namespace upcr::ofi {
namespace {

TEST(OfiChoice, AProviderIsKnownByItsLayers) {
  for (const char* native : {"psm2", "efa", "cxi", "verbs;ofi_rxm", "opx", "network"})
    EXPECT_EQ(Suitability::kNative, suitability(native)) << native;
  for (const char* tcp : {"tcp", "tcp;ofi_rxm", "ofi_rxm;tcp"})
    EXPECT_EQ(Suitability::kTcp, suitability(tcp)) << tcp;
  for (const char* slow : {"udp;ofi_rxd", "sockets", "net", "net;ofi_rxm", "lnx", "ucx"})
    EXPECT_EQ(Suitability::kEmulation, suitability(slow)) << slow;
  for (const char* one_host : {"shm", "sm2"})
    EXPECT_EQ(Suitability::kOneHost, suitability(one_host)) << one_host;
  EXPECT_LT(Suitability::kNative, Suitability::kTcp);
  EXPECT_LT(Suitability::kTcp, Suitability::kEmulation);
  EXPECT_LT(Suitability::kEmulation, Suitability::kOneHost);
}

// fi_atomic(3) promises nothing about processors; these were tested (tests/spmd/ofi.cmake).
TEST(OfiChoice, AtomicsThatAreCoherentWithTheProcessors) {
  const std::uint32_t tested = FI_VERSION(1, 17);
  for (const char* coherent : {"tcp;ofi_rxm", "verbs;ofi_rxm", "shm"})
    EXPECT_TRUE(has_coherent_atomics(coherent, tested)) << coherent;
  EXPECT_TRUE(has_coherent_atomics("shm", FI_VERSION(2, 0)));
  EXPECT_FALSE(has_coherent_atomics("shm", FI_VERSION(1, 16)));
  for (const char* unknown : {"udp;ofi_rxd", "tcp", "sockets", "psm2", "efa", "cxi", "opx", "net"})
    EXPECT_FALSE(has_coherent_atomics(unknown, tested)) << unknown;
}

// An fi_info with this address, which stays the caller's.
fi_info with_address(std::uint32_t format, void* address) {
  fi_info info{};
  info.addr_format = format;
  info.src_addr = address;
  return info;
}

TEST(OfiChoice, AddressesOfOneHostAndOfOneLink) {
  const struct {
    const char* text;
    bool loopback, link_local;
  } cases[] = {
      {"127.0.0.1", true, false}, {"127.9.9.9", true, false}, {"128.0.0.1", false, false},
      {"10.0.0.2", false, false}, {"::1", true, false},       {"fe80::fc:ff:fe00:1", false, true},
      {"fd00::2", false, false},  {"febf::1", false, true},   {"fec0::1", false, false},
  };
  for (const auto& c : cases) {
    sockaddr_in v4{};
    sockaddr_in6 v6{};
    const bool is_v4 = ::inet_pton(AF_INET, c.text, &v4.sin_addr) == 1;
    ASSERT_TRUE(is_v4 || ::inet_pton(AF_INET6, c.text, &v6.sin6_addr) == 1) << c.text;
    const fi_info info = is_v4 ? with_address(FI_SOCKADDR_IN, &v4) : with_address(FI_SOCKADDR_IN6, &v6);
    EXPECT_EQ(c.loopback, is_loopback(info)) << c.text;
    EXPECT_EQ(c.link_local, is_link_local(info)) << c.text;
  }
  EXPECT_FALSE(is_loopback(with_address(FI_SOCKADDR_IN, nullptr)));
  char name[] = "fi_shm://1234";
  EXPECT_FALSE(is_loopback(with_address(FI_ADDR_STR, name)));
  EXPECT_FALSE(is_link_local(with_address(FI_ADDR_STR, name)));
}

}  // namespace
}  // namespace upcr::ofi
