// SPDX-License-Identifier: BSD-3-Clause
#include "tests/ibv/emulated/objects/regions.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "tests/ibv/emulated/fabric/device.hpp"
#include "tests/ibv/emulated/fabric/settings.hpp"

namespace emulated {
namespace {

int pin(void* address, std::size_t bytes, bool writable);

// Memory that is paged on demand has to be mapped as it was registered when the device gets to it: for
// writing also where it is only read. Seen for the process that asks.
bool is_mapped(Fabric& fabric, const Region& region, const iovec& memory) {
  if ((region.access & IBV_ACCESS_ON_DEMAND) == 0 || region.process != fabric.process()) return true;
  return pin(memory.iov_base, memory.iov_len, (region.access & IBV_ACCESS_LOCAL_WRITE) != 0) == 0;
}

const Region* check(Fabric& fabric, std::uint32_t id, std::uint32_t pd, std::uint64_t address,
                    std::uint64_t bytes, unsigned access, iovec* memory) {
  const Region* region = fabric.shared().regions.find(id);
  if (region == nullptr || region->pd != pd || (region->access & access) != access) return nullptr;
  if (address < region->start || bytes > region->bytes || address - region->start > region->bytes - bytes)
    return nullptr;
  *memory = {reinterpret_cast<void*>(region->address + (address - region->start)),
             static_cast<std::size_t>(bytes)};
  return is_mapped(fabric, *region, *memory) ? region : nullptr;
}

// As the kernel does when it pins pages: all of them are there afterwards. 0 or EFAULT.
int pin(void* address, std::size_t bytes, bool writable) {
  if (bytes == 0) return 0;
  constexpr std::uintptr_t kPage = 4096;
  const auto first = reinterpret_cast<std::uintptr_t>(address) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(address) + bytes + kPage - 1) / kPage * kPage;
  return ::madvise(reinterpret_cast<void*>(first), end - first,
                   writable ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) == 0
             ? 0
             : EFAULT;
}

struct RegionHandle : ibv_mr {
  Region* shared = nullptr;
};

void log_region(std::size_t bytes, unsigned access) {
  std::string rights;
  const auto add = [&](unsigned flag, const char* name) {
    if ((access & flag) != 0) rights += name;
  };
  add(IBV_ACCESS_LOCAL_WRITE, " local-write");
  add(IBV_ACCESS_REMOTE_READ, " remote-read");
  add(IBV_ACCESS_REMOTE_WRITE, " remote-write");
  add(IBV_ACCESS_REMOTE_ATOMIC, " remote-atomic");
  add(IBV_ACCESS_ON_DEMAND, " on-demand");
  add(IBV_ACCESS_RELAXED_ORDERING, " relaxed-ordering");
  std::fprintf(stderr, "emulated verbs: region of %zu bytes:%s\n", bytes, rights.c_str());
}

std::uint64_t registered(Fabric& fabric) {
  std::uint64_t sum = 0;
  fabric.shared().regions.for_each([&](Region& region) {
    if (region.process == fabric.process() && (region.access & IBV_ACCESS_ON_DEMAND) == 0)
      sum += region.bytes;
  });
  return sum;
}

}  // namespace

void count_use(Fabric& fabric, std::uint32_t pd, int change) {
  if (ProtectionDomain* domain = fabric.shared().pds.find(pd); domain != nullptr)
    domain->uses = static_cast<std::uint32_t>(static_cast<int>(domain->uses) + change);
}

const Region* find_local(Fabric& fabric, std::uint32_t pd, const ibv_sge& piece, unsigned access,
                         iovec* memory) {
  return check(fabric, piece.lkey, pd, piece.addr, piece.length, access, memory);
}

const Region* find_remote(Fabric& fabric, std::uint32_t pd, std::uint32_t key, std::uint64_t address,
                          std::uint64_t bytes, unsigned access, iovec* memory) {
  if ((key & kRemoteKeyBit) == 0) return nullptr;
  return check(fabric, key & ~kRemoteKeyBit, pd, address, bytes, access, memory);
}

}  // namespace emulated

