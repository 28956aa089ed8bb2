// SPDX-License-Identifier: BSD-3-Clause
// Protection domains and memory regions: which memory a key gives access to. Under the fabric's mutex.
#pragma once
#include <infiniband/verbs.h>
#include <sys/uio.h>

#include "tests/ibv/emulated/fabric/fabric.hpp"

namespace emulated {

struct ProtectionDomainHandle : ibv_pd {
  std::uint32_t id = 0;
};

inline std::uint32_t id_of(const ibv_pd* pd) {
  return pd != nullptr ? static_cast<const ProtectionDomainHandle*>(pd)->id : 0;
}
// A queue pair or another object of this protection domain is made (1) or destroyed (-1).
void count_use(Fabric& fabric, std::uint32_t pd, int change);

// The region of `key` if it is of this protection domain, has all of the range, and grants `access`
// (ibv_access_flags). Null otherwise. *memory: the range, in the process of the region.
const Region* find_local(Fabric& fabric, std::uint32_t pd, const ibv_sge& piece, unsigned access,
                         iovec* memory);
const Region* find_remote(Fabric& fabric, std::uint32_t pd, std::uint32_t key, std::uint64_t address,
                          std::uint64_t bytes, unsigned access, iovec* memory);

}  // namespace emulated
