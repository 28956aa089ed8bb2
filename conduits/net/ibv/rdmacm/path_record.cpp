// SPDX-License-Identifier: BSD-3-Clause
#include "conduits/net/ibv/rdmacm/path_record.hpp"

#include <endian.h>

#include <cstdint>

namespace upcr::ibv {
namespace {

static_assert(sizeof(ibv_path_record) == 64 && sizeof(ibv_path_data) == 72);

constexpr std::uint32_t kFlowLabelMask = 0xfffff;
constexpr unsigned kNumPathMask = 0x7f, kServiceLevelMask = 0xf, kValueMask = 0x3f;

// A selector (greater than, less than, exactly, the largest) of two bits before a value of six.
std::uint8_t selected(unsigned selector, unsigned value) noexcept {
  return static_cast<std::uint8_t>(selector << 6 | (value & kValueMask));
}

}  // namespace

// Fields of type __be16 and __be32 are big-endian in both forms. The service ID and the QoS class, by which a
// path is asked for, are in the packed form only, and stay 0.
ibv_path_record packed(const ibv_sa_path_rec& path) noexcept {
  ibv_path_record to{};
  to.dgid = path.dgid;
  to.sgid = path.sgid;
  to.dlid = path.dlid;
  to.slid = path.slid;
  to.flowlabel_hoplimit = htobe32((be32toh(path.flow_label) & kFlowLabelMask) << 8 | path.hop_limit);
  to.tclass = path.traffic_class;
  to.reversible_numpath = static_cast<std::uint8_t>((path.reversible != 0 ? IBV_PATH_RECORD_REVERSIBLE : 0) |
                                                    (path.numb_path & kNumPathMask));
  to.pkey = path.pkey;
  to.qosclass_sl = htobe16(path.sl & kServiceLevelMask);
  to.mtu = selected(path.mtu_selector, path.mtu);
  to.rate = selected(path.rate_selector, path.rate);
  to.packetlifetime = selected(path.packet_life_time_selector, path.packet_life_time);
  to.preference = path.preference;
  return to;
}

// For the messages that make the connection (GMP) and for its data, there and back.
ibv_path_data path_option(const ibv_path_record& path) noexcept {
  ibv_path_data option{};
  option.flags = IBV_PATH_FLAG_GMP | IBV_PATH_FLAG_PRIMARY | IBV_PATH_FLAG_BIDIRECTIONAL;
  option.path = path;
  return option;
}

}  // namespace upcr::ibv