using namespace emulated;  // NOLINT(google-build-using-namespace): the functions below are those of the
                           // header
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

extern "C" {

ibv_pd* ibv_alloc_pd(ibv_context* context) {
  const DeviceContext& device = *DeviceContext::of(context);
  Guard guard;
  Shared& s = guard.shared();
  errno = ENOMEM;
  if (s.pds.count([&](auto& pd) { return pd.device == device.number; }) >= settings().max_pd) return nullptr;
  ProtectionDomain* pd = s.pds.take(guard.fabric().process());
  if (pd == nullptr) return nullptr;
  pd->device = device.number;
  auto* handle = new ProtectionDomainHandle{};
  handle->context = context;
  handle->id = pd->id;
  return handle;
}

int ibv_dealloc_pd(ibv_pd* pd) {
  Guard guard;
  ProtectionDomain* entry = guard.shared().pds.find(id_of(pd));
  if (entry == nullptr) return EINVAL;
  if (entry->uses != 0) return EBUSY;
  entry->used = false;
  delete static_cast<ProtectionDomainHandle*>(pd);
  return 0;
}

ibv_mr* ibv_reg_mr_iova2(ibv_pd* pd, void* address, std::size_t bytes, std::uint64_t iova, unsigned access) {
  constexpr unsigned kRemoteChanges = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
  errno = EINVAL;  // memory that others may change has to be writable locally
  if ((access & kRemoteChanges) != 0 && (access & IBV_ACCESS_LOCAL_WRITE) == 0) return nullptr;
  const bool on_demand = (access & IBV_ACCESS_ON_DEMAND) != 0;
  errno = EOPNOTSUPP;
  if (on_demand && !settings().on_demand) return nullptr;
  if (const int error = on_demand ? 0 : pin(address, bytes, (access & IBV_ACCESS_LOCAL_WRITE) != 0);
      error != 0) {
    errno = error;
    return nullptr;
  }
  Guard guard;
  Shared& s = guard.shared();
  const std::uint8_t device = DeviceContext::of(pd->context)->number;
  errno = ENOMEM;
  const auto of_device = [&](const Region& region) {
    const ProtectionDomain* domain = s.pds.find(region.pd);
    return domain != nullptr && domain->device == device;
  };
  if (s.regions.count(of_device) >= settings().max_mr) return nullptr;
  if (!on_demand && settings().lockable != ~std::uint64_t{0} &&
      registered(guard.fabric()) + bytes > settings().lockable)
    return nullptr;
  Region* region = s.regions.take(guard.fabric().process());
  if (region == nullptr) return nullptr;
  region->pd = id_of(pd);
  region->start = iova;
  region->bytes = bytes;
  region->address = reinterpret_cast<std::uint64_t>(address);
  region->access = access;
  if (settings().log_regions) log_region(bytes, access);
  count_use(guard.fabric(), region->pd, 1);
  auto* handle = new RegionHandle{};
  handle->shared = region;
  handle->context = pd->context;
  handle->pd = pd;
  handle->addr = address;
  handle->length = bytes;
  handle->handle = region->id;
  handle->lkey = region->id;
  handle->rkey = region->id | kRemoteKeyBit;
  return handle;
}

ibv_mr* ibv_reg_mr_iova(ibv_pd* pd, void* address, std::size_t bytes, std::uint64_t iova, int access) {
  return ::ibv_reg_mr_iova2(pd, address, bytes, iova, static_cast<unsigned>(access));
}

ibv_mr* ibv_reg_mr(ibv_pd* pd, void* address, std::size_t bytes, int access) {
  return ::ibv_reg_mr_iova(pd, address, bytes, reinterpret_cast<std::uintptr_t>(address), access);
}

int ibv_dereg_mr(ibv_mr* mr) {
  auto* handle = static_cast<RegionHandle*>(mr);
  Guard guard;
  handle->shared->used = false;
  count_use(guard.fabric(), handle->shared->pd, -1);
  delete handle;
  return 0;
}

}  // extern "C"
