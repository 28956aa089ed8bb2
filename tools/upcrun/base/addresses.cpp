// SPDX-License-Identifier: BSD-3-Clause
#include "tools/upcrun/base/addresses.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <sstream>

#include "tools/upcrun/base/failure.hpp"

namespace upcrun {
namespace {

struct InterfaceAddress {
  std::string interface, text;
  bool v6, usable;
};

std::string numeric(const sockaddr* address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address->sa_family == AF_INET)
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text, sizeof text);
  if (address->sa_family == AF_INET6)
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text, sizeof text);
  return text;
}

bool link_local(const sockaddr* address) {
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

std::vector<InterfaceAddress> all_addresses() {
  std::vector<InterfaceAddress> all;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) throw Failure{1, std::string("getifaddrs: ") + std::strerror(errno)};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> holder(list, ::freeifaddrs);
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || (at->ifa_flags & IFF_UP) == 0 || link_local(at->ifa_addr)) continue;
    std::string text = numeric(at->ifa_addr);
    if (text.empty()) continue;
    all.push_back({at->ifa_name, std::move(text), at->ifa_addr->sa_family == AF_INET6,
                   (at->ifa_flags & IFF_LOOPBACK) == 0});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const InterfaceAddress& a, const InterfaceAddress& b) { return a.v6 < b.v6; });
  return all;
}

}  // namespace

std::vector<std::string> own_addresses(const std::string& wanted) {
  std::vector<std::string> chosen;
  const std::vector<InterfaceAddress> all = all_addresses();
  if (wanted.empty()) {
    for (const InterfaceAddress& entry : all)
      if (entry.usable) chosen.push_back(entry.text);
    return chosen;
  }
  std::istringstream words(wanted);
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t before = chosen.size();
    for (const InterfaceAddress& entry : all)
      if (entry.interface == word || entry.text == word) chosen.push_back(entry.text);
    if (chosen.size() != before) continue;
    std::string present;
    for (const InterfaceAddress& entry : all) present += " " + entry.interface + " (" + entry.text + ")";
    throw Failure{2, "UPCR_LAUNCH_IFACE=" + wanted + ": this host has no interface or address '" + word +
                         "'; its interfaces and addresses are" + present};
  }
  return chosen;
}

bool has_loopback() {
  const std::vector<InterfaceAddress> all = all_addresses();
  return std::any_of(all.begin(), all.end(),
                     [](const InterfaceAddress& entry) { return entry.text == "127.0.0.1"; });
}

std::optional<SocketAddress> to_socket_address(const std::string& text, unsigned port) {
  SocketAddress result;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&result.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&result.storage);
  if (inet_pton(AF_INET, text.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(static_cast<std::uint16_t>(port));
    result.length = sizeof *v4;
  } else if (inet_pton(AF_INET6, text.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(static_cast<std::uint16_t>(port));
    result.length = sizeof *v6;
  } else {
    return std::nullopt;
  }
  return result;
}

std::string describe(const SocketAddress& address) {
  const auto* any = reinterpret_cast<const sockaddr*>(&address.storage);
  const std::string text = numeric(any);
  constexpr std::string_view kMapped = "::ffff:";  // prefix of an IPv4 address on an IPv6 socket
  if (any->sa_family == AF_INET6 && text.starts_with(kMapped) && text.find('.') != text.npos)
    return text.substr(kMapped.size()) + ":" +
           std::to_string(ntohs(reinterpret_cast<const sockaddr_in6*>(any)->sin6_port));
  if (any->sa_family == AF_INET)
    return text + ":" + std::to_string(ntohs(reinterpret_cast<const sockaddr_in*>(any)->sin_port));
  return "[" + text + "]:" + std::to_string(ntohs(reinterpret_cast<const sockaddr_in6*>(any)->sin6_port));
}

}  // namespace upcrun
