// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ofi/fabric/choice.hpp"

#include <netinet/in.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "conduits/core/base/config/config.hpp"
#include "conduits/core/base/report/error.hpp"
#include "conduits/net/ofi/fabric/network.hpp"

namespace upcr::ofi {
namespace {

// Providers that are layered have the names of all layers, with semicolons between, in some order.
bool has_layer(std::string_view provider, std::string_view layer) noexcept {
  for (std::size_t at = 0; at <= provider.size();) {
    const std::size_t end = std::min(provider.find(';', at), provider.size());
    if (provider.substr(at, end - at) == layer) return true;
    at = end + 1;
  }
  return false;
}

// Lower is better.
int rank_of(const fi_info& info, bool one_host) noexcept {
  const auto kind = static_cast<int>(suitability(info.fabric_attr->prov_name));
  const bool off_its_place = is_loopback(info) != one_host && info.addr_format != FI_FORMAT_UNSPEC;
  return kind * 8 + (is_link_local(info) ? 4 : 0) + (off_its_place ? 2 : 0) +
         (info.addr_format == FI_SOCKADDR_IN6 ? 1 : 0);
}

bool is_usable(const fi_info& info, bool one_host) noexcept {
  // Compared here: layered providers ignore a domain's name that libfabric is asked for.
  if (const char* wanted = config_string("UPCR_OFI_DOMAIN"); wanted != nullptr)
    return std::strcmp(info.domain_attr->name, wanted) == 0;
  if (one_host) return true;
  return suitability(info.fabric_attr->prov_name) != Suitability::kOneHost && !is_loopback(info);
}

std::string wishes() {
  std::string text;
  for (const char* name : {"UPCR_OFI_PROVIDER", "UPCR_OFI_DOMAIN", "UPCR_OFI_PROGRESS"})
    if (config_is_set(name)) text += std::string(", ") + name + "=" + config_string(name);
  if (const char* filter = std::getenv("FI_PROVIDER")) text += std::string(", FI_PROVIDER=") + filter;
  return text;
}

}  // namespace

Suitability suitability(const char* provider) noexcept {
  for (const char* memory : {"shm", "sm2"})
    if (has_layer(provider, memory)) return Suitability::kOneHost;
  if (has_layer(provider, "tcp")) return Suitability::kTcp;
  // lnx links other providers, ucx runs over any transport: neither says that there is a network.
  for (const char* emulation : {"udp", "sockets", "net", "lnx", "ofi_lnx", "ucx"})
    if (has_layer(provider, emulation)) return Suitability::kEmulation;
  return Suitability::kNative;
}

bool has_coherent_atomics(const char* provider, std::uint32_t version) noexcept {
  return FI_VERSION_GE(version, FI_VERSION(1, 17)) &&
         (has_layer(provider, "ofi_rxm") || has_layer(provider, "shm"));
}

bool is_own_network(const fi_info& info) noexcept {
  const char* provider = info.fabric_attr->prov_name;
  return suitability(provider) == Suitability::kNative && !has_layer(provider, "verbs");
}

bool is_loopback(const fi_info& info) noexcept {
  if (info.src_addr == nullptr) return false;
  if (info.addr_format == FI_SOCKADDR_IN) {
    const auto* address = static_cast<const sockaddr_in*>(info.src_addr);
    return (ntohl(address->sin_addr.s_addr) >> 24) == 127;
  }
  if (info.addr_format == FI_SOCKADDR_IN6)
    return IN6_IS_ADDR_LOOPBACK(&static_cast<const sockaddr_in6*>(info.src_addr)->sin6_addr);
  return false;
}

bool is_link_local(const fi_info& info) noexcept {
  return info.src_addr != nullptr && info.addr_format == FI_SOCKADDR_IN6 &&
         IN6_IS_ADDR_LINKLOCAL(&static_cast<const sockaddr_in6*>(info.src_addr)->sin6_addr);
}

void announce_processes(unsigned processes) {
  (void)::setenv("FI_UNIVERSE_SIZE", std::to_string(processes).c_str(), 0);
}

Info make_hints() {
  Info hints(::fi_allocinfo());
  if (hints == nullptr) fatal("no memory for the description of a network");
  hints->caps = FI_MSG | FI_RMA;
  hints->mode = FI_CONTEXT | FI_CONTEXT2;  // each operation has a fi_context2 (messages/operation.hpp)
  hints->ep_attr->type = FI_EP_RDM;
  hints->tx_attr->msg_order = hints->rx_attr->msg_order = FI_ORDER_SAS;
  fi_domain_attr& domain = *hints->domain_attr;
  domain.mr_mode = kKnownMrModes;
  domain.threading = FI_THREAD_DOMAIN;  // the conduit's lock is around every call
  domain.resource_mgmt = FI_RM_ENABLED;
  const std::string_view progress = config_string("UPCR_OFI_PROGRESS");
  if (progress != "auto")
    domain.data_progress = domain.control_progress =
        progress == "manual" ? FI_PROGRESS_MANUAL : FI_PROGRESS_AUTO;
  if (config_is_set("UPCR_OFI_PROVIDER"))  // fi_freeinfo() frees it
    hints->fabric_attr->prov_name = ::strdup(config_string("UPCR_OFI_PROVIDER"));
  return hints;
}

namespace {

const fi_info* best_of(const fi_info* all, bool one_host) noexcept {
  const fi_info* best = nullptr;
  for (const fi_info* info = all; info != nullptr; info = info->next)
    if (is_usable(*info, one_host) &&
        (best == nullptr || rank_of(*info, one_host) < rank_of(*best, one_host)))
      best = info;
  return best;
}

// Where a poll of the target executes the operation, a message is faster: the poll of a thread that waits
// there reports no work for it, so the thread sleeps again after each.
bool wants_atomics(const fi_info& info) noexcept {
  const std::string_view choice = config_string("UPCR_OFI_ATOMICS");
  if (choice == "auto")
    return info.domain_attr->data_progress == FI_PROGRESS_AUTO &&
           has_coherent_atomics(info.fabric_attr->prov_name, ::fi_version());
  return choice == "yes";
}

// The same network, with atomic operations where it has them and they are wanted.
Info with_atomics(const fi_info& chosen, bool one_host) {
  Info plain(::fi_dupinfo(&chosen));
  if ((chosen.caps & FI_RMA) == 0 || !wants_atomics(chosen)) return plain;
  const Info hints = make_hints();
  hints->caps |= FI_ATOMIC;
  std::free(hints->fabric_attr->prov_name);
  hints->fabric_attr->prov_name = ::strdup(chosen.fabric_attr->prov_name);
  fi_info* found = nullptr;
  if (::fi_getinfo(kApiVersion, nullptr, nullptr, 0, hints.get(), &found) != 0) return plain;
  const Info all(found);
  const fi_info* const best = best_of(found, one_host);
  const bool same = best != nullptr && best->addr_format == chosen.addr_format &&
                    std::strcmp(best->domain_attr->name, chosen.domain_attr->name) == 0;
  return same ? Info(::fi_dupinfo(best)) : std::move(plain);
}

}  // namespace

Info choose(bool one_host, std::string* why_not) {
  const Info hints = make_hints();
  fi_info* found = nullptr;
  int error = ::fi_getinfo(kApiVersion, nullptr, nullptr, 0, hints.get(), &found);
  if (error == -FI_ENODATA) {  // puts and gets can be messages
    hints->caps = FI_MSG;
    error = ::fi_getinfo(kApiVersion, nullptr, nullptr, 0, hints.get(), &found);
  }
  const Info all(found);
  if (error != 0) {
    *why_not = std::string("libfabric finds no provider that fits (") + ::fi_strerror(-error) +
               "; reliable datagrams, messages in order" + wishes() + "); fi_info -t FI_EP_RDM lists them";
    return nullptr;
  }
  const fi_info* const best = best_of(found, one_host);
  if (best == nullptr) {
    *why_not =
        (config_is_set("UPCR_OFI_DOMAIN")
             ? std::string("none of the providers that libfabric finds has the domain that is asked for (")
             : std::string("libfabric finds providers for one host only (shared memory, loopback")) +
        wishes() + "); fi_info -t FI_EP_RDM lists them";
    return nullptr;
  }
  return with_atomics(*best, one_host);
}

}  // namespace upcr::ofi
