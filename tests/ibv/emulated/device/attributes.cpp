// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/device/attributes.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tests/ibv/emulated/fabric/device.hpp"
#include "tests/ibv/emulated/fabric/ports.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"

namespace emulated {
namespace {

ibv_device_attr attributes_of(ibv_context* context) {
  const Settings& s = settings();
  const auto number = [](std::uint32_t n) { return static_cast<int>(n); };
  ibv_device_attr a{};
  std::snprintf(a.fw_ver, sizeof a.fw_ver, "emulated");
  a.node_guid = a.sys_image_guid = ::ibv_get_device_guid(context->device);
  a.max_mr_size = ~std::uint64_t{0};
  a.page_size_cap = 4096;
  a.max_qp = number(s.max_qp);
  a.max_qp_wr = number(s.max_qp_wr);
  a.device_cap_flags = IBV_DEVICE_CURR_QP_STATE_MOD | IBV_DEVICE_RC_RNR_NAK_GEN;
  if (s.xrc) a.device_cap_flags |= IBV_DEVICE_XRC;
  a.max_sge = a.max_sge_rd = number(s.max_sge);
  a.max_cq = number(s.max_cq);
  a.max_cqe = number(s.max_cqe);
  a.max_mr = number(s.max_mr);
  a.max_pd = number(s.max_pd);
  a.max_qp_rd_atom = a.max_qp_init_rd_atom = number(s.max_reads);
  a.max_res_rd_atom = number(s.max_reads * s.max_qp);
  a.atomic_cap = s.atomics;
  a.max_ah = 65536;
  a.max_srq = number(s.max_srq);
  a.max_srq_wr = s.max_srq != 0 ? number(s.max_srq_wr) : 0;
  a.max_srq_sge = s.max_srq != 0 ? number(s.max_sge) : 0;
  a.max_pkeys = static_cast<std::uint16_t>(s.partitions.size());
  a.local_ca_ack_delay = 15;
  a.phys_port_cnt = static_cast<std::uint8_t>(s.ports);
  return a;
}

}  // namespace

int query_port(ibv_context* context, std::uint8_t number, ibv_port_attr* attributes, std::size_t bytes) {
  Guard guard;
  const Port* port = find_port(guard.fabric(), DeviceContext::of(context)->number, number);
  if (port == nullptr) return EINVAL;
  ibv_port_attr a{};
  a.state = port->down ? IBV_PORT_DOWN : IBV_PORT_ACTIVE;
  a.phys_state = port->down ? 3 : 5;  // disabled, link up
  a.max_mtu = IBV_MTU_4096;
  a.active_mtu = settings().mtu;
  a.gid_tbl_len = port->gids;
  a.max_msg_sz = settings().max_message;
  a.pkey_tbl_len = static_cast<std::uint16_t>(settings().partitions.size());
  a.lid = port->lid;
  a.sm_lid = port->lid != 0 ? 1 : 0;
  a.max_vl_num = 1;
  a.active_width = 2;  // 4 lanes
  a.active_speed = 32;
  a.link_layer = port->link_layer;
  if (port->link_layer == IBV_LINK_LAYER_ETHERNET) a.flags = IBV_QPF_GRH_REQUIRED;
  std::memcpy(attributes, &a, std::min(bytes, sizeof a));
  return 0;
}

int query_device_ex(ibv_context* context, const ibv_query_device_ex_input* input,
                    ibv_device_attr_ex* attributes, std::size_t bytes) {
  if (input != nullptr && input->comp_mask != 0) return EINVAL;
  if (bytes < sizeof attributes->orig_attr) return EINVAL;
  ibv_device_attr_ex a{};
  a.orig_attr = attributes_of(context);
  a.device_cap_flags_ex = a.orig_attr.device_cap_flags;
  a.phys_port_cnt_ex = a.orig_attr.phys_port_cnt;
  if (settings().on_demand) {
    a.odp_caps.general_caps = IBV_ODP_SUPPORT;
    a.odp_caps.per_transport_caps.rc_odp_caps = a.xrc_odp_caps = IBV_ODP_SUPPORT_WRITE | IBV_ODP_SUPPORT_READ;
  }
  std::memcpy(attributes, &a, std::min(bytes, sizeof a));
  return 0;
}

}  // namespace emulated

using namespace emulated;  // NOLINT(google-build-using-namespace): the functions below are those of the
                           // header
#undef ibv_query_port

extern "C" {

int ibv_query_device(ibv_context* context, ibv_device_attr* attributes) {
  *attributes = attributes_of(context);
  return 0;
}

int ibv_query_port(ibv_context* context, std::uint8_t number, _compat_ibv_port_attr* attributes) {
  return query_port(context, number, reinterpret_cast<ibv_port_attr*>(attributes),
                    offsetof(ibv_port_attr, port_cap_flags2));
}

int _ibv_query_gid_ex(ibv_context* context, std::uint32_t number, std::uint32_t index, ibv_gid_entry* entry,
                      std::uint32_t flags, std::size_t bytes) {
  if (flags != 0) return EOPNOTSUPP;
  Guard guard;
  const Port* port = find_port(guard.fabric(), DeviceContext::of(context)->number, number);
  if (port == nullptr || index >= port->gids) return ENODATA;
  std::memcpy(entry, &port->gid[index], std::min(bytes, sizeof *entry));
  return 0;
}

ssize_t _ibv_query_gid_table(ibv_context* context, ibv_gid_entry* entries, std::size_t most,
                             std::uint32_t flags, std::size_t bytes) {
  if (flags != 0) return -EOPNOTSUPP;
  std::size_t n = 0;
  for (unsigned number = 1; number <= settings().ports; ++number)
    for (std::uint32_t index = 0; index < kMaxGids; ++index) {
      ibv_gid_entry entry;
      if (_ibv_query_gid_ex(context, number, index, &entry, 0, sizeof entry) != 0) break;
      if (n == most) return -EINVAL;
      std::memcpy(reinterpret_cast<char*>(entries) + n++ * bytes, &entry, std::min(bytes, sizeof entry));
    }
  return static_cast<ssize_t>(n);
}

int ibv_query_gid(ibv_context* context, std::uint8_t number, int index, ibv_gid* gid) {
  ibv_gid_entry entry;
  if (index < 0 ||
      _ibv_query_gid_ex(context, number, static_cast<std::uint32_t>(index), &entry, 0, sizeof entry) != 0)
    return -1;
  *gid = entry.gid;
  return 0;
}

int ibv_query_pkey(ibv_context* context, std::uint8_t number, int index, __be16* key) {
  Guard guard;
  const std::vector<std::uint16_t>& keys = settings().partitions;
  if (index < 0 || static_cast<std::size_t>(index) >= keys.size() ||
      find_port(guard.fabric(), DeviceContext::of(context)->number, number) == nullptr)
    return -1;
  *key = ::htons(keys[static_cast<std::size_t>(index)]);
  return 0;
}

int ibv_get_pkey_index(ibv_context* context, std::uint8_t number, __be16 key) {
  __be16 found = 0;
  for (int i = 0; ::ibv_query_pkey(context, number, i, &found) == 0; ++i)
    if (found == key) return i;
  return -1;
}

}  // extern "C"
