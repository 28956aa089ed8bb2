// SPDX-License-Identifier: BSD-3-Clause
// Datagrams: they arrive, or nobody hears of them.
#include <arpa/inet.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tests/ibv/emulated/fabric/device.hpp"
#include "tests/ibv/emulated/fabric/ports.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"
#include "tests/ibv/emulated/objects/regions.hpp"
#include "tests/ibv/emulated/requests/address_handle.hpp"
#include "tests/ibv/emulated/requests/deliver.hpp"

namespace emulated {
namespace {

constexpr std::uint32_t kPrivilegedKey = 1U << 31;  // stands for the key of the sending queue pair

bool is_ipv4(const ibv_gid& gid) {
  const unsigned char prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::memcmp(gid.raw, prefix, sizeof prefix) == 0;
}

// The global header, as the receiver finds it: of IPv4 in the second half, of IPv6 and of InfiniBand in all
// of it.
void make_header(const ibv_gid& from, const ibv_ah_attr& path, std::uint64_t bytes,
                 unsigned char (*header)[kHeaderBytes]) {
  std::memset(*header, 0, kHeaderBytes);
  if (is_ipv4(from)) {
    unsigned char* four = *header + 20;
    four[0] = 0x45;  // version 4, five words
    four[8] = path.grh.hop_limit;
    four[9] = 17;  // UDP
    std::memcpy(four + 12, from.raw + 12, 4);
    std::memcpy(four + 16, path.grh.dgid.raw + 12, 4);
    return;
  }
  (*header)[0] = 0x60;  // version 6
  const std::uint16_t length = ::htons(static_cast<std::uint16_t>(bytes));
  std::memcpy(*header + 4, &length, sizeof length);
  (*header)[6] = 0x1b;
  (*header)[7] = path.grh.hop_limit;
  std::memcpy(*header + 8, from.raw, sizeof from.raw);
  std::memcpy(*header + 24, path.grh.dgid.raw, sizeof from.raw);
}

// One of n, and not in turn: else of a request and its reply it might always be the reply. The same ones in
// each run.
bool is_to_be_lost(Port* port) {
  std::uint64_t n = ++port->datagrams * 0x9e3779b97f4a7c15;
  n = (n ^ (n >> 32)) * 0xd6e8feb86659fd93;
  return settings().lose_datagrams != 0 && (n ^ (n >> 32)) % settings().lose_datagrams == 0;
}

QueuePair* find_receiver(Fabric& fabric, const QueuePair& from, const Port& own, const Request& request) {
  QueuePair* to = fabric.shared().qps.find(request.queue_pair);
  if (to == nullptr || to->type != IBV_QPT_UD) return nullptr;
  if (to->state != IBV_QPS_RTR && to->state != IBV_QPS_RTS) return nullptr;
  const Port* port = reach(fabric, own, request.path);
  if (port == nullptr || port != find_port(fabric, to->device, to->attr.port_num)) return nullptr;
  if (!share_partition(from.partition, to->partition)) return nullptr;
  const std::uint32_t key = (request.queue_key & kPrivilegedKey) != 0 ? from.attr.qkey : request.queue_key;
  return key == to->attr.qkey ? to : nullptr;
}

}  // namespace

Outcome send_datagram(Fabric& fabric, QueuePair& from, const Request& request) {
  if (request.bytes > std::uint64_t{128} << settings().mtu) return {Answer::kDone, IBV_WC_LOC_LEN_ERR};
  std::vector<iovec> data(1);
  if (!find_own_memory(fabric, from, request, 0, &data)) return {Answer::kDone, IBV_WC_LOC_PROT_ERR};
  Port* own = find_port(fabric, from.device, from.attr.port_num);
  if (is_to_be_lost(own)) return {};
  QueuePair* peer = find_receiver(fabric, from, *own, request);
  if (peer == nullptr) return {};
  Responder to;
  (void)find_responder(fabric, *peer, request, &to);
  unsigned char header[kHeaderBytes] = {};
  const bool global = request.path.is_global != 0;
  if (global) make_header(own->gid[request.path.grh.sgid_index].gid, request.path, request.bytes, &header);
  data[0] = {header, kHeaderBytes};
  deliver_datagram(fabric, to, from, request, data, *own);
  return {};
}

}  // namespace emulated

using namespace emulated;  // NOLINT(google-build-using-namespace): the functions below are those of the
                           // header

extern "C" {

ibv_ah* ibv_create_ah(ibv_pd* pd, ibv_ah_attr* attributes) {
  Guard guard;
  const Port* port = find_port(guard.fabric(), DeviceContext::of(pd->context)->number, attributes->port_num);
  errno = EINVAL;
  if (port == nullptr) return nullptr;
  if (attributes->is_global != 0 ? attributes->grh.sgid_index >= port->gids
                                 : port->link_layer == IBV_LINK_LAYER_ETHERNET)
    return nullptr;
  if (settings().log_paths)
    std::fprintf(stderr, "emulated verbs: datagrams: service level %u, traffic class %u\n", attributes->sl,
                 attributes->is_global != 0 ? attributes->grh.traffic_class : 0U);
  auto* handle = new AddressHandle{};
  handle->context = pd->context;
  handle->pd = pd;
  handle->attributes = *attributes;
  count_use(guard.fabric(), id_of(pd), 1);
  return handle;
}

int ibv_destroy_ah(ibv_ah* ah) {
  Guard guard;
  count_use(guard.fabric(), id_of(ah->pd), -1);
  delete static_cast<AddressHandle*>(ah);
  return 0;
}

}  // extern "C"
