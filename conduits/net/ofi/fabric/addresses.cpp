// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/fabric/addresses.hpp"

#include <rdma/fi_cm.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"
#include "conduits/core/base/report/log.hpp"
#include "conduits/core/bootstrap/bootstrap.hpp"
#include "conduits/net/ofi/fabric/check.hpp"
#include "conduits/net/ofi/liveness/host_probe.hpp"

namespace upcr::ofi {
namespace {

LogComponent log_ofi("ofi");

constexpr std::size_t kMaxAddress = 1024;

Greeting greet(const fi_info& info, std::size_t address_bytes, std::uint16_t probe_port) {
  Greeting mine{};
  std::strncpy(mine.provider, info.fabric_attr->prov_name, sizeof mine.provider - 1);
  mine.address_bytes = static_cast<std::uint32_t>(address_bytes);
  mine.address_format = info.addr_format;
  (void)::gethostname(mine.host, sizeof mine.host - 1);
  mine.probe_port = probe_port;
  return mine;
}

void compare(std::span<const Greeting> all, Rank me) {
  for (Rank r = 0; r < all.size(); ++r)
    if (std::strcmp(all[r].provider, all[me].provider) != 0 ||
        all[r].address_format != all[me].address_format || all[r].address_bytes > kMaxAddress)
      fatal_setting(
          "rank %u uses libfabric's provider %s (address format %u), but rank %u %s (%u); "
          "UPCR_OFI_PROVIDER and UPCR_OFI_DOMAIN choose one for all",
          me, all[me].provider, all[me].address_format, r, all[r].provider, all[r].address_format);
}

std::size_t own_address(fid_ep* endpoint, std::vector<char>& address) {
  address.resize(kMaxAddress);
  std::size_t bytes = address.size();
  check(::fi_getname(&endpoint->fid, address.data(), &bytes), "fi_getname");
  return bytes;
}

}  // namespace

sockaddr_storage ip_address_of(const fi_info& info, fid_ep* endpoint) {
  sockaddr_storage ip{};
  std::vector<char> address;
  const std::size_t bytes = own_address(endpoint, address);
  if ((info.addr_format == FI_SOCKADDR_IN || info.addr_format == FI_SOCKADDR_IN6) && bytes <= sizeof ip)
    std::memcpy(&ip, address.data(), bytes);
  return ip;
}

void Addresses::open(fid_domain* domain, const fi_info& info) {
  fi_av_attr attributes{};
  attributes.type = info.domain_attr->av_type != FI_AV_UNSPEC ? info.domain_attr->av_type : FI_AV_TABLE;
  check(::fi_av_open(domain, &attributes, &vector_, nullptr), "fi_av_open");
}

void Addresses::close() {
  UPCR_LOG(log_ofi, kInfo, "addresses of %u of %u processes were used", inserted_, size_);
  check(::fi_close(&vector_->fid), "closing the address vector");
}

void Addresses::exchange(Bootstrap& bootstrap, const fi_info& info, fid_ep* endpoint,
                         std::uint16_t probe_port) {
  std::vector<char> mine;
  const Greeting greeting = greet(info, own_address(endpoint, mine), probe_port);
  greetings_ = bootstrap.gather(&greeting, sizeof greeting);
  compare(greetings_.of<Greeting>(), bootstrap.rank());
  std::size_t most = 0;
  for (const Greeting& each : greetings_.of<Greeting>())
    most = std::max<std::size_t>(most, each.address_bytes);
  names_ = bootstrap.gather(mine.data(), most);
  name_bytes_ = most;
  size_ = bootstrap.size();
  static_assert(kAddressBytesPerPeer == sizeof complements_[0] && FI_ADDR_NOTAVAIL == ~fi_addr_t{0});
  complements_.reset(static_cast<fi_addr_t*>(std::calloc(size_, sizeof complements_[0])));
  if (complements_ == nullptr) fatal("no memory for the addresses of %u processes", size_);
  // These connect to the peer when its address is inserted, and wait for it: now it polls.
  if (std::strstr(info.fabric_attr->prov_name, "psm") != nullptr)
    for (Rank r = 0; r < size_; ++r) insert(r);
}

void Addresses::insert(Rank rank) noexcept {
  fi_addr_t at = 0;
  const int inserted = ::fi_av_insert(vector_, name_of(rank), 1, &at, 0, nullptr);
  if (inserted != 1 || at == FI_ADDR_NOTAVAIL)
    fatal("the network address of rank %u cannot be used (fi_av_insert: %d)", rank, inserted);
  complements_[rank] = ~at;
  ++inserted_;
}

const char* Addresses::name_of(Rank rank) const noexcept {
  return static_cast<const char*>(names_.data()) + std::size_t{rank} * name_bytes_;
}

std::string Addresses::text_of(Rank rank) const {
  char text[256];
  std::size_t length = sizeof text;
  return ::fi_av_straddr(vector_, name_of(rank), text, &length);
}

const char* Addresses::host_of(Rank rank) const noexcept { return greetings_.of<Greeting>()[rank].host; }

bool Addresses::probe_address(Rank rank, sockaddr_storage* address) const noexcept {
  *address = {};
  const Greeting& greeting = greetings_.of<Greeting>()[rank];
  if (greeting.probe_port == 0 || greeting.address_bytes > sizeof *address) return false;
  std::memcpy(address, name_of(rank), greeting.address_bytes);
  set_port(*address, greeting.probe_port);
  return true;
}

}  // namespace upcr::ofi
