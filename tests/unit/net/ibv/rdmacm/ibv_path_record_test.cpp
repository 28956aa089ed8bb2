// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a path record as InfiniBand's subnet administration sends it. Offsets and bits are those of
// struct ibv_path_record (infiniband/sa.h), written down here anew.
#include "conduits/net/ibv/rdmacm/path_record.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace upcr::ibv {
namespace {

using Bytes = std::array<std::uint8_t, 64>;

Bytes bytes_of(const ibv_path_record& record) {
  Bytes bytes;
  static_assert(sizeof record == sizeof bytes);
  std::memcpy(bytes.data(), &record, sizeof record);
  return bytes;
}

void set_gid(ibv_gid* gid, std::uint8_t first) {
  for (unsigned i = 0; i < 16; ++i) gid->raw[i] = static_cast<std::uint8_t>(first + i);
}

// Every field has a value of its own.
ibv_sa_path_rec example() {
  ibv_sa_path_rec path{};
  set_gid(&path.dgid, 0x10);
  set_gid(&path.sgid, 0x40);
  path.dlid = htons(0x0102);
  path.slid = htons(0x0304);
  path.flow_label = htonl(0xabcde);
  path.hop_limit = 0x3f;
  path.traffic_class = 0x77;
  path.reversible = 1;
  path.numb_path = 5;
  path.pkey = htons(0x8123);
  path.sl = 9;
  path.mtu_selector = 2;
  path.mtu = 5;
  path.rate_selector = 1;
  path.rate = 0x14;
  path.packet_life_time_selector = 3;
  path.packet_life_time = 0x12;
  path.preference = 0x66;
  return path;
}

TEST(IbvPathRecord, Bytes) {
  const Bytes expected{
      0,    0,    0,    0,    0,    0,    0,    0,  // service ID
      0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f,  // to
      0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f,  // from
      0x01, 0x02,                       // LID, to
      0x03, 0x04,                       // LID, from
      0x0a, 0xbc, 0xde, 0x3f,           // 4 bits reserved, 20 flow label, 8 hop limit
      0x77,                             // traffic class
      0x85,                             // reversible, 7 bits number of paths
      0x81, 0x23,                       // partition key
      0x00, 0x09,                       // 12 bits QoS class, 4 service level
      0x85,                             // exactly, MTU 2048
      0x54,                             // less than, rate
      0xd2,                             // the largest, lifetime
      0x66,                             // preference
      0,    0,    0,    0,    0,    0,  // reserved
  };
  EXPECT_EQ(bytes_of(packed(example())), expected);
}

// What is too large for its bits does not run into its neighbours.
TEST(IbvPathRecord, FieldsKeepToTheirBits) {
  ibv_sa_path_rec path{};
  path.flow_label = htonl(0xffffffff);
  path.numb_path = 0xff;
  path.sl = 0xff;
  path.mtu = path.rate = path.packet_life_time = 0xff;
  const Bytes bytes = bytes_of(packed(path));
  const std::vector<std::uint8_t> from_flow_label(bytes.begin() + 44, bytes.begin() + 57);
  EXPECT_EQ(from_flow_label,
            (std::vector<std::uint8_t>{0x0f, 0xff, 0xff, 0, 0, 0x7f, 0, 0, 0, 0x0f, 0x3f, 0x3f, 0x3f}));
}

TEST(IbvPathRecord, OptionIsOnePathForEverything) {
  const ibv_path_data option = path_option(packed(example()));
  EXPECT_EQ(sizeof option, 72u);
  EXPECT_EQ(option.flags, 0x2bu);  // GMP, primary, outbound, inbound by the reverse path
  EXPECT_EQ(option.reserved, 0u);
  EXPECT_EQ(bytes_of(option.path), bytes_of(packed(example())));
}

}  // namespace
}  // namespace upcr::ibv
