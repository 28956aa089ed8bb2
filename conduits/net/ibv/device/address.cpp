// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/device/address.hpp"

#include <arpa/inet.h>
#include <net/if.h>

#include <algorithm>
#include <cstring>

namespace upcr::ibv {
namespace {

const sockaddr_in& v4(const sockaddr_storage& a) { return reinterpret_cast<const sockaddr_in&>(a); }
const sockaddr_in6& v6(const sockaddr_storage& a) { return reinterpret_cast<const sockaddr_in6&>(a); }

bool equal_bits(const std::uint8_t* a, const std::uint8_t* b, unsigned bits) {
  const unsigned whole = bits / 8, rest = bits % 8;
  if (std::memcmp(a, b, whole) != 0) return false;
  return rest == 0 || ((a[whole] ^ b[whole]) >> (8 - rest)) == 0;
}

}  // namespace

WireAddress to_wire(const sockaddr_storage& address, std::uint8_t prefix_bits) {
  WireAddress wire;
  wire.prefix_bits = prefix_bits;
  if (address.ss_family == AF_INET) {
    wire.family = 4;
    wire.port = v4(address).sin_port;
    std::memcpy(wire.bytes, &v4(address).sin_addr, 4);
  } else if (address.ss_family == AF_INET6) {
    wire.family = 6;
    wire.port = v6(address).sin6_port;
    std::memcpy(wire.bytes, &v6(address).sin6_addr, 16);
  }
  return wire;
}

sockaddr_storage from_wire(const WireAddress& address, const sockaddr_storage& own) {
  sockaddr_storage out{};
  if (address.family == 4) {
    auto& to = reinterpret_cast<sockaddr_in&>(out);
    to.sin_family = AF_INET;
    to.sin_port = address.port;
    std::memcpy(&to.sin_addr, address.bytes, 4);
  } else if (address.family == 6) {
    auto& to = reinterpret_cast<sockaddr_in6&>(out);
    to.sin6_family = AF_INET6;
    to.sin6_port = address.port;
    std::memcpy(&to.sin6_addr, address.bytes, 16);
    if (is_link_local(address) && own.ss_family == AF_INET6) to.sin6_scope_id = v6(own).sin6_scope_id;
  }
  return out;
}

std::string text_of(const sockaddr_storage& address, bool port) {
  char text[INET6_ADDRSTRLEN] = "?";
  if (address.ss_family == AF_INET) {
    ::inet_ntop(AF_INET, &v4(address).sin_addr, text, sizeof text);
    return port ? std::string(text) + ":" + std::to_string(ntohs(v4(address).sin_port)) : text;
  }
  if (address.ss_family != AF_INET6) return "no address";
  ::inet_ntop(AF_INET6, &v6(address).sin6_addr, text, sizeof text);
  std::string all = text;
  if (const unsigned scope = v6(address).sin6_scope_id; scope != 0) {
    char name[IF_NAMESIZE];
    all += "%";
    all += ::if_indextoname(scope, name) != nullptr ? name : std::to_string(scope);
  }
  return port ? "[" + all + "]:" + std::to_string(ntohs(v6(address).sin6_port)) : all;
}

std::string text_of(const WireAddress& address) { return text_of(from_wire(address, {})); }

bool is_link_local(const WireAddress& a) {
  return a.family == 6 && a.bytes[0] == 0xfe && (a.bytes[1] & 0xc0) == 0x80;
}

bool is_loopback(const WireAddress& a) {
  if (a.family == 4) return a.bytes[0] == 127;
  static constexpr std::uint8_t kOne[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return a.family == 6 && std::memcmp(a.bytes, kOne, 16) == 0;
}

bool same_subnet(const WireAddress& a, const WireAddress& b) {
  if (a.family != b.family || a.family == 0) return false;
  return equal_bits(a.bytes, b.bytes, std::max(a.prefix_bits, b.prefix_bits));
}

socklen_t length_of(const sockaddr_storage& address) {
  return address.ss_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
}

}  // namespace upcr::ibv
