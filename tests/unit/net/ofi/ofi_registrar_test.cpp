// SPDX-License-Identifier: BSD-3-Clause
// Registration of memory under each of libfabric's mode bits, over a domain that notes what it is asked for.
// Libfabric's functions call those in the objects' tables, so the test needs no provider.
#include <gtest/gtest.h>
#include <rdma/fi_errno.h>

#include <string>
#include <vector>

#include "conduits/net/ofi/fabric/registrar.hpp"

namespace upcr::ofi {
namespace {

std::vector<std::string> calls;
int bind_error = 0;
std::uint64_t last_key = 0, last_access = 0;
fid_ep endpoint{};

int close_mr(fid* mr) {
  calls.emplace_back("close");
  delete reinterpret_cast<fid_mr*>(mr);
  return 0;
}
int bind_mr(fid*, fid* to, std::uint64_t) {
  calls.emplace_back(to == &endpoint.fid ? "bind" : "bind to something else");
  return bind_error;
}
int control_mr(fid*, int command, void*) {
  calls.emplace_back(command == FI_ENABLE ? "enable" : "control");
  return 0;
}
fi_ops mr_functions = {sizeof(fi_ops), close_mr, bind_mr, control_mr, nullptr};

int reg(fid*, const void*, std::size_t bytes, std::uint64_t access, std::uint64_t, std::uint64_t key,
        std::uint64_t, fid_mr** mr, void*) {
  if (bytes == 13) return -FI_ENOMEM;
  calls.emplace_back("reg");
  last_key = key;
  last_access = access;
  *mr = new fid_mr{};
  (*mr)->fid.ops = &mr_functions;
  (*mr)->mem_desc = *mr;
  (*mr)->key = key;
  return 0;
}

class OfiRegistrar : public testing::Test {
 protected:
  void SetUp() override {
    calls.clear();
    bind_error = 0;
    functions_.size = sizeof functions_;
    functions_.reg = reg;
    domain_.mr = &functions_;
  }
  Registrar with(int mode) {
    Registrar registrar;
    registrar.open(&domain_, &endpoint, mode);
    return registrar;
  }
  using Calls = std::vector<std::string>;

  fi_ops_mr functions_{};
  fid_domain domain_{};
  char memory_[64];
};

TEST_F(OfiRegistrar, OwnMemoryOnlyWhereTheProviderWantsIt) {
  Registrar plain = with(0), local = with(FI_MR_LOCAL);
  EXPECT_EQ(nullptr, plain.add_local(memory_, sizeof memory_, FI_SEND).desc());
  EXPECT_TRUE(calls.empty());
  EXPECT_FALSE(plain.wants_local());
  EXPECT_TRUE(local.wants_local());
  Registration mine = local.add_local(memory_, sizeof memory_, FI_SEND | FI_RECV);
  EXPECT_EQ(mine.mr, mine.desc());
  EXPECT_EQ(std::uint64_t{FI_SEND | FI_RECV}, last_access);
  local.remove(mine);
  EXPECT_EQ((Calls{"reg", "close"}), calls);
  EXPECT_EQ(nullptr, mine.desc());
  local.remove(mine);  // nothing
}

TEST_F(OfiRegistrar, SegmentsAreForPeersWhateverTheMode) {
  for (const int mode : {0, FI_MR_LOCAL, FI_MR_VIRT_ADDR | FI_MR_ALLOCATED}) {
    Registrar registrar = with(mode);
    Registration segment;
    EXPECT_EQ(0, registrar.add_remote(memory_, sizeof memory_, &segment));
    EXPECT_EQ(std::uint64_t{FI_REMOTE_READ | FI_REMOTE_WRITE},
              last_access & (FI_REMOTE_READ | FI_REMOTE_WRITE));
    EXPECT_EQ((mode & FI_MR_VIRT_ADDR) != 0, registrar.uses_addresses());
    registrar.remove(segment);
  }
}

TEST_F(OfiRegistrar, KeysAreTheProvidersOrNumbered) {
  Registrar own = with(0), providers = with(FI_MR_PROV_KEY);
  Registration r[2];
  EXPECT_EQ(0, own.add_remote(memory_, 8, &r[0]));
  const std::uint64_t first = last_key;
  EXPECT_EQ(0, own.add_remote(memory_, 8, &r[1]));
  EXPECT_NE(first, last_key);
  for (Registration& registration : r) own.remove(registration);
  EXPECT_EQ(0, providers.add_remote(memory_, 8, &r[0]));
  EXPECT_EQ(0u, last_key);
  providers.remove(r[0]);
}

TEST_F(OfiRegistrar, MemoryOfAnEndpointIsBoundAndEnabled) {
  Registrar registrar = with(FI_MR_ENDPOINT | FI_MR_LOCAL);
  Registration segment, own = registrar.add_local(memory_, 8, FI_SEND);
  EXPECT_EQ((Calls{"reg", "bind", "enable"}), calls);
  calls.clear();
  EXPECT_EQ(0, registrar.add_remote(memory_, sizeof memory_, &segment));
  EXPECT_EQ((Calls{"reg", "bind", "enable"}), calls);
  registrar.remove(segment);
  registrar.remove(own);
}

TEST_F(OfiRegistrar, WhatFailsLeavesNothingRegistered) {
  Registrar registrar = with(FI_MR_ENDPOINT);
  Registration segment;
  EXPECT_EQ(-FI_ENOMEM, registrar.add_remote(memory_, 13, &segment));
  bind_error = -FI_EINVAL;
  EXPECT_EQ(-FI_EINVAL, registrar.add_remote(memory_, 8, &segment));
  EXPECT_EQ((Calls{"reg", "bind", "close"}), calls);
  EXPECT_EQ(nullptr, segment.mr);
}

}  // namespace
}  // namespace upcr::ofi
