// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/datagrams/path.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "conduits/core/base/report/error.hpp"
#include "conduits/core/base/report/fatal_setting.hpp"

namespace upcr::ibv {
namespace {

constexpr unsigned kPartition = 0x7fff;  // the 16th bit says full or limited member
constexpr std::uint8_t kHopLimit = 64;
constexpr std::uint8_t kRnrTimer = 12;   // 0.64 ms
constexpr std::uint8_t kRnrForever = 7;  // credits keep receives posted, so this is for the worst case

// IPv4 addresses are GIDs of the form ::ffff:a.b.c.d.
ibv_gid gid_of(const WireAddress& address) noexcept {
  ibv_gid gid{};
  if (address.family == 4) {
    gid.raw[10] = gid.raw[11] = 0xff;
    std::memcpy(gid.raw + 12, address.bytes, 4);
  } else {
    std::memcpy(gid.raw, address.bytes, sizeof gid.raw);
  }
  return gid;
}

}  // namespace

void describe_port(const Port& port, PublishedPort* published) {
  ibv_port_attr attributes{};
  if (const int error = ::ibv_query_port(port.device->context(), port.number, &attributes); error != 0)
    fatal("port %s cannot be asked for its LID and MTU: %s", port.name.c_str(), std::strerror(error));
  published->lid = attributes.lid;
  published->mtu = static_cast<std::uint8_t>(attributes.active_mtu);
  if ((attributes.flags & IBV_QPF_GRH_REQUIRED) != 0) published->features |= PublishedPort::kNeedsGrh;
  ibv_gid_entry gid{};
  if (port.kind == Kind::kRoce &&
      ::ibv_query_gid_ex(port.device->context(), port.number, static_cast<std::uint32_t>(port.gid_index),
                         &gid, 0) == 0 &&
      gid.gid_type == IBV_GID_TYPE_ROCE_V1)
    published->features |= PublishedPort::kRoceVersion1;
  published->address = to_wire(port.gid.address, port.gid.prefix_bits);
}

std::uint16_t partition_index(const Port& port, const char* setting) {
  if (port.kind != Kind::kInfiniBand) return 0;
  ibv_device_attr limits{};
  if (const int error = ::ibv_query_device(port.device->context(), &limits); error != 0)
    fatal("device %s: its limits cannot be read: %s", port.device->name(), std::strerror(error));
  const unsigned wanted = setting != nullptr ? std::strtoul(setting, nullptr, 0) & kPartition : 0;
  int found = -1;
  for (int i = 0; i < limits.max_pkeys; ++i) {
    __be16 key = 0;
    if (::ibv_query_pkey(port.device->context(), port.number, i, &key) != 0) continue;
    const unsigned partition = ntohs(key) & kPartition;
    if (partition == 0 || (wanted != 0 && partition != wanted)) continue;
    if (ntohs(key) != partition) return static_cast<std::uint16_t>(i);
    if (found < 0) found = i;  // limited members do not reach each other
  }
  if (found >= 0) return static_cast<std::uint16_t>(found);
  if (setting != nullptr)
    fatal_setting(
        "port %s is not a member of partition %s (UPCR_IBV_PKEY; its keys are in "
        "/sys/class/infiniband/%s/ports/%u/pkeys)",
        port.name.c_str(), setting, port.device->name(), port.number);
  fatal("port %s is a member of no partition: its fabric's subnet manager has to make it one",
        port.name.c_str());
}

ibv_ah_attr path_to(const PublishedPort& remote, const Port& own, const PublishedPort& own_published,
                    const PathSettings& settings) {
  const bool needs_grh = own_published.has(PublishedPort::kNeedsGrh) || remote.has(PublishedPort::kNeedsGrh);
  ibv_ah_attr path{};
  path.port_num = own.number;
  path.sl = settings.service_level;
  path.dlid = remote.lid;
  path.is_global = own.kind != Kind::kInfiniBand || remote.lid == 0 || needs_grh ? 1 : 0;
  if (path.is_global == 0) return path;
  path.grh.dgid = gid_of(remote.address);
  path.grh.sgid_index = static_cast<std::uint8_t>(own.gid_index);
  path.grh.hop_limit = kHopLimit;
  path.grh.traffic_class = settings.traffic_class;
  return path;
}

int initialise(ibv_qp* qp, const Port& own, std::uint16_t partition) {
  ibv_qp_attr a{};
  a.qp_state = IBV_QPS_INIT;
  a.pkey_index = partition;
  a.port_num = own.number;
  a.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE;
  if (own.device->limits().atomics) a.qp_access_flags |= IBV_ACCESS_REMOTE_ATOMIC;
  return ::ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
}

int connect(ibv_qp* qp, const Port& own, const PublishedPort& own_published, const PublishedPort& remote,
            const QueuePairEnd& own_end, const QueuePairEnd& remote_end, const PathSettings& settings,
            QueuePairRole role) {
  // Attributes of a side that the queue pair does not have are not to be named.
  const int of_target =
      role == QueuePairRole::kInitiator ? 0 : IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  const int of_initiator =
      role == QueuePairRole::kTarget ? 0 : IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  const std::uint8_t reads = std::min(own_end.reads, remote_end.reads);
  ibv_qp_attr a{};
  a.qp_state = IBV_QPS_RTR;
  a.path_mtu = static_cast<ibv_mtu>(std::min(own_published.mtu, remote.mtu));
  a.dest_qp_num = remote_end.number;
  a.rq_psn = remote_end.first_packet;
  a.max_dest_rd_atomic = reads;
  a.min_rnr_timer = kRnrTimer;
  a.ah_attr = path_to(remote, own, own_published, settings);
  int error = ::ibv_modify_qp(
      qp, &a, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | of_target);
  if (error != 0) return error;
  a = {};
  a.qp_state = IBV_QPS_RTS;
  a.timeout = settings.timeout.ack_timeout;
  a.retry_cnt = settings.timeout.retry_count;
  a.rnr_retry = kRnrForever;
  a.sq_psn = own_end.first_packet;
  a.max_rd_atomic = reads;
  return ::ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_SQ_PSN | of_initiator);
}

}  // namespace upcr::ibv
